import { readExpGolomb } from '../boxes/bit-reader.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { PictureSize } from './picture-size.ts'

export type Bits = (count: number) => number

export const missingSequenceSet = (): IsobmffError =>
  new IsobmffError('malformed', 'The decoder configuration contains no sequence parameter set.')

/** ISO/IEC 14496-10, 7.4.1: the 3 in the sequence 0 0 3 keeps start codes out of the payload. */
export const withoutEmulationPrevention = (unit: Buffer): Buffer =>
  Buffer.from(unit.filter((byte, at) => !(byte === 3 && at >= 2 && unit[at - 1] === 0 && unit[at - 2] === 0)))

/** H.264 and HEVC express cropping in chroma samples. */
export const crop = (
  size: PictureSize,
  bits: Bits,
  chromaFormat: number,
  fieldFactor: number,
): PictureSize => {
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
