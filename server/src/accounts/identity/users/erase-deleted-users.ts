import { eraseNames } from '../../audit/audit-store.ts'
import type { Database } from '../../../platform/db/database.ts'

/**
 * Deletes everything that identifies a deleted user when the retention time ends. Keeps the row, because keys
 * and files reference it. Part of housekeeping.
 */
export const eraseDeletedUsers = async (database: Database, retentionDays: number): Promise<void> => {
  await database.transaction(async (tx) => {
    const erased = await tx
      .updateTable('users')
      .set({ email: '', name: '', password_hash: null })
      .where('deleted_at', '<', new Date(Date.now() - retentionDays * 86_400_000))
      .where('email', '!=', '')
      .returning(['id', 'account_id'])
      .execute()
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
