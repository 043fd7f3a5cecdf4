import { acceptArguments, allDecoders } from '@zoetrope/ffmpeg'
import { liveReason } from '../../../control/api/live-reason.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import { openFfmpegPublisher } from '../sources/ffmpeg-publisher.ts'
import { openHlsMirror } from './hls-mirror.ts'
import type { OpenPull } from './open-pull.ts'

const openMs = 30_000

/** The stall of a source ends the pull, not a number of reloads without new segments. */
const reloads = ['-max_reload', '1000000', '-m3u8_hold_counters', '1000000']

/** ffmpeg reads a local copy of the playlist in real time, because segments arrive in one piece. It has no network. */
export const openHlsPull: OpenPull = async ({ agent, workFolder }, { uri, reading, signal }) => {
  const mirror = await openHlsMirror(uri, { agent, workFolder, signal })
  try {
    const publisher = await openFfmpegPublisher({
      protocol: 'hls-pull',
      remoteAddress: URL.parse(uri)?.hostname ?? '',
      reading,
      inputArguments: [
        ...acceptArguments({
          protocols: ['file', 'crypto'],
          formats: ['hls', 'mpegts', 'mov', 'aac'],
          decoders: allDecoders,
        }),
        ...['-re', '-f', 'hls', '-allowed_extensions', 'ALL', '-live_start_index', '0', ...reloads],
        ...['-i', `file:${mirror.playlistPath}`],
      ],
      inputFolder: mirror.folder,
      hasVariants: true,
      atEnd: () =>
        mirror.isRestarted()
          ? liveReason('left', newMessage('live_playlist_restarted'))
          : liveReason('unpublished', newMessage('live_playlist_ended')),
      openMs,
      signal,
    })
    const ended = publisher.ended.then(async (reason) => {
      await mirror.close()
      return reason
    })
    return { ...publisher, ended }
  } catch (error) {
    await mirror.close()
    throw error
  }
}
