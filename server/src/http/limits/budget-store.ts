import { sql } from 'kysely'
import type { Database } from '../../kernel/db/database.ts'

export type BudgetKind = 'reads' | 'writes' | 'signatures'

export interface BudgetKey {
  readonly accountId: number
  readonly caller: string
  readonly kind: BudgetKind
  /** Whole minutes since 1970: the window. */
  readonly minute: number
}

/** Takes so much of a window's budget for this process; answers how much all processes have taken with it. */
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

/** Windows that are over count for nothing; housekeeping removes them. */
export const dropOldRateLimitWindows = async (database: Database): Promise<void> => {
  await database.kysely
    .deleteFrom('rate_limit_windows')
    .where('minute', '<', Math.floor(Date.now() / 60_000) - 2)
    .execute()
}
