import type { Database } from '../db/database.ts'
import type { HousekeepingTask } from '../jobs/housekeeping.ts'
import { dropOldIdempotencyKeys } from './idempotency/idempotency-store.ts'
import { dropOldRateLimitWindows } from './limits/budget-store.ts'

export const httpHousekeeping = (
  database: Database,
  { idempotencyHours }: { readonly idempotencyHours: number },
): readonly HousekeepingTask[] => [
  () => dropOldIdempotencyKeys(database, idempotencyHours * 3_600_000),
  () => dropOldRateLimitWindows(database),
]
