import { Screen } from '../ui/screen.tsx'

export const ProfileScreen = () => <Screen title="Profile">{null}</Screen>
