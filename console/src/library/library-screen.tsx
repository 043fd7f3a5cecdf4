import { Screen } from '../ui/screen.tsx'

export const LibraryScreen = () => <Screen title="Library">{null}</Screen>
