import { once } from 'node:events'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { ChunkReader } from '../wire/chunk-reader.ts'
import { pingResponse, userControlEvents } from '../messages/control-messages.ts'
import { ReceivedBytes } from '../messages/received-bytes.ts'
import { Conversation, type ConversationOptions } from './conversation.ts'
import { Deadline } from '../wire/deadline.ts'
import { Fields } from '../wire/fields.ts'
import { Handshake } from '../wire/handshake.ts'
import { messageTypes, type Message } from '../wire/message.ts'
import type { PublishEnd } from './publish-session.ts'
import type { ReadPacer } from './read-pacer.ts'
import { RtmpError } from '../wire/rtmp-error.ts'
import type { StartTimer } from '../wire/settings.ts'
import { writeMessage, type OutgoingMessage } from '../wire/write-message.ts'

export interface ConnectionOptions extends ConversationOptions {
  readonly startTimer: StartTimer
  readonly pacer: ReadPacer
}

/**
 * One socket from the handshake to its end. It is paused while a key is checked, a consumer is slow, or the publisher
 * does not read our answers.
 */
export class Connection {
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #deadline: Deadline
  readonly #chunks: ChunkReader
  readonly #conversation: Conversation
  readonly #received = new ReceivedBytes()
  readonly #gone = new AbortController()
  #handshake: Handshake | null = new Handshake()
  #end: PublishEnd | null = null

  constructor(socket: Socket, options: ConnectionOptions) {
    const { limits } = options
    this.#socket = socket
    this.#options = options
    this.#deadline = new Deadline(options.startTimer)
    this.#chunks = new ChunkReader({ ...limits, messageBytes: limits.commandBytes })
    this.#conversation = new Conversation(
      {
        remoteAddress: socket.remoteAddress ?? '',
        gone: this.#gone.signal,
        receivedBytes: () => this.#received.count,
        send: (...messages) => this.#send(messages),
        expectMedia: () => {
          // One connection may publish several times.
          const isFirst = this.#chunks.limits !== limits
          if (isFirst && !(socket instanceof TLSSocket)) options.pacer.add(socket)
          this.#chunks.limits = limits
        },
        expect: (what, withinMs) => this.#expect(what, withinMs),
        expectNothing: () => this.#deadline.clear(),
        close: (reason) => this.close(reason),
        fail: (error) => this.#fail(error),
      },
      options,
    )
  }

  async run(): Promise<PublishEnd> {
    const socket = this.#socket
    // The socket closes after an error.
    socket.on('error', () => {})
    socket.once('close', () => this.#gone.abort())
    socket.setNoDelay(true)
    this.#expect('the handshake', this.#options.timeouts.handshakeMs)
    // Not an async iterator of the socket, which costs several promises and ticks for each piece.
    socket.on('data', (piece: Buffer) => {
      // After the final status message, only wait for the publisher to close the connection.
      const pending = this.#end === null ? this.#receive(piece) : null
      if (pending === null) return
      socket.pause()
      void pending.then(() => socket.resume())
    })
    const end = await new Promise<PublishEnd>((resolve) => {
      socket.once('end', () => resolve({ code: 'left', message: 'The publisher closed the connection.' }))
      socket.once('close', () => resolve({ code: 'lost', message: 'The connection to the publisher broke.' }))
    })
    this.#finish(end)
    this.#deadline.clear()
    return this.#end ?? end
  }

  close(reason: string): void {
    this.#finish({ code: 'closed', message: reason }, this.#conversation.finalStatus('Rejected', reason))
  }

  /** Returns a promise only if reading must wait. It never rejects. */
  #receive(piece: Buffer): Promise<void> | null {
    this.#received.add(piece.length)
    try {
      const bytes = this.#handshake === null ? piece : this.#shakeHands(this.#handshake, piece)
      return bytes === null ? null : this.#handleAll(this.#chunks.read(bytes))
    } catch (error) {
      this.#fail(error)
      return null
    }
  }

  /** Handles all messages at once, unless one of them must be waited for. */
  #handleAll(messages: Generator<Message>): Promise<void> | null {
    // `for … of` would close the generator on return.
    for (let next = messages.next(); next.done !== true; next = messages.next()) {
      const pending = this.#handle(next.value) ?? this.#drained()
      if (this.#end !== null) return null
      if (pending !== null) return this.#handleAfter(pending, messages)
    }
    const due = this.#received.acknowledge()
    if (due !== null) this.#send([due])
    return null
  }

  async #handleAfter(pending: Promise<void>, messages: Generator<Message>): Promise<void> {
    try {
      await pending
      await this.#drained()
      if (this.#end === null) await this.#handleAll(messages)
    } catch (error) {
      this.#fail(error)
    }
  }

  #shakeHands(handshake: Handshake, piece: Buffer): Buffer | null {
    const { answer, rest } = handshake.read(piece)
    if (answer !== null) this.#socket.write(answer)
    if (rest === null) return null
    this.#handshake = null
    this.#expect('publish', this.#options.timeouts.publishMs)
    return rest
  }

  #handle(message: Message): Promise<void> | undefined {
    const { type, payload } = message
    switch (type) {
      case messageTypes.setChunkSize:
        this.#chunks.setChunkBytes(new Fields(payload).u32())
        return
      case messageTypes.abort:
        this.#chunks.abort(new Fields(payload).u32())
        return
      case messageTypes.windowAcknowledgementSize:
        this.#received.windowBytes = new Fields(payload).u32()
        return
      case messageTypes.userControl:
        this.#answerPing(new Fields(payload))
        return
      default:
        return this.#conversation.handle(message)
    }
  }

  #answerPing(fields: Fields): void {
    if (fields.u16() === userControlEvents.pingRequest) this.#send([pingResponse(fields.u32())])
  }

  #send(messages: readonly OutgoingMessage[]): void {
    this.#socket.write(Buffer.concat(messages.map(writeMessage)))
  }

  #drained(): Promise<void> | null {
    if (!this.#socket.writableNeedDrain) return null
    return once(this.#socket, 'drain', { signal: this.#gone.signal }).then(
      () => {},
      () => {},
    )
  }

  #expect(what: string, withinMs: number): void {
    if (this.#end !== null) return
    this.#deadline.set(withinMs, () => {
      this.#finish({ code: 'timed_out', message: `Nothing came of ${what} within ${withinMs / 1_000} s.` })
    })
  }

  #fail(error: unknown): void {
    if (error instanceof RtmpError) {
      const { code, message } = error
      const status = code === 'refused' ? 'Denied' : 'Rejected'
      // A publisher that sends malformed data would not read a status message either.
      const finalStatus = code === 'malformed' ? null : this.#conversation.finalStatus(status, message)
      this.#finish({ code, message }, finalStatus)
      return
    }
    this.#options.onError(error)
    const message = 'The server could not receive the stream.'
    this.#finish({ code: 'server_failed', message }, this.#conversation.finalStatus('Rejected', message))
  }

  /** Only the first end counts. With a final status message, the publisher has `finalStatusMs` to read it. */
  #finish(end: PublishEnd, finalStatus: OutgoingMessage | null = null): void {
    if (this.#end !== null) return
    this.#end = end
    this.#conversation.end(end)
    this.#gone.abort()
    if (finalStatus === null) {
      this.#socket.destroy()
      return
    }
    this.#deadline.set(this.#options.timeouts.finalStatusMs, () => this.#socket.destroy())
    this.#socket.end(writeMessage(finalStatus))
  }
}
