const firstPauseMs = 500
const longestPauseMs = 8_000

/**
 * Returns a pause that doubles from 0.5 s to 8 s, with jitter so that clients do not return at once. `attempt`
 * starts at 0.
 */
export const backoffMs = (attempt: number): number =>
  Math.min(firstPauseMs * 2 ** attempt, longestPauseMs) * (0.75 + Math.random() / 2)

/** Settles like `work`, or rejects with the reason of the signal when it aborts before. */
export const unlessAborted = <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason)
    if (signal?.aborted === true) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort))
  })

/** Resolves after the pause, or rejects with the reason of the signal when it aborts. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
