/** What stands before a piece of a message (RTMP 1.0, 5.3.1). Which fields are there depends on the format. */
export interface ChunkHeader {
  readonly format: 0 | 1 | 2 | 3
  readonly chunkStreamId: number
  readonly sizeBytes: number
  /** The absolute time in format 0, a delta in 1 and 2, none in 3. `extendedTimestamp` stands in its place. */
  readonly timestampField: number
  readonly messageBytes: number
  readonly messageType: number
  readonly streamId: number
}

const messageHeaderBytes = [11, 7, 3, 0] as const

/** In the place of a timestamp: it follows in four bytes behind the header (RTMP 1.0, 5.3.1.3). */
export const extendedTimestamp = 0xff_ffff

/** Reads the header at `at`; null when its end has not arrived. An extended timestamp is not part of it. */
export const readChunkHeader = (bytes: Buffer, at: number): ChunkHeader | null => {
  if (at >= bytes.length) return null
  const first = bytes[at]!
  const format = (first >> 6) as ChunkHeader['format']
  const shortId = first & 0x3f
  const basicBytes = shortId === 0 ? 2 : shortId === 1 ? 3 : 1
  const sizeBytes = basicBytes + messageHeaderBytes[format]
  if (at + sizeBytes > bytes.length) return null
  const fields = at + basicBytes
  return {
    format,
    chunkStreamId: readChunkStreamId(bytes, at, shortId),
    sizeBytes,
    timestampField: format <= 2 ? bytes.readUIntBE(fields, 3) : 0,
    messageBytes: format <= 1 ? bytes.readUIntBE(fields + 3, 3) : 0,
    messageType: format <= 1 ? bytes[fields + 6]! : 0,
    // The one little-endian field of the protocol.
    streamId: format === 0 ? bytes.readUInt32LE(fields + 7) : 0,
  }
}

/** Ids of 64 and more stand in one more byte, or in two with the low one first (RTMP 1.0, 5.3.1.1). */
const readChunkStreamId = (bytes: Buffer, at: number, shortId: number): number => {
  if (shortId === 0) return 64 + bytes[at + 1]!
  if (shortId === 1) return 64 + bytes[at + 1]! + bytes[at + 2]! * 256
  return shortId
}
