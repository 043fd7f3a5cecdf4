import { ApiError } from './errors.ts'

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

const longestRetryAfterSeconds = 120

/**
 * Pauses before a request is repeated: for as long as the server asks for in `Retry-After`, otherwise for `backoffMs`.
 * Throws the error of the request if the server asks for more than two minutes.
 */
export const pauseAfter = async (error: unknown, attempt: number, signal?: AbortSignal): Promise<void> => {
  const wantedSeconds = error instanceof ApiError ? error.retryAfterSeconds : null
  if (wantedSeconds !== null && wantedSeconds > longestRetryAfterSeconds) throw error
  await pause(wantedSeconds === null ? backoffMs(attempt) : wantedSeconds * 1_000, signal)
}
