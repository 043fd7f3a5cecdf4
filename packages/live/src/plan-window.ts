import type { LiveSegment } from './live-media.ts'

export interface WindowLimits {
  /** How far back viewers may go. */
  readonly windowSeconds: number
  /** In memory, of all renditions together. Less than three target durations are never kept. */
  readonly windowBytes: number
}

export interface WindowPlan {
  /** Opens the playlists. */
  readonly firstNumber: number
  /** Segments from here on are still served. */
  readonly firstKept: number
  /** Segments from here on stay in memory, though a store has them. */
  readonly firstInMemory: number
}

/** What is planned for: a rendition's whole segments are those from `firstKept` up to the one that is being made. */
export interface WindowTrack {
  readonly firstKept: number
  /** Below, all is in a store. */
  readonly firstInMemory: number
  readonly opening: { readonly number: number }
  /** In memory. */
  readonly keptBytes: number
  readonly segment: (number: number) => Pick<LiveSegment, 'startSeconds' | 'durationSeconds'> | undefined
  /** Bytes of a segment that lie in memory, because no store has them. */
  readonly unstoredBytes: (number: number) => number
}

/** RFC 8216bis 6.2.2: a live playlist holds at least three target durations, and who has an old one finds its segments for a while. */
const targetsKept = 3
/** The parts of three are listed, and players may have a playlist of a while ago. */
const targetsInMemory = 4
/** Sums of durations are this exact. */
const roundingSeconds = 1e-6

/** What stays. The first of the renditions says how long segments last; rungs, which are behind them, only weigh. */
export const planWindow = (
  renditions: readonly WindowTrack[],
  rungs: readonly WindowTrack[],
  limits: WindowLimits & { readonly targetDurationSeconds: number; readonly firstStored: number },
): WindowPlan => {
  const primary = renditions[0]!
  const leastSeconds = targetsKept * limits.targetDurationSeconds
  const firstNeeded = firstWithin(renditions, leastSeconds)
  const newest = primary.segment(primary.opening.number - 1)!
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

/** Sound is cut a frame earlier or later than pictures, and comes a little behind: what must stay is counted by what all have. */
const firstWithin = (renditions: readonly WindowTrack[], leastSeconds: number): number => {
  const [primary] = renditions
  let number = primary!.opening.number
  for (let seconds = 0; seconds < leastSeconds && number > primary!.firstKept;) {
    number--
    const shared = renditions.map((rendition) => rendition.segment(number)?.durationSeconds ?? 0)
    seconds += Math.min(...shared)
  }
  return number
}

/** Behind the newest segment that is too much for memory. What is needed, or stored, does not become less by forgetting others. */
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
    const forgotten = unstoredBytes(number)
    if (forgotten > 0) first = number + 1
    bytes -= forgotten
  }
  return first
}

const sumOf = (renditions: readonly WindowTrack[], pick: (rendition: WindowTrack) => number): number =>
  renditions.reduce((sum, rendition) => sum + pick(rendition), 0)
