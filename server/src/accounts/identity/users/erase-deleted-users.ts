import { sql } from 'kysely'
import { eraseNames } from '../../audit/audit-store.ts'
import type { Database } from '../../../platform/db/database.ts'

/**
 * Deletes everything that identifies a deleted user when the retention time ends. Keeps the row, because keys
 * and files reference it. Part of housekeeping.
 */
export const eraseDeletedUsers = async (database: Database, retentionDays: number): Promise<void> => {
  await database.transaction(async (tx) => {
    const deletedBefore = new Date(Date.now() - retentionDays * 86_400_000)
    // Workers may not update users: migration 0075 says why.
    const { rows: erased } = await sql<{ id: number; account_id: number }>`
      select id, account_id from erase_deleted_users(${deletedBefore})`.execute(tx)
    for (const [accountId, users] of Map.groupBy(erased, ({ account_id }) => account_id)) {
      const ids = users.map(({ id }) => id)
      await tx
        .deleteFrom('invitations')
        .where('account_id', '=', accountId)
        .where('user_id', 'in', ids)
        .execute()
      await eraseNames(tx, accountId, ids)
    }
  })
}
