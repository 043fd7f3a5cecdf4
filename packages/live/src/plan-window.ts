import type { LiveSegment } from './live-media.ts'

export interface WindowLimits {
  /** How far back viewers may go. */
  readonly windowSeconds: number
  /** Of all renditions together. Less than three target durations are never kept. */
  readonly windowBytes: number
}

type Kept = Pick<LiveSegment, 'number' | 'durationSeconds' | 'sizeBytes'>

/** RFC 8216bis 6.2.2: a live playlist holds at least three target durations, and who has an old one finds its segments for a while. */
const targetsKept = 3

/**
 * What stays: `firstNumber` opens the playlists, and segments from `firstKept` on are still served. Each list is a rendition's whole
 * segments, oldest first; the first list says how long they last.
 */
export const planWindow = (
  renditions: readonly (readonly Kept[])[],
  openBytes: number,
  limits: WindowLimits & { readonly targetDurationSeconds: number },
): { firstNumber: number; firstKept: number } => {
  const [primary = []] = renditions
  const least = targetsKept * limits.targetDurationSeconds
  const bytesOf = new Map<number, number>()
  const secondsOf = new Map<number, number[]>()
  for (const { number, sizeBytes, durationSeconds } of renditions.flat()) {
    bytesOf.set(number, (bytesOf.get(number) ?? 0) + sizeBytes)
    secondsOf.set(number, [...(secondsOf.get(number) ?? []), durationSeconds])
  }
  // Sound is cut a frame earlier or later than pictures, and comes a little behind: what must stay is counted by what all have.
  const sharedSeconds = (number: number) => {
    const seconds = secondsOf.get(number) ?? []
    return seconds.length === renditions.length ? Math.min(...seconds) : 0
  }
  const next = (primary.at(-1)?.number ?? -1) + 1
  const plan = { firstNumber: next, firstKept: next }
  let seconds = 0
  let bytes = openBytes
  let leastSeconds = 0
  for (const { number, durationSeconds } of primary.toReversed()) {
    bytes += bytesOf.get(number) ?? 0
    const isNeeded = leastSeconds < least
    const fits = bytes <= limits.windowBytes
    if (!isNeeded && !fits) break
    if (isNeeded || seconds + durationSeconds <= limits.windowSeconds) plan.firstNumber = number
    else if (seconds >= limits.windowSeconds + least) break
    plan.firstKept = number
    seconds += durationSeconds
    leastSeconds += sharedSeconds(number)
  }
  return plan
}
