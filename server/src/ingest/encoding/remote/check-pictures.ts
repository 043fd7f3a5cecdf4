import { readObus, obuTypes, IsobmffError, type SampleTable } from '@zoetrope/isobmff'
import type { VideoRung } from '@zoetrope/ffmpeg'
import { RefusedResult } from './refused-result.ts'

const lengthBytes = 4
/** A NAL unit can be one byte long. Real frames have about ten. */
const mostNalUnits = 4_096

/** Decoder settings are in the init segment: those in a sample could change the size of the picture. */
const isParameterSet = { h264: [7, 8], hevc: [32, 33, 34] } as const
const isSlice = { h264: [1, 5], hevc: Array.from({ length: 32 }, (_, type) => type) } as const
/** IDR pictures, after which nothing refers to earlier ones. */
const keyTypes = { h264: [5], hevc: [19, 20] } as const

const typeOf = (codec: 'h264' | 'hevc', header: number): number =>
  codec === 'h264' ? header & 0x1f : (header >> 1) & 0x3f

const checkNalUnits = (codec: 'h264' | 'hevc', sample: Buffer, isKey: boolean): void => {
  let hasSlice = false
  let count = 0
  for (let at = 0; at < sample.length;) {
    if (++count > mostNalUnits) throw new RefusedResult('A frame has too many NAL units.')
    if (sample.length - at <= lengthBytes) throw new RefusedResult('A frame ends inside a NAL unit.')
    const sizeBytes = sample.readUInt32BE(at)
    at += lengthBytes
    if (sizeBytes === 0 || sizeBytes > sample.length - at)
      throw new RefusedResult('A NAL unit is longer than its frame.')
    const type = typeOf(codec, sample[at]!)
    if ((isParameterSet[codec] as readonly number[]).includes(type))
      throw new RefusedResult('A frame contains decoder settings.')
    if ((isSlice[codec] as readonly number[]).includes(type)) {
      hasSlice = true
      if (isKey && !(keyTypes[codec] as readonly number[]).includes(type))
        throw new RefusedResult('The first frame of a segment is no key frame.')
    }
    at += sizeBytes
  }
  if (!hasSlice) throw new RefusedResult('A frame contains no picture.')
}

const checkObus = (sample: Buffer): void => {
  const hasPicture = [...readObus(sample)].some(
    ({ type }) => type === obuTypes.frame || type === obuTypes.frameHeader,
  )
  if (!hasPicture) throw new RefusedResult('A frame contains no picture.')
}

/** Checks that each frame has the outer form of its codec. Throws RefusedResult. */
export const checkPictures = (codec: VideoRung['codec'], table: SampleTable, bytes: Buffer): void => {
  for (let index = 0; index < table.count; index++) {
    const start = table.offsets[index]!
    const sample = bytes.subarray(start, start + table.sizes[index]!)
    if (codec !== 'av1') checkNalUnits(codec, sample, index === 0)
    else
      try {
        checkObus(sample)
      } catch (error) {
        if (error instanceof IsobmffError) throw new RefusedResult(`A frame cannot be read: ${error.message}`)
        throw error
      }
  }
}
