import { isIP } from 'node:net'
import { liveReason } from '../../../control/api/live-reason.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import { hostOf } from '../../../../platform/outbound/outbound-policy.ts'
import { openFfmpegPublisher } from '../sources/ffmpeg-publisher.ts'
import { SourceError } from '../sources/source-error.ts'
import type { OpenPull } from './open-pull.ts'

const openMs = 25_000
const connectMs = 5_000

/** Options that a URI may set, in the values of ffmpeg's own URLs; all others are ignored. */
const takenOptions: Readonly<Record<string, RegExp>> = {
  passphrase: /^.{10,79}$/s,
  pbkeylen: /^(0|16|24|32)$/,
  streamid: /^.{1,512}$/s,
  latency: /^\d{1,8}$/,
}

/** Calls the server at the checked address: ffmpeg does no name lookup. */
export const openSrtPull: OpenPull = async ({ allowedAddresses, workFolder }, { uri, reading, signal }) => {
  const url = URL.parse(uri.replace(/^srt:/i, 'ws:'))
  // Port 80 is the default of the ws: scheme that the URL is parsed as.
  const port = url === null ? 0 : Number(url.port === '' ? 80 : url.port)
  if (url === null || !/^srt:/i.test(uri))
    throw new SourceError('failed', newMessage('live_source_uri_not_srt'))
  const [address = ''] = await allowedAddresses(hostOf(url), port)
  const options = [...url.searchParams].filter(([name, value]) => takenOptions[name]?.test(value))
  return openFfmpegPublisher({
    protocol: 'srt-pull',
    remoteAddress: hostOf(url),
    reading,
    inputArguments: [
      ...['-protocol_whitelist', 'srt', '-f', 'mpegts', '-mode', 'caller'],
      ...['-connect_timeout', String(connectMs)],
      ...options.flatMap(([name, value]) => [`-${name === 'streamid' ? 'srt_streamid' : name}`, value]),
      ...['-i', `srt://${isIP(address) === 6 ? `[${address}]` : address}:${port}`],
    ],
    atEnd: liveReason('left', newMessage('live_srt_server_left')),
    workFolder,
    openMs,
    signal,
  })
}
