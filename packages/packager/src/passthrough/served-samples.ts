import type { SampleTable } from '@zoetrope/isobmff'
import type { PassthroughTrack } from './plan-passthrough.ts'

/** Returns the samples of all segments, with decode times shifted to the common timeline. */
export const servedSamples = ({ samples, segments }: PassthroughTrack): SampleTable => {
  const first = segments[0]!
  const last = segments.at(-1)!
  const start = first.firstSample
  const end = last.firstSample + last.sampleCount
  const shiftTicks = first.baseDecodeTime - samples.decodeTimes[start]!
  return {
    count: end - start,
    offsets: samples.offsets.subarray(start, end),
    sizes: samples.sizes.subarray(start, end),
    decodeTimes: samples.decodeTimes.subarray(start, end).map((ticks) => ticks + shiftTicks),
    durations: samples.durations.subarray(start, end),
    compositionOffsets: samples.compositionOffsets.subarray(start, end),
    isSync: samples.isSync.subarray(start, end),
  }
}
