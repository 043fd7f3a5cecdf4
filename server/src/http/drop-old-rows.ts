import type { Database } from '../kernel/db/database.ts'
import { dropOldIdempotencyKeys } from './idempotency/idempotency-store.ts'
import { dropOldRateLimitWindows } from './limits/budget-store.ts'

/** What the conventions of the API remember for a while only. Part of the housekeeping. */
export const dropOldRows = async (
  database: Database,
  options: { readonly idempotencyHours: number },
): Promise<void> => {
  await dropOldIdempotencyKeys(database, options.idempotencyHours * 3_600_000)
  await dropOldRateLimitWindows(database)
}
