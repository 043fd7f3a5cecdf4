import type { MediaMessage } from '../messages/media-message.ts'
import { MediaReader } from '../media/media-reader.ts'
import type { Message } from '../wire/message.ts'
import { MessageQueue } from '../messages/message-queue.ts'
import type { PublishEnd, Publisher, PublishSession } from './publish-session.ts'

export interface Publish {
  readonly session: PublishSession
  readonly take: (message: Message) => Taken
  readonly hasEnded: () => boolean
  readonly end: (end: PublishEnd) => void
}

interface Taken {
  readonly takenMessages: number
  readonly warnings: readonly string[]
  /** Resolves when the full queue has space again; null when it is not full. */
  readonly room: Promise<void> | null
}

export interface PublishHost {
  readonly queuedBytes: number
  readonly receivedBytes: () => number
  readonly close: (reason: string) => void
}

export const createPublish = (publisher: Publisher, host: PublishHost): Publish => {
  const media = new MediaReader()
  const queue = new MessageQueue<MediaMessage>(host.queuedBytes)
  const ended = Promise.withResolvers<PublishEnd>()
  let hasEnded = false
  return {
    session: {
      ...publisher,
      messages: queue,
      configurations: () => ({ video: media.videoConfiguration, audio: media.audioConfiguration }),
      receivedBytes: host.receivedBytes,
      ended: ended.promise,
      close: (reason) => {
        if (!hasEnded) host.close(reason)
      },
    },
    take: (message) => {
      const warnings: string[] = []
      let room: Promise<void> | null = null
      const messages = media.read(message)
      for (const read of messages) {
        if (read.type === 'warning') warnings.push(read.message)
        room = queue.push(read, message.payload.length)
      }
      return { takenMessages: messages.length, warnings, room }
    },
    hasEnded: () => hasEnded,
    end: (end) => {
      hasEnded = true
      queue.end()
      ended.resolve(end)
    },
  }
}
