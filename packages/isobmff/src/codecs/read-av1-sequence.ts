import { readBits, readExpGolomb } from '../boxes/bit-reader.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { PictureSize } from './picture-size.ts'

export interface Av1Sequence {
  readonly profile: number
  /** Level of the first operating point, which includes all layers. */
  readonly level: number
  readonly tier: number
  readonly color: Av1Color
  readonly size: PictureSize
}

export interface Av1Color {
  readonly bitDepth: 8 | 10 | 12
  readonly isMonochrome: boolean
  readonly subsamplingX: number
  readonly subsamplingY: number
  readonly chromaSamplePosition: number
  /** Primaries, transfer and matrix (ISO/IEC 23091-2); null when unspecified. */
  readonly description: readonly [primaries: number, transfer: number, matrix: number] | null
  readonly isFullRange: boolean
}

type Bits = (count: number) => number

/** Parses the payload of a sequence header OBU (AV1 5.5.1). Throws `malformed` when it ends early. */
export const readAv1Sequence = (payload: Buffer): Av1Sequence => {
  const reader = readBits(payload)
  let takenBits = 0
  const bits: Bits = (count) => {
    takenBits += count
    return reader(count)
  }
  const sequence = readSequence(bits)
  if (takenBits > payload.length * 8)
    throw new IsobmffError('malformed', 'An AV1 sequence header is shorter than its fields.')
  return sequence
}

const readSequence = (bits: Bits): Av1Sequence => {
  const profile = bits(3)
  bits(1)
  const isReduced = bits(1) === 1
  const { level, tier } = isReduced ? { level: bits(5), tier: 0 } : readOperatingPoints(bits)
  const size = readSize(bits)
  if (!isReduced && bits(1) === 1) bits(7)
  bits(3)
  if (!isReduced) skipTools(bits)
  bits(3)
  return { profile, level, tier, color: readColor(bits, profile), size }
}

const readOperatingPoints = (bits: Bits): { level: number; tier: number } => {
  const delayBits = bits(1) === 1 ? readTiming(bits) : 0
  const hasDisplayDelays = bits(1) === 1
  const count = bits(5) + 1
  let first: { level: number; tier: number } | undefined
  for (let index = 0; index < count; index++) {
    bits(12)
    const level = bits(5)
    const tier = level > highestUntieredLevel ? bits(1) : 0
    if (delayBits > 0 && bits(1) === 1) {
      bits(delayBits)
      bits(delayBits)
      bits(1)
    }
    if (hasDisplayDelays && bits(1) === 1) bits(4)
    first ??= { level, tier }
  }
  return first!
}

/** Level 3.3. Levels below 4.0 have no tier. */
const highestUntieredLevel = 7

/** AV1 5.5.3 and 5.5.4: returns the bit length of the buffer delays, or 0 when there are none. */
const readTiming = (bits: Bits): number => {
  bits(32)
  bits(32)
  if (bits(1) === 1) readExpGolomb(bits)
  if (bits(1) === 0) return 0
  const delayBits = bits(5) + 1
  bits(32)
  bits(10)
  return delayBits
}

const readSize = (bits: Bits): PictureSize => {
  const widthBits = bits(4) + 1
  const heightBits = bits(4) + 1
  return { widthPixels: bits(widthBits) + 1, heightPixels: bits(heightBits) + 1 }
}

/** Skips the fields from enable_interintra_compound to the order hint. */
const skipTools = (bits: Bits): void => {
  bits(4)
  const hasOrderHint = bits(1) === 1
  if (hasOrderHint) bits(2)
  const choosesScreenContent = bits(1) === 1
  const hasScreenContent = choosesScreenContent || bits(1) === 1
  const choosesIntegerVectors = !hasScreenContent || bits(1) === 1
  if (!choosesIntegerVectors) bits(1)
  if (hasOrderHint) bits(3)
}

const srgb = '1 13 0'

/** Parses color_config (AV1 5.5.2). */
const readColor = (bits: Bits, profile: number): Av1Color => {
  const hasMoreThan8Bits = bits(1) === 1
  const hasTwelveBits = profile === 2 && hasMoreThan8Bits && bits(1) === 1
  const bitDepth = hasTwelveBits ? 12 : hasMoreThan8Bits ? 10 : 8
  const isMonochrome = profile !== 1 && bits(1) === 1
  const description = bits(1) === 1 ? ([bits(8), bits(8), bits(8)] as const) : null
  const base = { bitDepth, isMonochrome, description, chromaSamplePosition: 0 } as const
  if (isMonochrome) return { ...base, subsamplingX: 1, subsamplingY: 1, isFullRange: bits(1) === 1 }
  if (description?.join(' ') === srgb) return { ...base, subsamplingX: 0, subsamplingY: 0, isFullRange: true }
  const isFullRange = bits(1) === 1
  const [subsamplingX, subsamplingY] = readSubsampling(bits, profile, bitDepth)
  const chromaSamplePosition = subsamplingX === 1 && subsamplingY === 1 ? bits(2) : 0
  return { ...base, subsamplingX, subsamplingY, isFullRange, chromaSamplePosition }
}

const readSubsampling = (bits: Bits, profile: number, bitDepth: number): readonly [number, number] => {
  if (profile === 0) return [1, 1]
  if (profile === 1) return [0, 0]
  if (bitDepth !== 12) return [1, 0]
  const x = bits(1)
  return [x, x === 1 ? bits(1) : 0]
}
