/** Header of a chunk (RTMP 1.0, 5.3.1). The format determines which fields are present. */
export interface ChunkHeader {
  readonly format: 0 | 1 | 2 | 3
  readonly chunkStreamId: number
  readonly sizeBytes: number
  /**
   * Absolute time in format 0, a delta in formats 1 and 2, absent in format 3. May be `extendedTimestamp`.
   */
  readonly timestampField: number
  readonly messageBytes: number
  readonly messageType: number
  readonly streamId: number
}

const messageHeaderBytes = [11, 7, 3, 0] as const

/** Marks an extended timestamp, whose four bytes follow the header (RTMP 1.0, 5.3.1.3). */
export const extendedTimestamp = 0xff_ffff

/** Reads the header at `at`, without the extended timestamp. Returns null when the header is incomplete. */
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
    // RTMP's only little-endian field.
    streamId: format === 0 ? bytes.readUInt32LE(fields + 7) : 0,
  }
}

/** RTMP 1.0, 5.3.1.1: ids from 64 use one more byte, or two in little-endian order. */
const readChunkStreamId = (bytes: Buffer, at: number, shortId: number): number => {
  if (shortId === 0) return 64 + bytes[at + 1]!
  if (shortId === 1) return 64 + bytes[at + 1]! + bytes[at + 2]! * 256
  return shortId
}
