import type { SampleTable, Track } from '@zoetrope/isobmff'

/**
 * Possible segment starts: sample numbers and their media presentation times, followed by the end of the
 * served samples.
 */
export interface SegmentStarts {
  readonly samples: ArrayLike<number>
  readonly points: ArrayLike<number>
}

interface Refusal {
  readonly reason: string
}

const presentedAt = (samples: SampleTable, index: number): number =>
  samples.decodeTimes[index]! + samples.compositionOffsets[index]!

/** With a longer hidden tail, the source is presented incorrectly without its edit list. */
const toleratedTailSeconds = 0.1

/**
 * Returns the sync samples of a video track whose groups of pictures are closed. A closed group presents all of its
 * pictures before those of the next group. RFC 8216, 3: each segment can then be decoded independently.
 */
export const pictureStarts = (track: Track): SegmentStarts | Refusal => {
  const { samples, mediaStartTicks } = track
  if (samples.isSync[0] !== 1) return { reason: 'The video does not begin with a key frame.' }
  const starts: number[] = []
  const points: number[] = []
  let groupStart = presentedAt(samples, 0)
  let lastPresented = -Infinity
  let end = 0
  for (let index = 0; index < samples.count; index++) {
    const presented = presentedAt(samples, index)
    if (samples.isSync[index] === 1) {
      if (presented <= lastPresented) return openGroup
      starts.push(index)
      points.push(presented)
      groupStart = presented
    }
    if (presented < groupStart) return openGroup
    lastPresented = Math.max(lastPresented, presented)
    end = Math.max(end, presented + samples.durations[index]!)
  }
  if (points[0]! + samples.durations[0]! / 2 < mediaStartTicks) {
    return { reason: 'An edit list hides the first pictures.' }
  }
  const editEnd = mediaStartTicks + (track.trimmedDurationTicks ?? Infinity)
  if (end - editEnd > toleratedTailSeconds * track.timescale) {
    return { reason: 'An edit list hides the last pictures.' }
  }
  return { samples: [...starts, samples.count], points: [...points, end] }
}

const openGroup: Refusal = { reason: 'The video has open groups of pictures.' }

/** Enough frames before the first audible sample to prime any AAC decoder, including SBR. */
const primingFrames = 4

/**
 * Returns the audio samples that the edit list presents, plus a few earlier samples that prime the decoder.
 * Segments may start at any of them.
 */
export const audioToServe = ({ samples, mediaStartTicks, trimmedDurationTicks }: Track): SegmentStarts => {
  const editEnd = mediaStartTicks + (trimmedDurationTicks ?? Infinity)
  let first = 0
  while (first < samples.count - 1 && presentedEnd(samples, first) <= mediaStartTicks) first++
  first = Math.max(0, first - primingFrames)
  let last = samples.count - 1
  while (last > first && presentedAt(samples, last) >= editEnd) last--
  const count = last - first + 1
  // Twelve hours have two million samples, for which arrays of objects take 0.2 s.
  const starts = { samples: new Uint32Array(count + 1), points: new Float64Array(count + 1) }
  for (let index = 0; index < count; index++) {
    starts.samples[index] = first + index
    starts.points[index] = presentedAt(samples, first + index)
  }
  starts.samples[count] = last + 1
  starts.points[count] = presentedEnd(samples, last)
  return starts
}

const presentedEnd = (samples: SampleTable, index: number): number =>
  presentedAt(samples, index) + samples.durations[index]!
