import type { FastifyRequest } from 'fastify'
import { recordAct, type Actor } from '../../audit/record-act.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { readLiveKey } from '../authentication/live-key.ts'
import { toCaller, type Caller } from '../permissions/principal.ts'
import { deleteSessionsOfUser } from '../store/session-store.ts'
import { userRecord, type User } from '../store/user-record.ts'
import { checkIsUnrestricted, checkMayHandOut, emailConflict, standingOf } from '../users/user-rules.ts'
import { changeUser, findUser, insertUser, replaceProjectRoles } from '../store/user-store.ts'
import type { InvitationRow } from './invitation-record.ts'
import { changeInvitation, lockPendingInvitation } from './invitation-store.ts'
import { revokeOpenLinks } from '../store/revoke-open-links.ts'

export const invitationIsVoid = (): Problem => new Problem('invitation_link_invalid')

const callerOf = (user: User): Caller => {
  const { role, projectRoles } = standingOf(user)
  return toCaller({
    accountId: user.row.account_id,
    userId: user.row.id,
    apiKeyId: null,
    sessionId: null,
    role,
    projectRoles: Object.fromEntries(projectRoles.map((one) => [one.projectId, one.role])),
    scopes: ['*'],
    projectIds: projectRoles.some((one) => one.role === 'None') ? [] : null,
    expiresAt: null,
    networks: null,
  })
}

/**
 * Returns the creator of the link with the rights of the key used. Throws a problem when the user or the key
 * is no longer valid.
 */
const findMaker = async (tx: Tx, { account_id, created_by, api_key_id }: InvitationRow): Promise<Caller> => {
  if (api_key_id !== null) {
    const caller = await readLiveKey(tx, api_key_id)
    if (caller === null) throw invitationIsVoid()
    return caller
  }
  const maker = await findUser(tx, { accountId: account_id, projectIds: null }, created_by)
  if (!maker.row.is_enabled) throw invitationIsVoid()
  return callerOf(maker)
}

/**
 * Limits a link to the current rights of its creator: one kept by a former administrator, or created with a
 * stolen key, is void.
 */
const checkMakerStillMay = async (
  tx: Tx,
  invitation: InvitationRow,
  standing: Parameters<typeof checkMayHandOut>[1],
): Promise<void> => {
  try {
    const maker = await findMaker(tx, invitation)
    checkIsUnrestricted(maker)
    if (!maker.can('users:write')) throw invitationIsVoid()
    checkMayHandOut(maker, standing)
  } catch (error) {
    throw error instanceof Problem ? invitationIsVoid() : error
  }
}

export interface Acceptance {
  readonly name: string
  readonly passwordHash: string
}

const createInvitedUser = async (
  tx: Tx,
  invitation: InvitationRow,
  { name, passwordHash }: Acceptance,
): Promise<User> => {
  const { account_id, email, role, project_roles } = invitation
  if (role === null) throw invitationIsVoid()
  // Omits roles in projects that were purged since.
  const known = await tx
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', 'in', [...project_roles.map(({ projectId }) => projectId), 0])
    .where('purged_at', 'is', null)
    .execute()
  const projectRoles = project_roles.filter(({ projectId }) => known.some(({ id }) => id === projectId))
  await checkMakerStillMay(tx, invitation, { role, projectRoles })
  const row = await insertUser(tx, account_id, {
    email,
    name,
    role,
    is_enabled: true,
    password_hash: passwordHash,
  })
  await replaceProjectRoles(tx, row, [], projectRoles)
  return findUser(tx, { accountId: account_id, projectIds: null }, row.id)
}

const setForgottenPassword = async (
  tx: Tx,
  invitation: InvitationRow,
  userId: number,
  { passwordHash }: Acceptance,
): Promise<User> => {
  const scope = { accountId: invitation.account_id, projectIds: null }
  const user = await findUser(tx, scope, userId).catch((error: unknown) => {
    throw error instanceof Problem ? invitationIsVoid() : error
  })
  // A link to a former address must not open the user.
  if (!user.row.is_enabled || user.row.email !== invitation.email) throw invitationIsVoid()
  // Users of every role may reset their own password.
  if (!invitation.is_reset) await checkMakerStillMay(tx, invitation, standingOf(user))
  await changeUser(tx, user.row, { password_hash: passwordHash })
  await deleteSessionsOfUser(tx, user.row)
  return user
}

/**
 * Checks before any expensive work that no account has a user with this address, because addresses are unique
 * across accounts. Throws 'conflict'; the index has the final say.
 */
export const checkAddressIsFree = async (queryable: Queryable, invitation: InvitationRow): Promise<void> => {
  if (invitation.user_id !== null) return
  const taken = await queryable
    .selectFrom('users')
    .select('id')
    .where((where) => where(where.fn('lower', ['email']), '=', invitation.email))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (taken !== undefined) throw emailConflict()
}

/**
 * Creates the user, or sets the password, and uses up the link in the caller's transaction. Returns the user
 * to sign in.
 */
export const acceptInvitation = async (
  tx: Tx,
  request: FastifyRequest,
  found: InvitationRow,
  acceptance: Acceptance,
): Promise<User> => {
  // Locks the account, as `lockCaller` does: changes of its users run one after the other.
  const account = await tx
    .selectFrom('accounts')
    .select('disabled_at')
    .where('id', '=', found.account_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (account === undefined || account.disabled_at !== null) throw invitationIsVoid()
  const invitation = await lockPendingInvitation(tx, found)
  if (invitation === undefined) throw invitationIsVoid()
  const user =
    invitation.user_id === null
      ? await createInvitedUser(tx, invitation, acceptance)
      : await setForgottenPassword(tx, invitation, invitation.user_id, acceptance)
  await changeInvitation(tx, invitation, { accepted_at: new Date(), user_id: user.row.id })
  const actor: Actor = {
    accountId: invitation.account_id,
    userId: user.row.id,
    apiKeyId: null,
    sessionId: null,
    address: request.ip,
    requestId: request.id,
  }
  const link = { InvitationId: invitation.id, CreatedBy: invitation.created_by }
  await recordAct(
    tx,
    actor,
    invitation.user_id === null
      ? {
          action: 'invitation.accepted',
          subject: 'User',
          subjectId: user.row.id,
          after: { ...link, ...userRecord(user) },
        }
      : { action: 'password.changed', subject: 'User', subjectId: user.row.id, after: link },
  )
  await revokeOpenLinks(tx, actor, { userId: user.row.id, email: user.row.email })
  return user
}
