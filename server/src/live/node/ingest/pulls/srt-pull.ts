import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { liveReason } from '../../../control/api/live-reason.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import { hostOf } from '../../../../platform/outbound/outbound-policy.ts'
import { openFfmpegPublisher } from '../sources/ffmpeg-publisher.ts'
import { SourceError } from '../sources/source-error.ts'
import { receiveSrt, transportStreamArguments } from '../srt/srt-receiver.ts'
import type { OpenPull } from './open-pull.ts'

const openMs = 25_000
const connectMs = 5_000
const exitMs = 1_000

/** Options that a URI may set, in the values of ffmpeg's own URLs; all others are ignored. */
const takenOptions: Readonly<Record<string, RegExp>> = {
  passphrase: /^.{10,79}$/s,
  pbkeylen: /^(0|16|24|32)$/,
  streamid: /^.{1,512}$/s,
  latency: /^\d{1,8}$/,
}

/**
 * Calls the server at the checked address: ffmpeg does no name lookup. One process receives, another one without network
 * reads what it yields.
 */
export const openSrtPull: OpenPull = async ({ allowedAddresses }, { uri, reading, signal }) => {
  const url = URL.parse(uri.replace(/^srt:/i, 'ws:'))
  // Port 80 is the default of the ws: scheme that the URL is parsed as.
  const port = url === null ? 0 : Number(url.port === '' ? 80 : url.port)
  if (url === null || !/^srt:/i.test(uri))
    throw new SourceError('failed', newMessage('live_source_uri_not_srt'))
  const [address = ''] = await allowedAddresses(hostOf(url), port)
  const options = [...url.searchParams].filter(([name, value]) => takenOptions[name]?.test(value))
  const over = new AbortController()
  const receiver = receiveSrt(
    {
      options: [
        ...['-mode', 'caller', '-connect_timeout', String(connectMs)],
        ...options.flatMap(([name, value]) => [`-${name === 'streamid' ? 'srt_streamid' : name}`, value]),
      ],
      url: `srt://${isIP(address) === 6 ? `[${address}]` : address}:${port}`,
    },
    AbortSignal.any([signal, over.signal]),
  )
  const hangUp = (): Promise<void> => {
    over.abort()
    return receiver.ended
  }
  try {
    const publisher = await openFfmpegPublisher({
      protocol: 'srt-pull',
      remoteAddress: hostOf(url),
      reading,
      inputArguments: transportStreamArguments,
      input: receiver.stream.read(),
      atEnd: () => liveReason('left', newMessage('live_srt_server_left')),
      openMs,
      signal,
    })
    receiver.stream.keepNothing()
    const ended = publisher.ended.then(async (reason) => {
      await hangUp()
      return reason
    })
    return { ...publisher, ended }
  } catch (error) {
    // Without a connection, the reader finds an empty stream; the receiver says why, and exits at the same time.
    if (error instanceof SourceError && error.code === 'failed')
      await Promise.race([receiver.ended, delay(exitMs)])
    const failure = receiver.failure()
    await hangUp()
    throw signal.aborted || failure === null ? error : failure
  }
}
