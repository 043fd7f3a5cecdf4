import { extendedTimestamp, readChunkHeader, type ChunkHeader } from './chunk-header.ts'
import type { Message } from './message.ts'
import { RtmpError } from './rtmp-error.ts'

export interface ChunkLimits {
  /** The longest message. It may grow when a publisher has shown its key. */
  readonly messageBytes: number
  /** What all messages that have begun and not ended may hold together. */
  readonly unfinishedBytes: number
  /** How many chunk streams a publisher may use; encoders use six at most. */
  readonly chunkStreams: number
}

/** What a chunk stream remembers from one chunk to the next. */
interface ChunkStream {
  timestamp: number
  /** What a message that begins with format 3 adds. */
  delta: number
  /** The extended timestamp of the last header that had one, which chunks of format 3 repeat. */
  extended: number | null
  messageBytes: number
  messageType: number
  streamId: number
  /** The message under way, and how much of it is there. */
  payload: Buffer | null
  filledBytes: number
}

const defaultChunkBytes = 128
const none = Buffer.alloc(0)

/** Makes messages of the bytes of a chunk stream, wherever they were cut on the way. */
export class ChunkReader {
  limits: ChunkLimits
  #chunkBytes = defaultChunkBytes
  readonly #streams = new Map<number, ChunkStream>()
  /** The chunk whose payload is arriving. */
  #open: { stream: ChunkStream; missingBytes: number } | null = null
  #rest: Buffer = none
  #unfinishedBytes = 0

  constructor(limits: ChunkLimits) {
    this.limits = limits
  }

  /** RTMP 1.0, 5.4.1: the first bit must be zero, and more than 16 M is as good as 16 M. */
  setChunkBytes(size: number): void {
    if (size < 1 || size > 0x7fff_ffff) throw new RtmpError('malformed', `A chunk can't have ${size} bytes.`)
    this.#chunkBytes = Math.min(size, 0xff_ffff)
  }

  /** RTMP 1.0, 5.4.2: the rest of the message will not come. */
  abort(chunkStreamId: number): void {
    const stream = this.#streams.get(chunkStreamId)
    if (stream !== undefined) this.#drop(stream)
  }

  /**
   * Gives each message as soon as it is whole. The bytes behind it are read only when the next one is asked for, so that a new chunk size
   * holds from the next chunk on.
   */
  *read(piece: Buffer): Generator<Message> {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    this.#rest = none
    let at = 0
    for (;;) {
      if (this.#open === null) {
        const opened = this.#openChunk(bytes, at)
        if (opened === null) break
        at = opened
      }
      const { stream, missingBytes } = this.#open!
      const taken = bytes.copy(stream.payload!, stream.filledBytes, at, at + missingBytes)
      at += taken
      stream.filledBytes += taken
      this.#open = taken === missingBytes ? null : { stream, missingBytes: missingBytes - taken }
      if (this.#open !== null) break
      const message = this.#finish(stream)
      if (message !== null) yield message
    }
    // Kept as a copy: a few bytes shall not hold on to what the socket gave.
    if (at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at))
  }

  /** Reads what stands before a payload and answers where that begins; null when it has not all arrived. */
  #openChunk(bytes: Buffer, at: number): number | null {
    const header = readChunkHeader(bytes, at)
    if (header === null) return null
    const stream = this.#streams.get(header.chunkStreamId) ?? this.#addStream(header)
    const isContinuation = stream.payload !== null
    if (isContinuation && header.format !== 3)
      throw new RtmpError('malformed', 'A message begins before the one before it in its chunk stream ended.')

    let end = at + header.sizeBytes
    const hasExtended =
      header.format === 3 ? stream.extended !== null : header.timestampField === extendedTimestamp
    let extended: number | null = null
    if (hasExtended) {
      if (end + 4 > bytes.length) return null
      extended = bytes.readUInt32BE(end)
      // Some encoders don't repeat it within a message. Only what is equal is a repetition.
      if (!isContinuation || extended === stream.extended) end += 4
    }
    if (!isContinuation) this.#begin(stream, header, extended)
    const missingBytes = Math.min(this.#chunkBytes, stream.messageBytes - stream.filledBytes)
    this.#open = { stream, missingBytes }
    return end
  }

  #addStream({ chunkStreamId, format }: ChunkHeader): ChunkStream {
    // librtmp may begin with format 1 in the chunk stream of control messages; 2 and 3 name no length.
    if (format >= 2) throw new RtmpError('malformed', 'A chunk stream begins without a message header.')
    if (this.#streams.size >= this.limits.chunkStreams)
      throw new RtmpError('too_large', `More than ${this.limits.chunkStreams} chunk streams are in use.`)
    const stream: ChunkStream = {
      timestamp: 0,
      delta: 0,
      extended: null,
      messageBytes: 0,
      messageType: 0,
      streamId: 0,
      payload: null,
      filledBytes: 0,
    }
    this.#streams.set(chunkStreamId, stream)
    return stream
  }

  /**
   * RTMP 1.0, 5.3.1.2. A message that begins with format 3 takes the last delta once more; behind format 0 that is its timestamp
   * (5.3.1.2.4), and ffmpeg and librtmp write it so.
   */
  #begin(stream: ChunkStream, header: ChunkHeader, extended: number | null): void {
    if (header.format === 0) stream.timestamp = 0
    if (header.format !== 3) {
      stream.extended = extended
      stream.delta = extended ?? header.timestampField
    } else if (extended !== null) {
      stream.extended = extended
      stream.delta = extended
    }
    stream.timestamp = (stream.timestamp + stream.delta) % 2 ** 32
    if (header.format === 0) stream.streamId = header.streamId
    if (header.format <= 1) {
      stream.messageBytes = header.messageBytes
      stream.messageType = header.messageType
    }
    const { messageBytes, unfinishedBytes } = this.limits
    if (stream.messageBytes > messageBytes)
      throw new RtmpError(
        'too_large',
        `A message of ${stream.messageBytes} bytes is longer than ${messageBytes}.`,
      )
    this.#unfinishedBytes += stream.messageBytes
    if (this.#unfinishedBytes > unfinishedBytes)
      throw new RtmpError('too_large', `Unfinished messages hold more than ${unfinishedBytes} bytes.`)
    stream.payload = Buffer.allocUnsafe(stream.messageBytes)
    stream.filledBytes = 0
  }

  #finish(stream: ChunkStream): Message | null {
    const { payload, timestamp, messageType: type, streamId } = stream
    if (payload === null || stream.filledBytes < payload.length) return null
    this.#drop(stream)
    return { type, timestamp, streamId, payload }
  }

  #drop(stream: ChunkStream): void {
    if (stream.payload !== null) this.#unfinishedBytes -= stream.payload.length
    stream.payload = null
    stream.filledBytes = 0
  }
}
