import { Screen } from '../ui/screen.tsx'

export const ProjectsScreen = () => <Screen title="Projects">{null}</Screen>
