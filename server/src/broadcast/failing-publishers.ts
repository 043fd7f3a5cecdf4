import type { LiveNote } from '../live/live-record.ts'

/** Streams whose publishers fail again and again, before anything can be shown. */
export interface FailingPublishers {
  /** What a publisher is refused with; null where it may try. */
  readonly refusalOf: (projectId: number) => string | null
  /** A broadcast is over; null where it did not fail. */
  readonly note: (projectId: number, failure: LiveNote | null) => void
}

/** An encoder that nobody watches tries again at once, for days. A person who mends it is not held up. */
const pauseSeconds = [2, 5, 15, 30, 60] as const
/** After a time without failures the first pause is the short one again. */
const forgottenMs = 300_000
/** These ends are no fault of the publisher. */
const ourCodes: ReadonlySet<string> = new Set(['closed', 'deleted', 'disabled', 'shutdown', 'stopped'])

/** `now` answers milliseconds. */
export const createFailingPublishers = (now: () => number): FailingPublishers => {
  const failing = new Map<number, { count: number; failedAtMs: number; message: string }>()
  const pauseMs = (count: number): number => pauseSeconds[Math.min(count, pauseSeconds.length) - 1]! * 1_000
  return {
    refusalOf: (projectId) => {
      const found = failing.get(projectId)
      if (found === undefined || now() - found.failedAtMs >= pauseMs(found.count)) return null
      return found.message
    },
    note: (projectId, failure) => {
      for (const [key, { failedAtMs }] of failing) if (now() - failedAtMs > forgottenMs) failing.delete(key)
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
