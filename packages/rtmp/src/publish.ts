import type { MediaMessage } from './media-message.ts'
import { MediaReader } from './media-reader.ts'
import type { Message } from './message.ts'
import { MessageQueue } from './message-queue.ts'
import type { PublishEnd, Publisher, PublishSession } from './publish-session.ts'

/** What the connection does with an accepted publish; `session` is what the consumer sees of it. */
export interface Publish {
  readonly session: PublishSession
  /** Hands media on and answers what the publisher should hear of it. A promise means that the consumer has enough for now. */
  readonly take: (message: Message) => { readonly warnings: string[]; readonly room: Promise<void> | null }
  readonly hasEnded: () => boolean
  readonly end: (end: PublishEnd) => void
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
      for (const read of media.read(message)) {
        if (read.type === 'warning') warnings.push(read.message)
        room = queue.push(read, message.payload.length)
      }
      return { warnings, room }
    },
    hasEnded: () => hasEnded,
    end: (end) => {
      hasEnded = true
      queue.end()
      ended.resolve(end)
    },
  }
}
