import type { Socket } from 'node:net'
import { isAmf0Object, type Amf0Object, type Amf0Value } from '../amf0/amf0-value.ts'
import { acknowledgementWindowBytes } from '../messages/answers.ts'
import { ReceivedBytes } from '../messages/received-bytes.ts'
import { ChunkReader } from '../wire/chunk-reader.ts'
import { readCommand, type Command } from '../messages/command.ts'
import { pingResponse, setChunkSize, userControlEvents } from '../messages/control-messages.ts'
import { Fields } from '../wire/fields.ts'
import { audioCodecs, videoCodecs } from '../messages/media-message.ts'
import { messageTypes, type Message } from '../wire/message.ts'
import { RtmpError } from '../wire/rtmp-error.ts'
import { defaultLimits } from '../wire/settings.ts'
import { command } from '../messages/write-command.ts'
import { writeMessage, writtenChunkBytes, type OutgoingMessage } from '../wire/write-message.ts'
import { ClientHandshake } from './client-handshake.ts'

/** Address of a stream on a server. The stream name is a secret. */
export interface RtmpAddress {
  readonly app: string
  readonly streamName: string
  /** URL of the application as configured by the user. */
  readonly tcUrl: string
}

export interface ClientHandlers {
  /** Receives media. Reading pauses until a returned promise resolves. */
  readonly onMedia?: (message: Message) => Promise<void> | null
}

const software = 'FMLE/3.0 (compatible; Zoetrope)'

export class ClientConnection {
  readonly #socket: Socket
  readonly #handlers: ClientHandlers
  readonly #handshake: ClientHandshake
  readonly #received = new ReceivedBytes()
  readonly #chunks = new ChunkReader(defaultLimits)
  readonly #ended = Promise.withResolvers<string>()
  readonly #calls = new Map<number, PromiseWithResolvers<readonly Amf0Value[]>>()
  /** Resolves with the next status that is not an error. */
  #status: PromiseWithResolvers<string> | null = null
  #lastTransaction = 0
  #hasEnded = false

  constructor(socket: Socket, handlers: ClientHandlers = {}) {
    this.#socket = socket
    this.#handlers = handlers
    socket.on('error', () => {})
    socket.setNoDelay(true)
    this.#handshake = new ClientHandshake((bytes) => socket.write(bytes))
    this.#received.windowBytes = acknowledgementWindowBytes / 2
    void this.#run()
  }

  get ended(): Promise<string> {
    return this.#ended.promise
  }
  get receivedBytes(): number {
    return this.#received.count
  }
  get waitingBytes(): number {
    return this.#socket.writableLength
  }

  /**
   * Returns the properties in the server's answer. Throws RtmpError with the server's description when it
   * refuses.
   */
  async connect({ app, tcUrl }: RtmpAddress): Promise<Amf0Object> {
    await this.#handshake.done
    this.send(setChunkSize(writtenChunkBytes))
    const fourCcList = [...videoCodecs, ...audioCodecs]
    const [properties] = await this.call('connect', {
      app,
      type: 'nonprivate',
      flashVer: software,
      tcUrl,
      fourCcList,
    })
    return isAmf0Object(properties) ? properties : {}
  }

  async createStream(): Promise<number> {
    const [, streamId] = await this.call('createStream', null)
    if (typeof streamId !== 'number')
      throw new RtmpError('malformed', 'The server did not return a message stream.')
    return streamId
  }

  /** Returns the values that the server answers to a command, without the transaction id. */
  call(name: string, ...values: Amf0Value[]): Promise<readonly Amf0Value[]> {
    const transaction = ++this.#lastTransaction
    const answer = Promise.withResolvers<readonly Amf0Value[]>()
    answer.promise.catch(() => {})
    if (this.#hasEnded) answer.reject(leftEarly())
    else this.#calls.set(transaction, answer)
    this.send(command(0, name, transaction, ...values))
    return answer.promise
  }

  /** Sends a command on a stream and resolves with the code of its status. */
  ask(streamId: number, name: string, ...values: Amf0Value[]): Promise<string> {
    this.#status = Promise.withResolvers<string>()
    this.#status.promise.catch(() => {})
    if (this.#hasEnded) this.#status.reject(leftEarly())
    this.send(command(streamId, name, 0, ...values))
    return this.#status.promise
  }

  send(message: OutgoingMessage): void {
    if (!this.#hasEnded && this.#socket.writable) this.#socket.write(writeMessage(message))
  }

  /** Closes the connection after the sent data is flushed, or after two seconds at the latest. */
  close(reason: string): void {
    if (this.#hasEnded) return
    this.#socket.end()
    this.#finish(reason)
    setTimeout(() => this.#socket.destroy(), closingMs).unref()
  }

  async #run(): Promise<void> {
    try {
      for await (const piece of this.#socket as AsyncIterable<Buffer>)
        if (!this.#hasEnded) await this.#receive(piece)
      this.#finish('The server closed the connection.')
    } catch (error) {
      this.#finish(error instanceof RtmpError ? error.message : 'The connection to the server broke.', error)
    }
    this.#socket.destroy()
  }

  async #receive(piece: Buffer): Promise<void> {
    this.#received.add(piece.length)
    const bytes = this.#handshake.read(piece)
    if (bytes === null) return
    for (const message of this.#chunks.read(bytes)) {
      const room = this.#handle(message)
      if (room) await room
    }
    const due = this.#received.acknowledge()
    if (due !== null) this.send(due)
  }

  #handle(message: Message): Promise<void> | null {
    const { type, payload } = message
    switch (type) {
      case messageTypes.setChunkSize:
        this.#chunks.setChunkBytes(new Fields(payload).u32())
        return null
      case messageTypes.abort:
        this.#chunks.abort(new Fields(payload).u32())
        return null
      case messageTypes.userControl: {
        const fields = new Fields(payload)
        if (fields.u16() === userControlEvents.pingRequest) this.send(pingResponse(fields.u32()))
        return null
      }
      case messageTypes.commandAmf0:
      case messageTypes.commandAmf3:
        this.#handleCommand(readCommand(message))
        return null
      default:
        return this.#handlers.onMedia?.(message) ?? null
    }
  }

  #handleCommand(received: Command): void {
    const answer = this.#calls.get(received.transactionId)
    if (received.name === '_result') {
      answer?.resolve(received.arguments)
      this.#calls.delete(received.transactionId)
    }
    if (received.name === '_error') {
      answer?.reject(refusal(received.arguments))
      this.#calls.delete(received.transactionId)
    }
    if (received.name === 'close') throw refusal(received.arguments)
    if (received.name === 'onStatus') this.#handleStatus(received.arguments)
  }

  #handleStatus(values: readonly Amf0Value[]): void {
    const status = values.find(isAmf0Object)
    const code = status?.['code']
    if (status?.['level'] === 'error') throw refusal(values)
    if (typeof code !== 'string') return
    if (endingCodes.has(code)) throw new RtmpError('refused', `The server ended the stream: ${code}.`)
    if (startingCodes.has(code)) this.#status?.resolve(code)
  }

  #finish(reason: string, error: unknown = null): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const failure = error instanceof RtmpError ? error : leftEarly(reason)
    this.#handshake.fail(failure)
    for (const answer of this.#calls.values()) answer.reject(failure)
    this.#calls.clear()
    this.#status?.reject(failure)
    this.#ended.resolve(reason)
  }
}

const closingMs = 2_000
const startingCodes = new Set(['NetStream.Publish.Start', 'NetStream.Play.Start'])
const endingCodes = new Set([
  'NetStream.Play.Stop',
  'NetStream.Play.UnpublishNotify',
  'NetStream.Play.Complete',
])
const longestReason = 200

const leftEarly = (reason = 'The server closed the connection.'): RtmpError =>
  new RtmpError('refused', reason)

/** Returns an error with the server's description, cleaned of control characters and shortened. */
const refusal = (values: readonly Amf0Value[]): RtmpError => {
  const status = values.find(isAmf0Object)
  const words = status?.['description'] ?? status?.['code']
  const text =
    typeof words === 'string' ? words.replaceAll(/\p{C}/gu, ' ').trim().slice(0, longestReason) : ''
  return new RtmpError(
    'refused',
    text === '' ? 'The server refused without a reason.' : `The server refused: ${text}`,
  )
}
