import { Screen } from '../ui/screen.tsx'

export const ProjectSettingsScreen = () => <Screen title="Settings">{null}</Screen>
