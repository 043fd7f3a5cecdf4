import type { PassthroughSegment, PassthroughTrack } from './plan-passthrough.ts'

/**
 * Returns the track with one key frame per segment: for each time, the last key frame presented at or before
 * it.
 *
 * `seconds` are ascending and on the common timeline. A key frame that matches several times is included
 * once.
 */
export const keyFramesAt = (track: PassthroughTrack, seconds: readonly number[]): PassthroughTrack => {
  const chosen: PassthroughSegment[] = []
  let next = 0
  let shown: PassthroughSegment | undefined
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

/** A generator, because a source may have millions of key frames of which only about a hundred are needed. */
function* keyFramesOf({ samples, segments }: PassthroughTrack): Generator<PassthroughSegment> {
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

/** Returns the times of all key frames, in seconds on the common timeline, ascending. */
export const keyFrameSeconds = (track: PassthroughTrack): number[] =>
  Array.from(keyFramesOf(track), ({ startTicks }) => startTicks / track.timescale)
