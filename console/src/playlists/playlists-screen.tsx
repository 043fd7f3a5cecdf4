import { Screen } from '../ui/screen.tsx'

export const PlaylistsScreen = () => <Screen title="Playlists">{null}</Screen>
