import { playFrom, RtmpError } from '@zoetrope/rtmp'
import { liveReason, type LiveReason } from '../../../control/api/live-reason.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import { SourceError } from '../sources/source-error.ts'
import type { OpenPull } from './open-pull.ts'
import { readRtmpUri } from '../../connections/rtmp-address.ts'

const timeouts = { startMs: 15_000, idleMs: 15_000 }

/** Plays the stream without another process, so that it connects only to the checked address. */
export const openRtmpPull: OpenPull = async ({ dial }, { uri, signal }) => {
  const source = readRtmpUri(uri)
  if (source === null) throw new SourceError('failed', newMessage('live_source_uri_not_rtmp'))
  const socket = await dial(source.target, signal)
  const hangUp = (): void => void socket.destroy()
  signal.addEventListener('abort', hangUp, { once: true })
  try {
    const play = await playFrom(socket, source.address, timeouts)
    let closedBecause: string | null = null
    const ended = play.ended.then((message): LiveReason => {
      signal.removeEventListener('abort', hangUp)
      return closedBecause === null
        ? liveReason('left', newMessage('live_rtmp_failed', { detail: message }))
        : { code: 'closed', message: closedBecause }
    })
    return {
      protocol: 'rtmp-pull',
      remoteAddress: source.target.hostname,
      encoder: '',
      messages: play.messages,
      receivedBytes: play.receivedBytes,
      ended,
      close: (reason) => {
        closedBecause ??= reason
        play.close(reason)
      },
    }
  } catch (error) {
    signal.removeEventListener('abort', hangUp)
    socket.destroy()
    if (signal.aborted) throw new SourceError('ended', newMessage('live_source_stopped'))
    throw error instanceof RtmpError
      ? new SourceError('failed', newMessage('live_rtmp_failed', { detail: error.message }))
      : error
  }
}
