/** One pair of bytes of line 21 captions in a picture (CTA-608-E). */
export type CaptionPair = readonly [first: number, second: number]

export interface ClosedCaptionData {
  /** Pairs of field 1, which contains CC1, in order. They include parity bits and no padding. */
  readonly fieldOne: readonly CaptionPair[]
  /** Whether the sample also has captions of field 2 or CTA-708. */
  readonly hasOther: boolean
}

const seiNalType = 6
const registeredUserData = 4
/** A caption message has at most 31 triplets, but the same NAL unit may contain other messages. */
const maxSeiBytes = 65_536

const none: ClosedCaptionData = { fieldOne: [], hasOther: false }

/**
 * Returns the captions in the SEI messages of an H.264 sample whose NAL lengths have four bytes (ATSC A/53
 * part 4, 6.2.3).
 */
export const readClosedCaptions = (sample: Buffer): ClosedCaptionData => {
  const fieldOne: CaptionPair[] = []
  let hasOther = false
  for (let at = 0; at + 5 <= sample.length;) {
    const end = at + 4 + sample.readUInt32BE(at)
    const payload = sample.subarray(at + 5, end)
    const isSei = ((sample[at + 4] ?? 0) & 0x1f) === seiNalType
    // Larger units may hold megabytes of other data, so they are not searched byte by byte.
    if (isSei && payload.length <= maxSeiBytes && payload.includes('GA94'))
      for (const message of userDataOf(payload)) {
        const data = readCaptionData(message)
        fieldOne.push(...data.fieldOne)
        hasOther ||= data.hasOther
      }
    at = end
  }
  return { fieldOne, hasOther }
}

/** ITU-T H.264 7.3.2.3: payload type and size are each a run of 255s and a last byte. */
const userDataOf = (nalPayload: Buffer): Buffer[] => {
  const bytes = withoutEmulationPrevention(nalPayload)
  const messages: Buffer[] = []
  let at = 0
  const readNumber = (): number => {
    let value = 0
    while (bytes[at] === 0xff) {
      value += 0xff
      at++
    }
    return value + (bytes[at++] ?? 0)
  }
  // The last byte holds the trailing bits.
  while (at < bytes.length - 1) {
    const type = readNumber()
    const size = readNumber()
    if (type === registeredUserData) messages.push(bytes.subarray(at, at + size))
    at += size
  }
  return messages
}

/** ITU-T H.264 7.4.1: a 3 after two zeros is not part of the payload. */
const withoutEmulationPrevention = (bytes: Buffer): Buffer => {
  const plain = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let zeros = 0
  for (const byte of bytes) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    plain[length++] = byte
  }
  return plain.subarray(0, length)
}

/**
 * ITU-T T.35: United States, ATSC, `GA94`, caption data. Each message begins with it, and never contains
 * emulation prevention bytes before its end.
 */
export const captionHeader = Buffer.from([0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03])

const readCaptionData = (message: Buffer): ClosedCaptionData => {
  const head = captionHeader.length
  if (!message.subarray(0, head).equals(captionHeader)) return none
  const flags = message[head] ?? 0
  const isProcessed = (flags & 0x40) !== 0
  if (!isProcessed) return none
  const fieldOne: CaptionPair[] = []
  let hasOther = false
  const count = flags & 0x1f
  for (let index = 0; index < count; index++) {
    const [marker, first, second] = message.subarray(head + 2 + 3 * index)
    if (marker === undefined || first === undefined || second === undefined) break
    const isValid = (marker & 0x04) !== 0
    const type = marker & 0x03
    if (!isValid) continue
    const isPadding = (first & 0x7f) === 0 && (second & 0x7f) === 0
    if (type === 0 && !isPadding) fieldOne.push([first, second])
    if (type >= 2 || (type === 1 && !isPadding)) hasOther = true
  }
  return { fieldOne, hasOther }
}
