import { Screen } from '../ui/screen.tsx'

export const LiveScreen = () => <Screen title="Live">{null}</Screen>
