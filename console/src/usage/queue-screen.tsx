import { Screen } from '../ui/screen.tsx'

export const QueueScreen = () => <Screen title="Queue">{null}</Screen>
