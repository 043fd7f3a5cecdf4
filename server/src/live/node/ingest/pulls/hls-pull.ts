import { liveReason } from '../../../control/api/live-reason.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import { openFfmpegPublisher } from '../sources/ffmpeg-publisher.ts'
import { SourceError } from '../sources/source-error.ts'
import { openHlsGateway } from './hls-gateway.ts'
import type { OpenPull } from './open-pull.ts'

const openMs = 30_000

/**
 * ffmpeg reads the playlist in real time, because segments arrive in one piece. It connects only to the
 * gateway.
 */
export const openHlsPull: OpenPull = async ({ agent, workFolder }, { uri, reading, signal }) => {
  const gateway = await openHlsGateway(uri, agent)
  try {
    const publisher = await openFfmpegPublisher({
      protocol: 'hls-pull',
      remoteAddress: URL.parse(uri)?.hostname ?? '',
      reading,
      inputArguments: [
        ...['-protocol_whitelist', 'http,tcp,crypto', '-format_whitelist', 'hls,mpegts,mov,aac'],
        ...['-re', '-f', 'hls', '-allowed_extensions', 'ALL'],
        ...['-http_proxy', gateway.proxy, '-i', gateway.url],
      ],
      hasVariants: true,
      atEnd: liveReason('unpublished', newMessage('live_playlist_ended')),
      workFolder,
      openMs,
      signal,
    })
    void publisher.ended.then(gateway.close)
    return publisher
  } catch (error) {
    await gateway.close()
    const failure = gateway.failure()
    if (failure !== null && !signal.aborted) throw new SourceError('failed', failure)
    throw error
  }
}
