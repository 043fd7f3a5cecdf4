import { Screen } from '../ui/screen.tsx'

export const PlaylistScreen = () => <Screen title="Playlist">{null}</Screen>
