import type { FastifyRequest } from 'fastify'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { deleteRecoveryCodes, isTwoFactor, readFactors, type UserKey } from '../store/factor-store.ts'
import { readSignInPolicy } from '../store/sign-in-policy.ts'

/**
 * Completes the removal of a factor: recovery codes end with the last one. Throws 'conflict', which rolls
 * back, when the account requires one.
 */
export const afterRemoval = async (
  tx: Tx,
  request: FastifyRequest,
  user: UserKey,
  removed: Readonly<Record<string, string>>,
): Promise<void> => {
  if (!isTwoFactor(await readFactors(tx, user))) {
    if ((await readSignInPolicy(tx, user.account_id)).requiresTwoFactors)
      throw new Problem('last_second_factor')
    await deleteRecoveryCodes(tx, user)
  }
  await recordAct(tx, actorOf(request), {
    action: 'factor.removed',
    subject: 'User',
    subjectId: user.id,
    before: removed,
  })
}
