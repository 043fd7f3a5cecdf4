import type { Actor } from '../../audit/record-act.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { deleteFactors } from '../store/factor-store.ts'
import { revokeOpenLinks } from '../store/revoke-open-links.ts'
import { deleteSessionsOfUser } from '../store/session-store.ts'
import { deleteIdentities } from '../store/user-identities.ts'
import type { User } from '../store/user-record.ts'
import { changeUser } from '../store/user-store.ts'

/** Deletes the user with all keys, sessions and links in the caller's transaction. */
export const deleteUser = async (tx: Tx, actor: Actor, { row }: User, deletedAt: Date): Promise<void> => {
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: deletedAt })
    .where('account_id', '=', row.account_id)
    .where('user_id', '=', row.id)
    .where('revoked_at', 'is', null)
    .execute()
  await changeUser(tx, row, { deleted_at: deletedAt })
  await deleteSessionsOfUser(tx, row)
  await revokeOpenLinks(tx, actor, { userId: row.id, email: row.email })
  await deleteIdentities(tx, row)
  await deleteFactors(tx, row)
}
