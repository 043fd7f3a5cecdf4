import { Screen } from '../ui/screen.tsx'

export const UsageScreen = () => <Screen title="Usage">{null}</Screen>
