import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { BudgetKind } from '../requests/authenticate.ts'

export interface BudgetKey {
  readonly accountId: number
  readonly caller: string
  readonly kind: BudgetKind
  /** The window, in whole minutes since the Unix epoch. */
  readonly minute: number
}

/**
 * Takes `amount` of a window's budget for this process. Returns the total that all processes have taken,
 * including it.
 */
export type TakeFromBudget = (key: BudgetKey, amount: number) => Promise<number>

export const createBudgetStore =
  (database: Database): TakeFromBudget =>
  async ({ accountId, caller, kind, minute }, amount) => {
    const { rows } = await sql<{ taken: number }>`
      insert into rate_limit_windows as w (account_id, caller, kind, minute, taken)
      values (${accountId}, ${caller}, ${kind}, ${minute}, ${amount})
      on conflict (account_id, caller, kind, minute) do update set taken = w.taken + excluded.taken
      returning taken`.execute(database.kysely)
    return rows[0]?.taken ?? 0
  }

/** Past windows no longer count; housekeeping removes them. */
export const dropOldRateLimitWindows = async (database: Database): Promise<void> => {
  await database.kysely
    .deleteFrom('rate_limit_windows')
    .where('minute', '<', Math.floor(Date.now() / 60_000) - 2)
    .execute()
}
