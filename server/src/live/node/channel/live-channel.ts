import type { LivePackager, LivePlaylists } from '@zoetrope/ll-hls'

export interface LiveChannel {
  readonly accountId: number
  readonly projectId: number
  readonly playoutId: string
  /** Count of changes of the owner of the stream when this node got the broadcast. */
  readonly epoch: number
  readonly packager: LivePackager
  readonly playlists: LivePlaylists
  /** Calls `run` after each part and segment, and at the end of the broadcast, until the returned function is called. */
  readonly onChange: (run: () => void) => () => void
}

export interface LiveChannels {
  readonly find: (playoutId: string) => LiveChannel | undefined
}
