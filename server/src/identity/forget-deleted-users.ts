import type { Database } from '../kernel/db/database.ts'

/**
 * Part of the housekeeping: when the retention time is over, nothing of a deleted user that tells who it was is kept. The row stays, because
 * keys and files name it.
 */
export const forgetDeletedUsers = async (database: Database, retentionDays: number): Promise<void> => {
  await database.kysely
    .updateTable('users')
    .set({ email: '', name: '', password_hash: null })
    .where('deleted_at', '<', new Date(Date.now() - retentionDays * 86_400_000))
    .where('email', '!=', '')
    .execute()
}
