import { Screen } from '../ui/screen.tsx'

export const FileScreen = () => <Screen title="File">{null}</Screen>
