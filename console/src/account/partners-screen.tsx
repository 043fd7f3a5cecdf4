import { Screen } from '../ui/screen.tsx'

export const PartnersScreen = () => <Screen title="Partners">{null}</Screen>
