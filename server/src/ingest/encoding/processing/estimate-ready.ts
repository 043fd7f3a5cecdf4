/** Earlier estimates are unreliable: encoders start slowly and look ahead. */
const leastObservedMs = 4_000
const leastPercent = 1

/**
 * Returns a function that takes the progress of one run and estimates when it reaches 100 percent; null until
 * the speed is known. The speed includes the work of other workers on the same file and delays by other
 * files.
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
