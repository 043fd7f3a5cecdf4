import type { Database } from '../db/database.ts'
import { dropOldIdempotencyKeys } from './idempotency/idempotency-store.ts'
import { dropOldRateLimitWindows } from './limits/budget-store.ts'

/** Deletes expired rows of idempotency keys and rate limits. Part of housekeeping. */
export const dropOldRows = async (
  database: Database,
  options: { readonly idempotencyHours: number },
): Promise<void> => {
  await dropOldIdempotencyKeys(database, options.idempotencyHours * 3_600_000)
  await dropOldRateLimitWindows(database)
}
