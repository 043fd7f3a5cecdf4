import { recordAct, type Actor } from '../../audit/record-act.ts'
import type { Tx } from '../../../platform/db/database.ts'

/**
 * Revokes the links of a user and those to an address. This happens when a newer link exists, or when
 * address, password or state of the user change: the holder of an old link must not get in. Runs in the
 * transaction of the change, under the lock of the account.
 */
export const revokeOpenLinks = async (
  tx: Tx,
  actor: Actor,
  of: { readonly userId: number | null; readonly email: string },
): Promise<void> => {
  const revoked = await tx
    .updateTable('invitations')
    .set({ revoked_at: new Date() })
    .where('account_id', '=', actor.accountId)
    .where((where) => where.or([where('email', '=', of.email), where('user_id', '=', of.userId ?? 0)]))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  for (const { id } of revoked)
    await recordAct(tx, actor, { action: 'invitation.revoked', subject: 'Invitation', subjectId: id })
}
