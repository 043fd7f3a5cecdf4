import { readAv1Configuration } from './av1-configuration.ts'
import { readBits, readExpGolomb } from '../boxes/bit-reader.ts'
import { Fields } from '../boxes/fields.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { PictureSize } from './picture-size.ts'

/**
 * Returns the cropped picture size from a decoder configuration (avcC, hvcC or av1C body). Throws `malformed`
 * when it has no parameter set or sequence header.
 */
export const readPictureSize = (fourCC: 'avc1' | 'hvc1' | 'av01', configuration: Buffer): PictureSize => {
  const size =
    fourCC === 'av01' ? readAv1Configuration(configuration).size : readSetSize(fourCC, configuration)
  const isSize = (pixels: number) => pixels > 0 && pixels <= largestSidePixels
  if (!isSize(size.widthPixels) || !isSize(size.heightPixels))
    throw new IsobmffError(
      'malformed',
      `The picture size is invalid: ${size.widthPixels} × ${size.heightPixels} pixels.`,
    )
  return size
}

/** Maximum of the 16-bit fields in a sample entry. */
const largestSidePixels = 0xffff

const readSetSize = (fourCC: 'avc1' | 'hvc1', configuration: Buffer): PictureSize => {
  const set = fourCC === 'avc1' ? findAvcSet(configuration) : findHevcSet(configuration)
  if (set === undefined)
    throw new IsobmffError('malformed', 'The decoder configuration contains no sequence parameter set.')
  const bits = readBits(withoutEmulationPrevention(set))
  return fourCC === 'avc1' ? readAvcSize(bits) : readHevcSize(bits)
}

/** Returns the first sequence parameter set of an avcC (ISO/IEC 14496-15, 5.3.3.1). */
const findAvcSet = (configuration: Buffer): Buffer | undefined => {
  const fields = new Fields(configuration)
  fields.skip(5)
  const count = fields.u8() & 0x1f
  return count === 0 ? undefined : fields.take(fields.u16())
}

const hevcSequenceSet = 33

/** ISO/IEC 14496-15, 8.3.3.1: an hvcC has one array of NAL units per type. */
const findHevcSet = (configuration: Buffer): Buffer | undefined => {
  const fields = new Fields(configuration)
  fields.skip(22)
  for (let arrays = fields.u8(); arrays > 0; arrays--) {
    const type = fields.u8() & 0x3f
    for (let units = fields.u16(); units > 0; units--) {
      const unit = fields.take(fields.u16())
      if (type === hevcSequenceSet) return unit
    }
  }
  return undefined
}

/** ISO/IEC 14496-10, 7.4.1: the 3 in the sequence 0 0 3 keeps start codes out of the payload. */
const withoutEmulationPrevention = (unit: Buffer): Buffer =>
  Buffer.from(unit.filter((byte, at) => !(byte === 3 && at >= 2 && unit[at - 1] === 0 && unit[at - 2] === 0)))

type Bits = (count: number) => number

/** Profiles whose parameter sets include chroma and scaling fields (ISO/IEC 14496-10, 7.3.2.1.1). */
const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])

const readAvcSize = (bits: Bits): PictureSize => {
  bits(8)
  const profile = bits(8)
  bits(16)
  readExpGolomb(bits)
  const chromaFormat = highProfiles.has(profile) ? readChromaAndScaling(bits) : 1
  readExpGolomb(bits)
  readPictureOrder(bits)
  readExpGolomb(bits)
  bits(1)
  const widthUnits = readExpGolomb(bits) + 1
  const heightUnits = readExpGolomb(bits) + 1
  const isFrameCoded = bits(1)
  if (isFrameCoded === 0) bits(1)
  bits(1)
  const fieldFactor = 2 - isFrameCoded
  const size = { widthPixels: widthUnits * 16, heightPixels: heightUnits * 16 * fieldFactor }
  return crop(size, bits, chromaFormat, fieldFactor)
}

/** Reads from chroma_format_idc to the scaling lists (ISO/IEC 14496-10, 7.3.2.1.1). */
const readChromaAndScaling = (bits: Bits): number => {
  const chromaFormat = readExpGolomb(bits)
  if (chromaFormat === 3) bits(1)
  readExpGolomb(bits)
  readExpGolomb(bits)
  bits(1)
  const hasScaling = bits(1) === 1
  for (let list = 0; hasScaling && list < (chromaFormat === 3 ? 12 : 8); list++) {
    if (bits(1) === 1) skipScalingList(bits, list < 6 ? 16 : 64)
  }
  return chromaFormat
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

/** Parses a sequence parameter set of ISO/IEC 23008-2, 7.3.2.2.1 and 7.3.3. */
const readHevcSize = (bits: Bits): PictureSize => {
  bits(16)
  bits(4)
  const subLayers = bits(3)
  bits(1)
  for (let byte = 0; byte < 12; byte++) bits(8)
  const flags = Array.from({ length: subLayers }, () => ({ hasProfile: bits(1), hasLevel: bits(1) }))
  for (let layer = subLayers; subLayers > 0 && layer < 8; layer++) bits(2)
  for (const { hasProfile, hasLevel } of flags) {
    for (let byte = 0; byte < hasProfile * 11 + hasLevel; byte++) bits(8)
  }
  readExpGolomb(bits)
  const chromaFormat = readExpGolomb(bits)
  if (chromaFormat === 3) bits(1)
  const size = { widthPixels: readExpGolomb(bits), heightPixels: readExpGolomb(bits) }
  return crop(size, bits, chromaFormat, 1)
}

/** Both standards express cropping in chroma samples. */
const crop = (size: PictureSize, bits: Bits, chromaFormat: number, fieldFactor: number): PictureSize => {
  if (bits(1) === 0) return size
  const [left, right, top, bottom] = [0, 0, 0, 0].map(() => readExpGolomb(bits)) as [
    number,
    number,
    number,
    number,
  ]
  const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1
  const unitY = (chromaFormat === 1 ? 2 : 1) * fieldFactor
  return {
    widthPixels: size.widthPixels - (left + right) * unitX,
    heightPixels: size.heightPixels - (top + bottom) * unitY,
  }
}
