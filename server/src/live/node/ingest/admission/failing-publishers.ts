import type { LiveReason } from '../../../control/api/live-reason.ts'

/** Streams whose publishers fail repeatedly before viewers can see anything. */
export interface FailingPublishers {
  /** Returns the message of the refusal, or null when the publisher may try. */
  readonly refusalOf: (projectId: number) => string | null
  /** Records the end of a broadcast; `failure` is null when it did not fail. */
  readonly record: (projectId: number, failure: LiveReason | null) => void
}

/**
 * An unattended encoder retries at once, for days. The first pauses are short, so that they do not delay a
 * person who fixes it.
 */
const pauseSeconds = [2, 5, 15, 30, 60] as const
/** After this time without failures, the pauses start short again. */
const expiryMs = 300_000
/** Ends that the publisher did not cause. */
const ourCodes: ReadonlySet<string> = new Set(['closed', 'deleted', 'disabled', 'shutdown', 'stopped'])

/** `now` returns milliseconds. */
export const createFailingPublishers = (now: () => number): FailingPublishers => {
  const failing = new Map<number, { count: number; failedAtMs: number; message: string }>()
  const pauseMs = (count: number): number => pauseSeconds[Math.min(count, pauseSeconds.length) - 1]! * 1_000
  return {
    refusalOf: (projectId) => {
      const found = failing.get(projectId)
      if (found === undefined || now() - found.failedAtMs >= pauseMs(found.count)) return null
      return found.message
    },
    record: (projectId, failure) => {
      for (const [key, { failedAtMs }] of failing) if (now() - failedAtMs > expiryMs) failing.delete(key)
      if (failure === null) failing.delete(projectId)
      else if (!ourCodes.has(failure.code))
        failing.set(projectId, {
          count: (failing.get(projectId)?.count ?? 0) + 1,
          failedAtMs: now(),
          message: failure.message,
        })
    },
  }
}
