import type { Database } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { takeAttempt, undoAttempt, type AttemptBuckets } from './sign-in-attempts.ts'

export const tooManyAttempts = (seconds: number): Problem =>
  new Problem('too_many_attempts', { seconds }, { headers: { 'Retry-After': String(seconds) } })

/** Throws 'rate_limited' when the caller must wait. */
export const requireAttempt = async (database: Database, buckets: AttemptBuckets): Promise<void> => {
  const seconds = await takeAttempt(database, buckets, new Date())
  if (seconds > 0) throw tooManyAttempts(seconds)
}

/**
 * Runs the work of an attempt. When too many others wait for a place, gives the attempt back, because the
 * user did not cause that.
 */
export const unlessBusy = async <T>(
  database: Database,
  buckets: AttemptBuckets,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.code === 'unavailable')
      await database.transaction((tx) => undoAttempt(tx, buckets))
    throw error
  }
}
