import type { SampleRange, SampleTable } from '@zoetrope/isobmff'

/** A byte range of the source that covers several samples. */
export interface PlannedRead extends SampleRange {
  readonly startOffset: number
  readonly endOffset: number
}

/**
 * Samples of other tracks lie in between. Reading up to this many extra bytes costs less than a second read.
 */
const readOverBytes = 64 * 1024

export const planReads = (samples: SampleTable, { firstSample, sampleCount }: SampleRange): PlannedRead[] => {
  const reads: PlannedRead[] = []
  let read: { -readonly [Key in keyof PlannedRead]: PlannedRead[Key] } | undefined
  for (let index = firstSample; index < firstSample + sampleCount; index++) {
    const startOffset = samples.offsets[index]!
    const endOffset = startOffset + samples.sizes[index]!
    if (read && startOffset >= read.startOffset && startOffset - read.endOffset <= readOverBytes) {
      read.endOffset = Math.max(read.endOffset, endOffset)
      read.sampleCount++
    } else {
      read = { firstSample: index, sampleCount: 1, startOffset, endOffset }
      reads.push(read)
    }
  }
  return reads
}

export const readBytesOf = (reads: readonly PlannedRead[]): number =>
  reads.reduce((sum, { startOffset, endOffset }) => sum + endOffset - startOffset, 0)
