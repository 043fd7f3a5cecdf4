import { IsobmffError, type SampleRange, type SampleTable } from '@zoetrope/isobmff'

/**
 * Returns the bytes of the samples in `data`, which starts at `dataOffset` in the source. Contiguous samples
 * become one piece.
 */
export const pickSamples = (
  table: SampleTable,
  { firstSample, sampleCount }: SampleRange,
  data: Buffer,
  dataOffset: number,
): Buffer[] => {
  const pieces: Buffer[] = []
  let start = table.offsets[firstSample]!
  let end = start
  const cut = () => {
    if (start < dataOffset || end > dataOffset + data.length) {
      throw new IsobmffError('truncated', 'A sample is outside of the read bytes.')
    }
    if (end > start) pieces.push(data.subarray(start - dataOffset, end - dataOffset))
  }
  for (let index = firstSample; index < firstSample + sampleCount; index++) {
    if (table.offsets[index] !== end) {
      cut()
      start = table.offsets[index]!
      end = start
    }
    end += table.sizes[index]!
  }
  cut()
  return pieces
}
