import { extendedTimestamp } from './chunk-header.ts'
import type { Message } from './message.ts'

/** Messages of ours are small: announced before the first answer, so that each goes in one chunk. */
export const writtenChunkBytes = 4_096

/** Which chunk stream each of our messages takes: control messages must take the second (RTMP 1.0, 5.4), sound and pictures have their own. */
export type OutgoingMessage = Omit<Message, 'timestamp'> & {
  readonly chunkStreamId: 2 | 3 | 4 | 5 | 6
  /** Milliseconds modulo 2³²; 0 for what belongs to no frame. */
  readonly timestamp?: number
}

/** Cuts a message into chunks: format 0, then format 3, each with the extended timestamp where there is one (RTMP 1.0, 5.3.1.3). */
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
