import type { Database } from '../kernel/db/database.ts'
import { hashToken } from '../kernel/ids.ts'
import { attemptSeconds } from './sso-states.ts'

/** False where the browser came back with it before. */
export const useState = async ({ kysely }: Database, state: string, accountId: number): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await kysely
    .insertInto('used_sign_in_states')
    .values({ state_hash: hashToken(state), account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Part of the housekeeping: states of twice that age are refused by themselves, on nodes whose clocks differ too. */
export const dropUsedStates = async ({ kysely }: Database): Promise<void> => {
  await kysely
    .deleteFrom('used_sign_in_states')
    .where('used_at', '<', new Date(Date.now() - 2_000 * attemptSeconds))
    .execute()
}
