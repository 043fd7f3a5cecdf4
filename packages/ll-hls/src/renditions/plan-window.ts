import type { LiveSegment } from '../media/live-media.ts'

export interface WindowLimits {
  /** Length of the DVR window. */
  readonly windowSeconds: number
  /** Memory limit for all renditions together. At least three target durations are always kept. */
  readonly windowBytes: number
}

export interface WindowPlan {
  /** First segment in the playlists. */
  readonly firstNumber: number
  /** First segment that is still served. */
  readonly firstKept: number
  /** First segment that stays in memory even when a store has it. */
  readonly firstInMemory: number
}

/**
 * Input of the plan. The complete segments of a rendition range from `firstKept` to the current segment,
 * exclusive.
 */
export interface WindowTrack {
  readonly firstKept: number
  /** All earlier segments are in a store. */
  readonly firstInMemory: number
  readonly currentSegment: { readonly number: number }
  readonly keptBytes: number
  readonly segment: (number: number) => Pick<LiveSegment, 'startSeconds' | 'durationSeconds'> | undefined
  readonly unstoredBytes: (number: number) => number
}

/**
 * RFC 8216bis 6.2.2: a live playlist contains at least three target durations, and segments stay available
 * for a while after they leave it.
 */
const targetsKept = 3
/** Parts of the last three target durations are listed, and players may hold a slightly older playlist. */
const targetsInMemory = 4
const roundingSeconds = 1e-6

/**
 * Plans which segments are kept. The first rendition determines segment durations. Rungs lag behind and only
 * count towards memory use.
 */
export const planWindow = (
  renditions: readonly WindowTrack[],
  rungs: readonly WindowTrack[],
  limits: WindowLimits & { readonly targetDurationSeconds: number; readonly firstStored: number },
): WindowPlan => {
  const primary = renditions[0]!
  const leastSeconds = targetsKept * limits.targetDurationSeconds
  const firstNeeded = firstWithin(renditions, leastSeconds)
  const newest = primary.segment(primary.currentSegment.number - 1)!
  const windowStart = newest.startSeconds + newest.durationSeconds - limits.windowSeconds
  const all = [...renditions, ...rungs]
  const oldest = Math.max(primary.firstKept, Math.min(limits.firstStored, firstNeeded))
  let firstKept = Math.max(oldest, firstThatFits(all, limits.windowBytes, firstNeeded))
  const isOver = ({ startSeconds, durationSeconds }: { startSeconds: number; durationSeconds: number }) =>
    startSeconds + durationSeconds <= windowStart - leastSeconds + roundingSeconds
  while (firstKept < firstNeeded && isOver(primary.segment(firstKept)!)) firstKept++
  let firstNumber = firstKept
  while (
    firstNumber < firstNeeded &&
    primary.segment(firstNumber)!.startSeconds < windowStart - roundingSeconds
  )
    firstNumber++
  const isTight = sumOf(all, ({ keptBytes }) => keptBytes) > limits.windowBytes
  const firstInMemory = isTight
    ? firstNeeded
    : firstWithin(renditions, targetsInMemory * limits.targetDurationSeconds)
  return { firstNumber, firstKept, firstInMemory }
}

/**
 * Audio is cut a frame earlier or later than video and lags slightly, so only the duration available in all
 * renditions counts.
 */
const firstWithin = (renditions: readonly WindowTrack[], leastSeconds: number): number => {
  const [primary] = renditions
  let number = primary!.currentSegment.number
  for (let seconds = 0; seconds < leastSeconds && number > primary!.firstKept;) {
    number--
    const shared = renditions.map((rendition) => rendition.segment(number)?.durationSeconds ?? 0)
    seconds += Math.min(...shared)
  }
  return number
}

/**
 * Returns the number after the newest segment that must be dropped to meet the memory limit, or 0. Dropping only helps
 * for segments that are not needed and that no store has.
 */
const firstThatFits = (
  renditions: readonly WindowTrack[],
  windowBytes: number,
  firstNeeded: number,
): number => {
  let bytes = sumOf(renditions, ({ keptBytes }) => keptBytes)
  if (bytes <= windowBytes) return 0
  const oldest = Math.min(...renditions.map(({ firstInMemory }) => firstInMemory))
  const unstoredBytes = (number: number) => sumOf(renditions, (rendition) => rendition.unstoredBytes(number))
  let first = 0
  for (let number = oldest; number < firstNeeded && bytes > windowBytes; number++) {
    const droppedBytes = unstoredBytes(number)
    if (droppedBytes > 0) first = number + 1
    bytes -= droppedBytes
  }
  return first
}

const sumOf = (renditions: readonly WindowTrack[], pick: (rendition: WindowTrack) => number): number =>
  renditions.reduce((sum, rendition) => sum + pick(rendition), 0)
