/** Before that a speed is a guess: encoders begin slowly and look ahead. */
const leastObservedMs = 4_000
const leastPercent = 1

/**
 * Follows the progress of one run and says when 100 percent will be reached at the speed that it has had; null as long as nobody knows. What other
 * workers do of the same file counts, and so does what other files take of their time.
 */
export const createReadyEstimate = (): ((percent: number, nowMs: number) => Date | null) => {
  let first: { readonly percent: number; readonly ms: number } | null = null
  return (percent, nowMs) => {
    first ??= { percent, ms: nowMs }
    const observedMs = nowMs - first.ms
    const gained = percent - first.percent
    if (observedMs < leastObservedMs || gained < leastPercent) return null
    return new Date(nowMs + (observedMs * Math.max(0, 100 - percent)) / gained)
  }
}
