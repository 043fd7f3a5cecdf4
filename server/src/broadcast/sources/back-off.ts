/** How long to wait before the next try: twice as long each time, up to the last; from the start again after a try that held for a while. */
export interface BackOff {
  readonly failed: () => number
  /** How long the last try held. */
  readonly held: (ms: number) => void
}

/** A connection that stood for so long was a good one. */
const goodAfterMs = 30_000

export const createBackOff = (firstMs: number, longestMs: number): BackOff => {
  let nextMs = firstMs
  return {
    failed: () => {
      const waitMs = nextMs
      nextMs = Math.min(longestMs, nextMs * 2)
      return waitMs
    },
    held: (ms) => {
      if (ms >= goodAfterMs) nextMs = firstMs
    },
  }
}
