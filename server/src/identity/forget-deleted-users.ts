import { forgetChanges } from '../audit/audit-store.ts'
import type { Database } from '../kernel/db/database.ts'

/**
 * Part of the housekeeping: when the retention time is over, nothing of a deleted user that tells who it was is kept. The row stays, because
 * keys and files name it.
 */
export const forgetDeletedUsers = async (database: Database, retentionDays: number): Promise<void> => {
  await database.transaction(async (tx) => {
    const forgotten = await tx
      .updateTable('users')
      .set({ email: '', name: '', password_hash: null })
      .where('deleted_at', '<', new Date(Date.now() - retentionDays * 86_400_000))
      .where('email', '!=', '')
      .returning('id')
      .execute()
    const ids = [...forgotten.map(({ id }) => id), 0]
    const invitations = await tx
      .deleteFrom('invitations')
      .where('user_id', 'in', ids)
      .returning('id')
      .execute()
    await forgetChanges(tx, 'User', ids)
    await forgetChanges(
      tx,
      'Invitation',
      invitations.map(({ id }) => id),
    )
  })
}
