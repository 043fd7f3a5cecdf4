import { playFrom, RtmpError, type PublishEnd } from '@zoetrope/rtmp'
import { SourceError } from '../sources/source-error.ts'
import type { OpenPull } from './open-pull.ts'
import { readRtmpUri } from '../../connections/rtmp-address.ts'

const timeouts = { startMs: 15_000, idleMs: 15_000 }

/** Plays the stream without another process, so that it connects only to the checked address. */
export const openRtmpPull: OpenPull = async ({ dial }, { uri, signal }) => {
  const source = readRtmpUri(uri)
  if (source === null) throw new SourceError('failed', 'StreamInURI is not an RTMP URL.')
  const socket = await dial(source.target, signal)
  const hangUp = (): void => void socket.destroy()
  signal.addEventListener('abort', hangUp, { once: true })
  try {
    const play = await playFrom(socket, source.address, timeouts)
    let closedBecause: string | null = null
    const ended = play.ended.then((message): PublishEnd => {
      signal.removeEventListener('abort', hangUp)
      return closedBecause === null ? { code: 'left', message } : { code: 'closed', message: closedBecause }
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
    if (signal.aborted) throw new SourceError('ended', 'Zoetrope stopped the pull.')
    throw error instanceof RtmpError ? new SourceError('failed', error.message) : error
  }
}
