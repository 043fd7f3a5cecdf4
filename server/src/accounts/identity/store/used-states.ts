import type { Queryable } from '../../../platform/db/database.ts'
import { hashToken } from '../../../platform/base/ids.ts'

/** No state or challenge is accepted for longer than ten minutes, even on nodes with different clocks. */
const keptMs = 1_200_000

/**
 * Marks the state of a sign-in by a provider, or the challenge of a passkey, as used. Returns false when it
 * was used before.
 */
export const useState = async (queryable: Queryable, state: string, accountId: number): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await queryable
    .insertInto('used_sign_in_states')
    .values({ state_hash: hashToken(state), account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Part of housekeeping. */
export const dropUsedStates = async (queryable: Queryable): Promise<void> => {
  await queryable
    .deleteFrom('used_sign_in_states')
    .where('used_at', '<', new Date(Date.now() - keptMs))
    .execute()
}
