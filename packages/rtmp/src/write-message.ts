import type { Message } from './message.ts'

/** Messages of ours are small: announced before the first answer, so that each goes in one chunk. */
export const writtenChunkBytes = 4_096

/** Which chunk stream each of our messages takes; control messages must take the second (RTMP 1.0, 5.4). */
export type OutgoingMessage = Omit<Message, 'timestamp'> & { readonly chunkStreamId: 2 | 3 | 5 }

/** Cuts a message into chunks: format 0, then format 3. Its time is 0: what we say belongs to no frame. */
export const writeMessage = ({ chunkStreamId, type, streamId, payload }: OutgoingMessage): Buffer => {
  const header = Buffer.alloc(12)
  header.writeUInt8(chunkStreamId)
  header.writeUIntBE(payload.length, 4, 3)
  header.writeUInt8(type, 7)
  header.writeUInt32LE(streamId, 8)
  const pieces = [header, payload.subarray(0, writtenChunkBytes)]
  for (let at = writtenChunkBytes; at < payload.length; at += writtenChunkBytes)
    pieces.push(Buffer.of(0xc0 | chunkStreamId), payload.subarray(at, at + writtenChunkBytes))
  return Buffer.concat(pieces)
}
