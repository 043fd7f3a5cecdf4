import { Screen } from '../ui/screen.tsx'

export const StartScreen = () => <Screen title="Start">{null}</Screen>
