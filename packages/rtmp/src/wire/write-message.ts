import { extendedTimestamp } from './chunk-header.ts'
import type { Message } from './message.ts'

/** Larger than most of our messages, so that each fits in one chunk. Announced before the first answer. */
export const writtenChunkBytes = 4_096

/**
 * A message to send, with its chunk stream. Control messages must use chunk stream 2 (RTMP 1.0, 5.4). Audio
 * and video have their own.
 */
export type OutgoingMessage = Omit<Message, 'timestamp'> & {
  readonly chunkStreamId: 2 | 3 | 4 | 5 | 6
  /** Milliseconds modulo 2³². Defaults to 0 for messages that are not frames. */
  readonly timestamp?: number
}

/**
 * Splits a message into a chunk of format 0 and chunks of format 3. Each repeats the extended timestamp, if
 * any (RTMP 1.0, 5.3.1.3).
 */
export const writeMessage = (message: OutgoingMessage): Buffer => {
  const { chunkStreamId, type, streamId, payload, timestamp = 0 } = message
  const isExtended = timestamp >= extendedTimestamp
  const extension = Buffer.alloc(isExtended ? 4 : 0)
  if (isExtended) extension.writeUInt32BE(timestamp)
  const header = Buffer.alloc(12)
  header.writeUInt8(chunkStreamId)
  header.writeUIntBE(Math.min(timestamp, extendedTimestamp), 1, 3)
  header.writeUIntBE(payload.length, 4, 3)
  header.writeUInt8(type, 7)
  header.writeUInt32LE(streamId, 8)
  const pieces = [header, extension, payload.subarray(0, writtenChunkBytes)]
  for (let at = writtenChunkBytes; at < payload.length; at += writtenChunkBytes)
    pieces.push(Buffer.of(0xc0 | chunkStreamId), extension, payload.subarray(at, at + writtenChunkBytes))
  return Buffer.concat(pieces)
}
