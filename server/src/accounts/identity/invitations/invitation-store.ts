import type { Role } from '@zoetrope/vocabulary'
import type { Page } from '../../../platform/http/responses/paging.ts'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import { readPage, type PageOf } from '../../../platform/db/keyset.ts'
import { hashToken, newUrlToken } from '../../../platform/base/ids.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { ProjectRole } from '../store/user-record.ts'
import type { InvitationRow, InvitationState } from './invitation-record.ts'

const lifetimeMs = 7 * 86_400_000
/** Such a message can be requested without signing in. */
const resetLifetimeMs = 3_600_000

const columns = [
  'id',
  'account_id',
  'created_by',
  'api_key_id',
  'user_id',
  'is_reset',
  'email',
  'role',
  'project_roles',
  'created_at',
  'expires_at',
  'accepted_at',
  'revoked_at',
] as const

interface NewInvitation {
  readonly accountId: number
  readonly createdBy: number
  /** Key that the link was created with; null = in a session. */
  readonly apiKeyId: string | null
  /** Id of the user who is to set a new password; null = a new user. */
  readonly userId: number | null
  readonly email: string
  readonly role: Role | null
  readonly projectRoles: readonly ProjectRole[]
  /** The user requested the link for their own password. */
  readonly isReset?: boolean
}

/** Call `revokeOpenLinks` first: only the newest link is valid. */
export const insertInvitation = async (
  tx: Tx,
  wanted: NewInvitation,
): Promise<{ readonly row: InvitationRow; readonly token: string }> => {
  const { isReset = false } = wanted
  const now = new Date()
  const token = newUrlToken()
  const row = await tx
    .insertInto('invitations')
    .values({
      account_id: wanted.accountId,
      token_hash: hashToken(token),
      created_by: wanted.createdBy,
      api_key_id: wanted.apiKeyId,
      user_id: wanted.userId,
      is_reset: isReset,
      email: wanted.email,
      role: wanted.role,
      project_roles: JSON.stringify(wanted.projectRoles),
      created_at: now,
      expires_at: new Date(now.getTime() + (isReset ? resetLifetimeMs : lifetimeMs)),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return { row, token }
}

const pending = (queryable: Queryable) =>
  queryable
    .selectFrom('invitations')
    .select(columns)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date())

/** Revokes the earlier links that a user has requested for their own password; those of others stay. */
export const revokeOwnLinks = async (
  tx: Tx,
  { accountId, userId }: { readonly accountId: number; readonly userId: number },
): Promise<void> => {
  await tx
    .updateTable('invitations')
    .set({ revoked_at: new Date() })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('is_reset', '=', true)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Returns the owner of the link, so that the caller can lock the account before the invitation. */
export const findPendingInvitation = (
  queryable: Queryable,
  token: string,
): Promise<InvitationRow | undefined> =>
  pending(queryable).where('token_hash', '=', hashToken(token)).executeTakeFirst()

/** Requires the lock of the account. */
export const lockPendingInvitation = (
  tx: Tx,
  { account_id, id }: InvitationRow,
): Promise<InvitationRow | undefined> =>
  pending(tx).where('account_id', '=', account_id).where('id', '=', id).forUpdate().executeTakeFirst()

const invitationNotFound = (id: number): Problem => new Problem('invitation_not_found', { invitationId: id })

export const findInvitation = async (
  queryable: Queryable,
  accountId: number,
  id: number,
): Promise<InvitationRow> => {
  const row = await queryable
    .selectFrom('invitations')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw invitationNotFound(id)
  return row
}

export const changeInvitation = async (
  tx: Tx,
  { account_id, id }: InvitationRow,
  change: { readonly accepted_at?: Date; readonly revoked_at?: Date; readonly user_id?: number },
): Promise<void> => {
  await tx
    .updateTable('invitations')
    .set(change)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

export const listInvitations = async (
  queryable: Queryable,
  accountId: number,
  states: readonly InvitationState[] | undefined,
  page: Page,
): Promise<PageOf<InvitationRow> & { totalCount: number }> => {
  const matching = queryable
    .selectFrom('invitations')
    .where('account_id', '=', accountId)
    .$if(states !== undefined, (query) =>
      query.where((where) => {
        const isOpen = where.and([where('accepted_at', 'is', null), where('revoked_at', 'is', null)])
        const conditions = {
          accepted: where('accepted_at', 'is not', null),
          revoked: where.and([where('accepted_at', 'is', null), where('revoked_at', 'is not', null)]),
          pending: where.and([isOpen, where('expires_at', '>', new Date())]),
          expired: where.and([isOpen, where('expires_at', '<=', new Date())]),
        } as const satisfies Record<InvitationState, unknown>
        return where.or((states ?? []).map((state) => conditions[state]))
      }),
    )
  const found = await readPage(matching.select(columns), page, null)
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

/** Deletes invitations that are no longer valid; the audit log has their outcome. Part of housekeeping. */
export const dropOldInvitations = async (database: Database, retentionDays: number): Promise<void> => {
  await database.kysely
    .deleteFrom('invitations')
    .where('expires_at', '<', new Date(Date.now() - retentionDays * 86_400_000))
    .execute()
}
