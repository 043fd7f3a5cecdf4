import type { Socket } from 'node:net'
import { ClientConnection, type RtmpAddress } from './client-connection.ts'
import { Deadline } from '../wire/deadline.ts'
import type { MediaMessage } from '../messages/media-message.ts'
import { MediaReader } from '../media/media-reader.ts'
import { MessageQueue } from '../messages/message-queue.ts'
import type { Message } from '../wire/message.ts'
import type { ClientTimeouts } from './publish-client.ts'
import { RtmpError } from '../wire/rtmp-error.ts'
import { defaultLimits, startRealTimer } from '../wire/settings.ts'

export interface RtmpPlay {
  /**
   * Messages in order, for a single reader. A slow reader slows down the server. Ends with the stream for any
   * reason.
   */
  readonly messages: AsyncIterable<MediaMessage>
  readonly receivedBytes: () => number
  /** Resolves with the reason as a sentence without secrets. Never rejects. */
  readonly ended: Promise<string>
  readonly close: (reason: string) => void
}

export interface PlayTimeouts extends ClientTimeouts {
  /** Maximum time between messages. Paused while the reader blocks the server. */
  readonly idleMs: number
}

/** RTMP 1.0, 7.2.2.1: start = -1000 requests only the live stream of this name. */
const liveOnly = -1_000

/**
 * Plays a stream over a connected socket. Throws RtmpError when the server refuses or does not start in time.
 */
export const playFrom = async (
  socket: Socket,
  address: RtmpAddress,
  timeouts: PlayTimeouts,
): Promise<RtmpPlay> => {
  const media = new MediaReader()
  const queue = new MessageQueue<MediaMessage>(defaultLimits.queuedBytes)
  const idle = new Deadline(startRealTimer)
  const begun = Promise.withResolvers<void>()
  const expectMore = (): void => idle.set(timeouts.idleMs, () => connection.close('Nothing came any more.'))

  const onMedia = (message: Message): Promise<void> | null => {
    let room: Promise<void> | null = null
    const messages = media.read(message)
    for (const read of messages) room = queue.push(read, message.payload.length)
    if (messages.length === 0) return null
    begun.resolve()
    if (room === null) {
      expectMore()
      return null
    }
    idle.clear()
    return room.then(expectMore)
  }
  const connection = new ClientConnection(socket, { onMedia })
  const timer = setTimeout(() => connection.close('The server did not respond in time.'), timeouts.startMs)
  void connection.ended.then((reason) => {
    idle.clear()
    queue.end()
    begun.reject(new RtmpError('refused', reason))
  })
  begun.promise.catch(() => {})
  try {
    await connection.connect(address)
    const streamId = await connection.createStream()
    // Some servers send media without a status.
    await Promise.any([begun.promise, connection.ask(streamId, 'play', null, address.streamName, liveOnly)])
    await begun.promise
  } catch (error) {
    connection.close('The stream could not be played.')
    throw error instanceof AggregateError ? error.errors.at(-1) : error
  } finally {
    clearTimeout(timer)
  }
  return {
    messages: queue,
    receivedBytes: () => connection.receivedBytes,
    ended: connection.ended,
    close: (reason) => {
      connection.close(reason)
    },
  }
}
