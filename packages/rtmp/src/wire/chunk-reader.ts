import { extendedTimestamp, readChunkHeader, type ChunkHeader } from './chunk-header.ts'
import type { Message } from './message.ts'
import { RtmpError } from './rtmp-error.ts'

export interface ChunkLimits {
  /** Maximum message size. It may be raised after a publisher is authorized. */
  readonly messageBytes: number
  /** Maximum size of all incomplete messages together. */
  readonly unfinishedBytes: number
  /** Maximum number of chunk streams per publisher; encoders use at most six. */
  readonly chunkStreams: number
}

interface ChunkStream {
  timestamp: number
  /** Delta that a message starting with format 3 adds. */
  delta: number
  /** Extended timestamp of the last header that had one; chunks of format 3 repeat it. */
  extended: number | null
  messageBytes: number
  messageType: number
  streamId: number
  /** Message in progress and the number of bytes received. */
  payload: Buffer | null
  filledBytes: number
}

const defaultChunkBytes = 128
const none = Buffer.alloc(0)

/** Reassembles messages from a chunk stream, regardless of how the network splits it. */
export class ChunkReader {
  limits: ChunkLimits
  #chunkBytes = defaultChunkBytes
  readonly #streams = new Map<number, ChunkStream>()
  #open: { stream: ChunkStream; missingBytes: number } | null = null
  #rest: Buffer = none
  #unfinishedBytes = 0

  constructor(limits: ChunkLimits) {
    this.limits = limits
  }

  /** RTMP 1.0, 5.4.1: the first bit must be zero, and sizes above 16 MiB are equivalent to 16 MiB. */
  setChunkBytes(size: number): void {
    if (size < 1 || size > 0x7fff_ffff)
      throw new RtmpError('malformed', `A chunk size of ${size} bytes is invalid.`)
    this.#chunkBytes = Math.min(size, 0xff_ffff)
  }

  /** RTMP 1.0, 5.4.2: the rest of the message will not arrive. */
  abort(chunkStreamId: number): void {
    const stream = this.#streams.get(chunkStreamId)
    if (stream !== undefined) this.#drop(stream)
  }

  /**
   * Yields each message as soon as it is complete. Later bytes are parsed only when the caller requests the
   * next message, so that a new chunk size applies from the next chunk on.
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
    // Copied, so that a few bytes do not retain the socket's buffer.
    if (at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at))
  }

  /**
   * Reads the header of a chunk and returns the offset of its payload, or null when the header is incomplete.
   */
  #openChunk(bytes: Buffer, at: number): number | null {
    const header = readChunkHeader(bytes, at)
    if (header === null) return null
    const stream = this.#streams.get(header.chunkStreamId) ?? this.#addStream(header)
    const isContinuation = stream.payload !== null
    if (isContinuation && header.format !== 3)
      throw new RtmpError('malformed', 'A message starts before the previous one of its chunk stream ended.')

    let end = at + header.sizeBytes
    const hasExtended =
      header.format === 3 ? stream.extended !== null : header.timestampField === extendedTimestamp
    let extended: number | null = null
    if (hasExtended) {
      if (end + 4 > bytes.length) return null
      extended = bytes.readUInt32BE(end)
      // Some encoders do not repeat it within a message. Only an equal value is a repetition.
      if (!isContinuation || extended === stream.extended) end += 4
    }
    if (!isContinuation) this.#begin(stream, header, extended)
    const missingBytes = Math.min(this.#chunkBytes, stream.messageBytes - stream.filledBytes)
    this.#open = { stream, missingBytes }
    return end
  }

  #addStream({ chunkStreamId, format }: ChunkHeader): ChunkStream {
    // librtmp may start the chunk stream of control messages with format 1. Formats 2 and 3 contain no
    // length.
    if (format >= 2) throw new RtmpError('malformed', 'A chunk stream starts without a message header.')
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
   * RTMP 1.0, 5.3.1.2. A message that starts with format 3 adds the last delta again. After format 0 the
   * delta is the timestamp itself (5.3.1.2.4), as ffmpeg and librtmp implement it.
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
        `A message of ${stream.messageBytes} bytes exceeds the limit of ${messageBytes}.`,
      )
    this.#unfinishedBytes += stream.messageBytes
    if (this.#unfinishedBytes > unfinishedBytes)
      throw new RtmpError('too_large', `Incomplete messages have more than ${unfinishedBytes} bytes.`)
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
