import type { InPlaceSegment, InPlaceTrack } from './plan-in-place.ts'

/**
 * The same track with one key frame a segment: for each of the times, which ascend and are on the common timeline, the last one that is shown
 * at or before it. What stands for several times comes once.
 */
export const keyFramesAt = (track: InPlaceTrack, seconds: readonly number[]): InPlaceTrack => {
  const frames = keyFramesOf(track)
  const chosen = new Set<InPlaceSegment>()
  let next = 0
  for (const time of seconds) {
    while (next + 1 < frames.length && frames[next + 1]!.startTicks <= time * track.timescale) next++
    if (frames[next] !== undefined) chosen.add(frames[next]!)
  }
  return { ...track, segments: [...chosen] }
}

const keyFramesOf = ({ samples, segments }: InPlaceTrack): InPlaceSegment[] =>
  segments.flatMap((segment) => {
    const { firstSample, sampleCount } = segment
    const shiftTicks = segment.baseDecodeTime - samples.decodeTimes[firstSample]!
    return Array.from({ length: sampleCount }, (_none, offset) => firstSample + offset)
      .filter((sample) => samples.isSync[sample] === 1)
      .map((sample) => {
        const baseDecodeTime = samples.decodeTimes[sample]! + shiftTicks
        return {
          firstSample: sample,
          sampleCount: 1,
          baseDecodeTime,
          startTicks: baseDecodeTime + samples.compositionOffsets[sample]!,
          durationTicks: samples.durations[sample]!,
          sizeBytes: samples.sizes[sample]!,
        }
      })
  })
