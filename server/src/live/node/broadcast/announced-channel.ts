import { LivePlaylists, type LivePackager } from '@zoetrope/ll-hls'
import type { LiveChannel } from '../channel/live-channel.ts'
import type { OwnedStream } from '../cluster/owned-stream.ts'

export interface AnnouncedChannel {
  readonly channel: LiveChannel
  readonly announce: () => void
}

export const createAnnouncedChannel = (stream: OwnedStream, packager: LivePackager): AnnouncedChannel => {
  const listeners = new Set<() => void>()
  return {
    channel: {
      accountId: stream.account_id,
      projectId: stream.project_id,
      playoutId: stream.playout_id,
      packager,
      playlists: new LivePlaylists(packager),
      onChange: (run) => {
        listeners.add(run)
        return () => void listeners.delete(run)
      },
    },
    announce: () => {
      for (const run of listeners) run()
    },
  }
}
