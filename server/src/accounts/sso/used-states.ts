import type { Database } from '../../platform/db/database.ts'
import { hashToken } from '../../platform/base/ids.ts'
import { attemptSeconds } from './sso-states.ts'

/** Marks the state as used. Returns false when it was used before. */
export const useState = async ({ kysely }: Database, state: string, accountId: number): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await kysely
    .insertInto('used_sign_in_states')
    .values({ state_hash: hashToken(state), account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * Housekeeping task: deletes states older than twice the limit; expired states are refused anyway, even on
 * nodes with different clocks.
 */
export const dropUsedStates = async ({ kysely }: Database): Promise<void> => {
  await kysely
    .deleteFrom('used_sign_in_states')
    .where('used_at', '<', new Date(Date.now() - 2_000 * attemptSeconds))
    .execute()
}
