import {
  connectAnswers,
  createStreamAnswer,
  errorStatus,
  plainAnswer,
  publishStartAnswers,
  unpublishAnswer,
  warningStatus,
} from '../messages/answers.ts'
import { readCommand, type Command } from '../messages/command.ts'
import { messageTypes, type Message } from '../wire/message.ts'
import { readConnect, readPublish, type ConnectRequest } from './publish-request.ts'
import type {
  Authorization,
  PublishEnd,
  Publisher,
  PublishRequest,
  PublishSession,
} from './publish-session.ts'
import { createPublish, type Publish } from './publish.ts'
import { RtmpError } from '../wire/rtmp-error.ts'
import type { RtmpLimits, RtmpTimeouts } from '../wire/settings.ts'
import type { OutgoingMessage } from '../wire/write-message.ts'

export interface ConversationOptions {
  readonly authorize: (request: PublishRequest) => Promise<Authorization>
  readonly onPublish: (session: PublishSession) => Promise<void>
  readonly onError: (error: unknown) => void
  readonly limits: RtmpLimits
  readonly timeouts: RtmpTimeouts
}

export interface Line {
  readonly remoteAddress: string
  readonly gone: AbortSignal
  readonly receivedBytes: () => number
  readonly send: (...messages: readonly OutgoingMessage[]) => void
  /** Called when a publish begins. */
  readonly expectMedia: () => void
  /** Sets the deadline. The connection times out unless `expect` or `expectNothing` is called in time. */
  readonly expect: (what: string, withinMs: number) => void
  readonly expectNothing: () => void
  readonly close: (reason: string) => void
  readonly fail: (error: unknown) => void
}

/** Handles an encoder's messages: connect, publish and media, repeated for each publish. */
export class Conversation {
  readonly #line: Line
  readonly #options: ConversationOptions
  #connect: ConnectRequest | null = null
  #publish: Publish | null = null
  #lastStreamId = 0
  /** Message stream of the current publish, or of the last request. */
  #streamId = 0

  constructor(line: Line, options: ConversationOptions) {
    this.#line = line
    this.#options = options
  }

  /** Handles a message. Reading pauses until a returned promise resolves. */
  handle(message: Message): Promise<void> | undefined {
    const isCommand = message.type === messageTypes.commandAmf0 || message.type === messageTypes.commandAmf3
    return isCommand ? this.#obey(readCommand(message)) : this.#takeMedia(message)
  }

  /** Returns the final status message, or null before connect, when the encoder would not understand it. */
  finalStatus(code: 'Denied' | 'Rejected', reason: string): OutgoingMessage | null {
    return this.#connect && errorStatus(this.#streamId, `NetStream.Publish.${code}`, reason)
  }

  end(end: PublishEnd): void {
    this.#publish?.end(end)
  }

  #obey(command: Command): Promise<void> | undefined {
    if ((command.name === 'connect') !== (this.#connect === null))
      throw new RtmpError('malformed', 'The command connect must come first, and only once.')
    switch (command.name) {
      case 'connect':
        this.#connect = readConnect(command)
        this.#line.send(...connectAnswers(command))
        return
      case 'releaseStream':
      case 'FCPublish':
        this.#line.send(plainAnswer(command))
        return
      case 'createStream':
        this.#line.send(createStreamAnswer(command, ++this.#lastStreamId))
        return
      case 'publish':
        return this.#startPublish(command)
      case 'FCUnpublish':
      case 'closeStream':
      case 'deleteStream':
        this.#unpublish()
        return
      case 'play':
      case 'play2':
        this.#streamId = command.streamId
        throw new RtmpError('refused', 'This server only receives streams. It does not play them.')
      default:
        // Encoders also send optional commands such as getStreamLength, _checkbw and FCSubscribe.
        return
    }
  }

  async #startPublish(command: Command): Promise<void> {
    if (this.#publish !== null) {
      const reason = 'This connection publishes already.'
      this.#line.send(errorStatus(command.streamId, 'NetStream.Publish.BadName', reason))
      return
    }
    this.#streamId = command.streamId
    const publisher = this.#readPublisher(command)
    const answer = await this.#authorize(publisher)
    if (answer === null) return
    if ('refuse' in answer) throw new RtmpError('refused', answer.refuse)

    const publish = createPublish(publisher, {
      queuedBytes: this.#options.limits.queuedBytes,
      receivedBytes: this.#line.receivedBytes,
      close: this.#line.close,
    })
    this.#publish = publish
    this.#line.expectMedia()
    this.#line.send(...publishStartAnswers(this.#streamId))
    this.#expectMedia()
    void this.#consume(publish)
  }

  #readPublisher(command: Command): Publisher {
    const connect = this.#connect!
    const { streamKey, query } = readPublish(command)
    return {
      id: Symbol('publish'),
      app: connect.app,
      streamKey,
      query: new URLSearchParams([connect.query, query].filter((part) => part !== '').join('&')),
      remoteAddress: this.#line.remoteAddress,
      encoder: connect.encoder,
    }
  }

  async #authorize(publisher: Publisher): Promise<Authorization | null> {
    const signal = this.#line.gone
    const gone = Promise.withResolvers<null>()
    const resolve = () => gone.resolve(null)
    signal.addEventListener('abort', resolve)
    try {
      const answer = await Promise.race([this.#options.authorize({ ...publisher, signal }), gone.promise])
      return signal.aborted ? null : answer
    } finally {
      signal.removeEventListener('abort', resolve)
    }
  }

  /** The publish lasts until the consumer's promise settles. */
  async #consume(publish: Publish): Promise<void> {
    try {
      await this.#options.onPublish(publish.session)
      publish.session.close('The stream is no longer taken.')
    } catch (error) {
      if (publish.hasEnded()) this.#options.onError(error)
      else this.#line.fail(error)
    }
  }

  #takeMedia(message: Message): Promise<void> | undefined {
    if (this.#publish === null) return
    const { takenMessages, warnings, room } = this.#publish.take(message)
    for (const warning of warnings)
      this.#line.send(warningStatus(this.#streamId, 'NetStream.Publish.Warning', warning))
    // Empty frames and messages of other types do not reset the idle timeout.
    if (takenMessages === 0) return
    if (room === null) {
      this.#expectMedia()
      return
    }
    this.#line.expectNothing()
    return room.then(() => this.#expectMedia())
  }

  #unpublish(): void {
    if (this.#publish === null) return
    this.#publish.end({ code: 'unpublished', message: 'The encoder ended the stream.' })
    this.#publish = null
    this.#line.send(unpublishAnswer(this.#streamId))
    this.#line.expect('another publish', this.#options.timeouts.publishMs)
  }

  #expectMedia(): void {
    this.#line.expect('media', this.#options.timeouts.idleMs)
  }
}
