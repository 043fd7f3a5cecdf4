import { canBeCut, framesPerSecond, type FrameRate, type MediaPlan, type Probe } from '@zoetrope/ffmpeg'

export interface SegmentFrames {
  /** First frame of each segment. */
  readonly startFrames: readonly number[]
  /** In frames; the source may have a few frames more or less. */
  readonly endFrame: number
}

/** Segments of rungs that are encoded on demand. */
export interface SegmentGrid extends SegmentFrames {
  /** Whether no frame of the source depends on one before its key frame, as passthrough requires. */
  readonly hasClosedGroups: boolean
  /** Segments that begin within a group of pictures of the source, where all others begin at a key frame. */
  readonly withinGroup: readonly number[]
}

/** What viewers of the file play already: the source, or the first rung. */
export interface PlayedVideo {
  /** Rungs begin a segment where it does, so players can change there, unless the segment before would be short. */
  readonly segmentStartSeconds: readonly number[]
  readonly endSeconds: number
  /** Of a source that plays by passthrough, as far as they are known; null for an encoded rung. */
  readonly keyFrameSeconds: readonly number[] | null
}

/** A viewer waits for a whole segment, so those on demand are shorter than others. */
const targetSeconds = 2
/** A group of pictures of two seconds may have a few frames more. */
const longestRatio = 1.05
const shortestRatio = 0.5
/** Rate control may begin each segment with a full buffer, so a shorter segment has a much higher peak than others. */
const leastPlayedRatio = 0.75

/**
 * Returns where the next segment after `at` begins: at a key frame near the end of an equal part, or else within a
 * group of pictures. Null when the rest is one segment.
 */
const nextStart = (
  at: number,
  end: number,
  { targetFrames, keyFrames }: { readonly targetFrames: number; readonly keyFrames: readonly number[] },
): number | null => {
  if (end - at <= longestRatio * targetFrames) return null
  const ideal = Math.round(at + (end - at) / Math.ceil((end - at) / targetFrames))
  const least = shortestRatio * targetFrames
  const near = keyFrames
    .filter((key) => key >= at + least && key <= at + longestRatio * targetFrames && key <= end - least)
    .toSorted((a, b) => Math.abs(a - ideal) - Math.abs(b - ideal))
  return near[0] ?? ideal
}

/** Leaves out the ends of short segments, such as the first second of an encoded rung. */
const boundsOf = (playedStarts: readonly number[], endFrame: number, leastFrames: number): number[] => {
  const bounds = [0]
  for (const frame of playedStarts)
    if (frame < endFrame && frame - bounds.at(-1)! >= leastFrames) bounds.push(frame)
  return bounds
}

/**
 * Returns the segments of rungs: those of the video that plays already, divided into about two seconds. Null when the
 * source cannot be read from the middle. Pure.
 */
export const planSegmentGrid = (
  probe: Probe,
  { frameRate }: Pick<MediaPlan, 'frameRate'>,
  played: PlayedVideo,
): SegmentGrid | null => {
  if (frameRate === null || probe.video === null || probe.video.isSparse || !canBeCut(probe)) return null
  const rate = framesPerSecond(frameRate)
  const framesOf = (seconds: readonly number[]): number[] => [
    ...new Set(seconds.map((one) => Math.round(one * rate))),
  ]
  const endFrame = Math.round(played.endSeconds * rate)
  if (endFrame <= 0) return null
  const leastFrames = leastPlayedRatio * targetSeconds * rate
  const bounds = boundsOf(framesOf(played.segmentStartSeconds), endFrame, leastFrames)
  const keyFrames = framesOf(played.keyFrameSeconds ?? [])
  const startFrames: number[] = []
  const withinGroup: number[] = []
  let firstKey = 0
  for (const [index, start] of bounds.entries()) {
    const end = bounds[index + 1] ?? endFrame
    while (firstKey < keyFrames.length && keyFrames[firstKey]! <= start) firstKey += 1
    const keys = keysBefore(keyFrames, firstKey, end)
    startFrames.push(start)
    const within = { targetFrames: targetSeconds * rate, keyFrames: keys }
    for (let at = nextStart(start, end, within); at !== null; at = nextStart(at, end, within)) {
      if (!keys.includes(at)) withinGroup.push(startFrames.length)
      startFrames.push(at)
    }
  }
  return { startFrames, endFrame, hasClosedGroups: played.keyFrameSeconds !== null, withinGroup }
}

const keysBefore = (keyFrames: readonly number[], first: number, end: number): readonly number[] => {
  let last = first
  while (last < keyFrames.length && keyFrames[last]! < end) last += 1
  return keyFrames.slice(first, last)
}

/** Frames that are decoded before a segment of a source whose groups may be open: two seconds, and half a long group. */
const preRollSeconds = 4

/** Returns the largest number of frames that an encoder decodes for one segment. Pure. */
export const mostDecodedFrames = (
  { startFrames, endFrame, hasClosedGroups, withinGroup }: SegmentGrid,
  frameRate: FrameRate,
): number => {
  const preRollFrames = hasClosedGroups ? 0 : preRollSeconds * framesPerSecond(frameRate)
  const inside = new Set(withinGroup)
  let keyFrame = 0
  let most = 0
  for (const [number, start] of startFrames.entries()) {
    if (!inside.has(number)) keyFrame = start
    const from = hasClosedGroups ? keyFrame : start
    most = Math.max(most, (startFrames[number + 1] ?? endFrame) - from)
  }
  return most + preRollFrames
}
