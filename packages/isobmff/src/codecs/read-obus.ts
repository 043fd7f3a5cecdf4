import { IsobmffError } from '../boxes/isobmff-error.ts'

/**
 * A unit of an AV1 bitstream (AV1 5.3). `bytes` is the whole unit; `payload` excludes the header and the size
 * field.
 */
export interface Obu {
  readonly type: number
  readonly bytes: Buffer
  readonly payload: Buffer
}

/** OBU types of AV1 6.2.2. */
export const obuTypes = {
  sequenceHeader: 1,
  temporalDelimiter: 2,
  frameHeader: 3,
  frame: 6,
  tileList: 8,
  padding: 15,
} as const

const longestLengthBytes = 8
/**
 * Real samples have about ten. An OBU can be two bytes long, so one malicious sample could otherwise exhaust
 * memory.
 */
const mostObus = 4_096

/**
 * Returns the OBUs of a sample or an av1C. The last one may omit its size and then extends to the end. Throws
 * `malformed`.
 */
export const readObus = (bytes: Buffer): Obu[] => {
  const obus: Obu[] = []
  for (let at = 0; at < bytes.length;) {
    if (obus.length === mostObus)
      throw new IsobmffError('malformed', `A sample contains more than ${mostObus} OBUs.`)
    const header = bytes[at]!
    if ((header & 0x80) !== 0)
      throw new IsobmffError('malformed', 'The forbidden bit of an OBU header is set.')
    const headBytes = (header & 0x04) === 0 ? 1 : 2
    const hasLength = (header & 0x02) !== 0
    const length = hasLength
      ? readLength(bytes, at + headBytes)
      : { value: bytes.length - at - headBytes, bytes: 0 }
    const payloadAt = at + headBytes + length.bytes
    const endsAt = payloadAt + length.value
    if (length.value < 0 || endsAt > bytes.length)
      throw new IsobmffError(
        'malformed',
        `An OBU claims ${length.value} bytes (remaining: ${bytes.length - payloadAt}).`,
      )
    obus.push({
      type: (header >> 3) & 0x0f,
      bytes: bytes.subarray(at, endsAt),
      payload: bytes.subarray(payloadAt, endsAt),
    })
    at = endsAt
  }
  return obus
}

/** LEB128 of AV1 4.10.5: seven bits per byte, least significant first. */
const readLength = (buffer: Buffer, at: number): { value: number; bytes: number } => {
  let value = 0
  for (let index = 0; index < longestLengthBytes; index++) {
    const byte = buffer[at + index]
    if (byte === undefined) break
    value += (byte & 0x7f) * 2 ** (7 * index)
    if ((byte & 0x80) === 0) return { value, bytes: index + 1 }
  }
  throw new IsobmffError('malformed', 'The length field of an OBU is too long.')
}
