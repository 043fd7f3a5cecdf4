import { Screen } from '../ui/screen.tsx'

export const UsersScreen = () => <Screen title="Users">{null}</Screen>
