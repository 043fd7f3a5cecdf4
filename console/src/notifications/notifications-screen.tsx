import { Screen } from '../ui/screen.tsx'

export const NotificationsScreen = () => <Screen title="Notifications">{null}</Screen>
