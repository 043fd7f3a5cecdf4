import type { Static } from 'typebox'
import { recordAct, type Actor } from '../../audit/record-act.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isUnchanged } from '../../../platform/db/is-unchanged.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { revokeOpenLinks } from '../store/revoke-open-links.ts'
import type { Caller } from '../permissions/principal.ts'
import { deleteSessionsOfUser } from '../store/session-store.ts'
import {
  toProjectRoles,
  userRecord,
  type ProjectRole,
  type updateUserSchema,
  type User,
} from '../store/user-record.ts'
import { deleteIdentities } from '../store/user-identities.ts'
import { userScopeOf } from './user-request.ts'
import { checkAdministratorRemains } from './check-administrator-remains.ts'
import { checkCanLetIn, checkMayChange, checkProjectRoles } from './user-rules.ts'
import { changeUser, findUser, replaceProjectRoles } from '../store/user-store.ts'

const hasSameRoles = (before: readonly ProjectRole[], after: readonly ProjectRole[]): boolean =>
  before.length === after.length &&
  after.every(({ projectId, role }) => before.some((one) => one.projectId === projectId && one.role === role))

/** Makes a partial change and its audit entry in the caller's transaction, under the lock of `lockCaller`. */
export const updateUser = async (
  tx: Tx,
  actor: Actor,
  caller: Caller,
  before: User,
  body: Static<typeof updateUserSchema>,
): Promise<User> => {
  const { row } = before
  const after = {
    email: body.Email?.toLowerCase() ?? row.email,
    name: body.Name === undefined ? row.name : (body.Name ?? '').trim(),
    role: body.Role ?? row.role,
    isEnabled: body.IsEnabled === undefined ? row.is_enabled : (body.IsEnabled ?? true),
    projectRoles:
      body.ProjectRoles === undefined ? before.projectRoles : toProjectRoles(body.ProjectRoles ?? []),
  }
  if (row.id === caller.userId && !after.isEnabled) throw new Problem('cannot_disable_yourself')
  await checkProjectRoles(tx, row.account_id, after.projectRoles)
  checkMayChange(caller, before, after)
  if (after.email !== row.email) checkCanLetIn(caller)
  const change = { email: after.email, name: after.name, role: after.role, is_enabled: after.isEnabled }
  if (isUnchanged(row, change) && hasSameRoles(before.projectRoles, after.projectRoles)) return before
  await changeUser(tx, row, change)
  if (!after.isEnabled) await deleteSessionsOfUser(tx, row)
  if (after.email !== row.email || after.isEnabled !== row.is_enabled)
    await revokeOpenLinks(tx, actor, { userId: row.id, email: row.email })
  // The new address may belong to another identity at the provider. Factors stay: without them, the password
  // alone would sign in, or a password link to the new address.
  if (!after.isEnabled || after.email !== row.email) await deleteIdentities(tx, row)
  if (body.ProjectRoles !== undefined)
    await replaceProjectRoles(tx, row, before.projectRoles, after.projectRoles)
  await checkAdministratorRemains(tx, before)
  const changed = await findUser(tx, userScopeOf(caller), row.id)
  await recordAct(tx, actor, {
    action: 'user.updated',
    subject: 'User',
    subjectId: row.id,
    before: userRecord(before),
    after: userRecord(changed),
  })
  return changed
}
