import { Counter } from 'prom-client'
import { hasBudgetLeft } from '../../library/files/on-demand/encoding-budget.ts'
import { Problem } from '../../platform/base/problem.ts'
import type { Database } from '../../platform/db/database.ts'
import { nothing } from '../access/find-playout.ts'

const refusals = new Counter({
  name: 'zoetrope_ondemand_refusals_total',
  help: 'Requests for a segment that was not encoded because of a limit.',
  labelNames: ['limit'],
})

/** Counts the refusal and returns its answer, 429. */
export const refused = (limit: 'address' | 'download', retryAfterSeconds: number): Problem => {
  refusals.inc({ limit })
  return new Problem(
    'too_many_segments_to_encode',
    {},
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  )
}

/** Throws 'not_found' when nothing more is encoded for the project today. */
export const checkBudget = async (
  database: Database,
  projectId: number,
  secondsPerDay: number,
  hasLeft: typeof hasBudgetLeft = hasBudgetLeft,
): Promise<void> => {
  if (await hasLeft(database, projectId, secondsPerDay)) return
  refusals.inc({ limit: 'day' })
  throw nothing()
}
