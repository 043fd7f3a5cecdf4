import { readAv1Configuration } from './av1-configuration.ts'
import { readAvcParameters } from './read-avc-parameters.ts'
import { crop, missingSequenceSet, withoutEmulationPrevention, type Bits } from './sequence-set.ts'
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
  return { widthPixels: size.widthPixels, heightPixels: size.heightPixels }
}

/** Maximum of the 16-bit fields in a sample entry. */
const largestSidePixels = 0xffff

const readSetSize = (fourCC: 'avc1' | 'hvc1', configuration: Buffer): PictureSize => {
  if (fourCC === 'avc1') return readAvcParameters(configuration)
  const set = findHevcSet(configuration)
  if (set === undefined) throw missingSequenceSet()
  return readHevcSize(readBits(withoutEmulationPrevention(set)))
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
