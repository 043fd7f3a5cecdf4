import type { InPlaceSegment, InPlaceTrack } from './plan-in-place.ts'

/**
 * The same track with one key frame a segment: for each of the times, which ascend and are on the common timeline, the last one that is shown
 * at or before it. What stands for several times comes once.
 */
export const keyFramesAt = (track: InPlaceTrack, seconds: readonly number[]): InPlaceTrack => {
  const chosen: InPlaceSegment[] = []
  let next = 0
  let shown: InPlaceSegment | undefined
  for (const frame of keyFramesOf(track)) {
    const first = next
    if (shown !== undefined) {
      while (next < seconds.length && seconds[next]! * track.timescale < frame.startTicks) next++
      if (next > first) chosen.push(shown)
    }
    shown = frame
  }
  if (shown !== undefined && next < seconds.length) chosen.push(shown)
  return { ...track, segments: chosen }
}

/** One after the other: a source may have millions, of which a hundred are wanted. */
function* keyFramesOf({ samples, segments }: InPlaceTrack): Generator<InPlaceSegment> {
  for (const { firstSample, sampleCount, baseDecodeTime: segmentTicks } of segments) {
    const shiftTicks = segmentTicks - samples.decodeTimes[firstSample]!
    for (let sample = firstSample; sample < firstSample + sampleCount; sample++) {
      if (samples.isSync[sample] !== 1) continue
      const baseDecodeTime = samples.decodeTimes[sample]! + shiftTicks
      yield {
        firstSample: sample,
        sampleCount: 1,
        baseDecodeTime,
        startTicks: baseDecodeTime + samples.compositionOffsets[sample]!,
        durationTicks: samples.durations[sample]!,
        sizeBytes: samples.sizes[sample]!,
      }
    }
  }
}
