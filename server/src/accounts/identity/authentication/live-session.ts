import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { isAccountEnabled } from '../../../platform/db/is-account-enabled.ts'
import { hasSecondFactor } from '../store/factor-store.ts'
import { projectRolesOfUser, projectsOfUser } from './live-key.ts'
import { toCaller, type Caller } from '../permissions/principal.ts'

/**
 * A session that the database considers valid. `SessionVerifier`, which knows the last use, checks for
 * idleness.
 */
export interface LiveSession extends Caller {
  readonly sessionId: string
  readonly lastUsedAt: Date
  readonly endsAt: Date
  /** The account requires a second factor, and this user has none: the session may only set one up. */
  readonly mustSetUpFactor: boolean
}

/** Sessions by an identity provider are exempt, because the provider decides on factors. */
const mustSetUpFactor = sql<boolean>`(sessions.sign_in_method <> 'IdentityProvider'
  and (select requires_two_factors from accounts where accounts.id = users.account_id)
  and not ${hasSecondFactor})`

export const readLiveSession = async (
  queryable: Queryable,
  by: { readonly uuid: string } | { readonly tokenHash: Buffer },
): Promise<LiveSession | null> => {
  const row = await queryable
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.id', '=', 'sessions.user_id').onRef('users.account_id', '=', 'sessions.account_id'),
    )
    .select([
      'sessions.uuid',
      'sessions.account_id',
      'sessions.user_id',
      'sessions.last_used_at',
      'sessions.expires_at',
      'users.role',
      projectRolesOfUser.as('project_roles'),
      projectsOfUser.as('visible_projects'),
      mustSetUpFactor.as('must_set_up_factor'),
    ])
    .$if('uuid' in by, (query) => query.where('sessions.uuid', '=', 'uuid' in by ? by.uuid : ''))
    .$if('tokenHash' in by, (query) =>
      query.where('token_hash', '=', 'tokenHash' in by ? by.tokenHash : Buffer.alloc(0)),
    )
    .where('sessions.expires_at', '>', new Date())
    .where('users.is_enabled', '=', true)
    .where('users.deleted_at', 'is', null)
    .where(isAccountEnabled('users.account_id'))
    .executeTakeFirst()
  if (row === undefined) return null
  const caller = toCaller({
    accountId: row.account_id,
    userId: row.user_id,
    apiKeyId: null,
    sessionId: row.uuid,
    role: row.role,
    projectRoles: row.project_roles ?? {},
    scopes: ['*'],
    projectIds: row.visible_projects,
    expiresAt: null,
    networks: null,
  })
  return {
    ...caller,
    sessionId: row.uuid,
    lastUsedAt: row.last_used_at,
    endsAt: row.expires_at,
    mustSetUpFactor: row.must_set_up_factor,
  }
}
