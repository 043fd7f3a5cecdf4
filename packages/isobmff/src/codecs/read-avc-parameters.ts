import { readBits, readExpGolomb } from '../boxes/bit-reader.ts'
import { Fields } from '../boxes/fields.ts'
import type { PictureSize } from './picture-size.ts'
import { crop, missingSequenceSet, withoutEmulationPrevention, type Bits } from './sequence-set.ts'

/** Facts of an H.264 sequence parameter set. The size is cropped. */
export interface AvcParameters extends PictureSize {
  /** Number of sequence parameter sets in the configuration. */
  readonly setCount: number
  /** `profile_idc`: 66 is Baseline, 77 Main, 100 High. */
  readonly profile: number
  /** `constraint_set0_flag` is the highest bit. */
  readonly constraints: number
  /** 1 is 4:2:0. */
  readonly chromaFormat: number
  readonly bitDepth: number
  /** Whether no picture is interlaced. */
  readonly isFrameCoded: boolean
  readonly hasSquarePixels: boolean
  /** Transfer characteristics of ISO/IEC 23091-2; null without any. */
  readonly transfer: number | null
}

/** Profiles whose parameter sets include chroma and scaling fields (ISO/IEC 14496-10, 7.3.2.1.1). */
const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])

const eightBit420 = { chromaFormat: 1, bitDepth: 8 }

/**
 * Reads the only sequence parameter set of an avcC body (ISO/IEC 14496-10, 7.3.2.1.1), or the first one. Throws
 * `malformed` without one.
 */
export const readAvcParameters = (configuration: Buffer): AvcParameters => {
  const { set, count } = findSet(configuration)
  if (set === undefined) throw missingSequenceSet()
  const bits = readBits(withoutEmulationPrevention(set))
  bits(8)
  const profile = bits(8)
  const constraints = bits(8)
  bits(8)
  readExpGolomb(bits)
  const { chromaFormat, bitDepth } = highProfiles.has(profile) ? readChromaAndScaling(bits) : eightBit420
  readExpGolomb(bits)
  readPictureOrder(bits)
  readExpGolomb(bits)
  bits(1)
  const widthUnits = readExpGolomb(bits) + 1
  const heightUnits = readExpGolomb(bits) + 1
  const isFrameCoded = bits(1) === 1
  if (!isFrameCoded) bits(1)
  bits(1)
  const fieldFactor = isFrameCoded ? 1 : 2
  const coded = { widthPixels: widthUnits * 16, heightPixels: heightUnits * 16 * fieldFactor }
  return {
    ...{ setCount: count, profile, constraints, chromaFormat, bitDepth, isFrameCoded },
    ...crop(coded, bits, chromaFormat, fieldFactor),
    ...readUsability(bits),
  }
}

/** ISO/IEC 14496-15, 5.3.3.1. */
const findSet = (configuration: Buffer): { set: Buffer | undefined; count: number } => {
  const fields = new Fields(configuration)
  fields.skip(5)
  const count = fields.u8() & 0x1f
  return { set: count === 0 ? undefined : fields.take(fields.u16()), count }
}

const extendedAspect = 255

/** Start of the video usability information (ISO/IEC 14496-10, E.1.1). */
const readUsability = (bits: Bits): Pick<AvcParameters, 'hasSquarePixels' | 'transfer'> => {
  if (bits(1) === 0) return { hasSquarePixels: true, transfer: null }
  let hasSquarePixels = true
  if (bits(1) === 1) {
    const aspect = bits(8)
    hasSquarePixels = aspect === extendedAspect ? bits(16) === bits(16) : aspect <= 1
  }
  const hasOverscan = bits(1) === 1
  if (hasOverscan) bits(1)
  return { hasSquarePixels, transfer: readTransfer(bits) }
}

const readTransfer = (bits: Bits): number | null => {
  const hasSignalType = bits(1) === 1
  if (!hasSignalType) return null
  bits(4)
  const hasColours = bits(1) === 1
  if (!hasColours) return null
  bits(8)
  return bits(8)
}

/** Reads from chroma_format_idc to the scaling lists (ISO/IEC 14496-10, 7.3.2.1.1). */
const readChromaAndScaling = (bits: Bits): { chromaFormat: number; bitDepth: number } => {
  const chromaFormat = readExpGolomb(bits)
  if (chromaFormat === 3) bits(1)
  const lumaBits = 8 + readExpGolomb(bits)
  const chromaBits = 8 + readExpGolomb(bits)
  bits(1)
  const hasScaling = bits(1) === 1
  for (let list = 0; hasScaling && list < (chromaFormat === 3 ? 12 : 8); list++) {
    if (bits(1) === 1) skipScalingList(bits, list < 6 ? 16 : 64)
  }
  return { chromaFormat, bitDepth: Math.max(lumaBits, chromaBits) }
}

const skipScalingList = (bits: Bits, entries: number): void => {
  let scale = 8
  for (let entry = 0; entry < entries && scale !== 0; entry++) {
    scale = (scale + readSigned(bits) + 256) % 256
  }
}

const readSigned = (bits: Bits): number => {
  const code = readExpGolomb(bits)
  return code % 2 === 1 ? (code + 1) / 2 : -code / 2
}

const readPictureOrder = (bits: Bits): void => {
  const type = readExpGolomb(bits)
  if (type === 0) readExpGolomb(bits)
  if (type !== 1) return
  bits(1)
  readExpGolomb(bits)
  readExpGolomb(bits)
  const cycle = readExpGolomb(bits)
  for (let frame = 0; frame < Math.min(cycle, 255); frame++) readExpGolomb(bits)
}
