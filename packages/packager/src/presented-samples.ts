import type { SampleTable, Track } from '@zoetrope/isobmff'

/** Where segments may begin: sample numbers and their media presentation times, and last the end of what is served. */
export interface SegmentStarts {
  readonly samples: readonly number[]
  readonly points: readonly number[]
}

interface Refusal {
  readonly reason: string
}

const presentedAt = (samples: SampleTable, index: number): number =>
  samples.decodeTimes[index]! + samples.compositionOffsets[index]!

/** More hidden pictures than this at the end, and the source is shown wrong without its edit list. */
const toleratedTailSeconds = 0.1

/**
 * The sync samples of a video track, if each of its groups of pictures stands alone: it presents all of its pictures
 * before those of the next. RFC 8216, 3: any segment can then be decoded without others.
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

/** As many frames before the first sound are enough to prime any AAC decoder, SBR included. */
const primingFrames = 4

/**
 * The samples of an audio track that its edit list presents, and a few before them that prime the decoder. A segment
 * may begin with any.
 */
export const audioToServe = ({ samples, mediaStartTicks, trimmedDurationTicks }: Track): SegmentStarts => {
  const editEnd = mediaStartTicks + (trimmedDurationTicks ?? Infinity)
  let first = 0
  while (first < samples.count - 1 && presentedEnd(samples, first) <= mediaStartTicks) first++
  first = Math.max(0, first - primingFrames)
  let last = samples.count - 1
  while (last > first && presentedAt(samples, last) >= editEnd) last--
  const served = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return {
    samples: [...served, last + 1],
    points: [...served.map((index) => presentedAt(samples, index)), presentedEnd(samples, last)],
  }
}

const presentedEnd = (samples: SampleTable, index: number): number =>
  presentedAt(samples, index) + samples.durations[index]!
