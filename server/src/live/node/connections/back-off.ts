/**
 * Returns how long to wait before the next attempt. The wait doubles up to the longest one, and starts over
 * after an attempt that held for a while.
 */
export interface BackOff {
  readonly failed: () => number
  /** Records how long the last attempt held. */
  readonly held: (ms: number) => void
}

/** A connection that lasts this long resets the back-off. */
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
