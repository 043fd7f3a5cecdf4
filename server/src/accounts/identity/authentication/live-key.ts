import type { Role } from '@zoetrope/vocabulary'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { isAccountEnabled } from '../../../platform/db/is-account-enabled.ts'
import { toNetworks } from '../permissions/networks.ts'
import { toCaller, type Caller } from '../permissions/principal.ts'

export const projectRolesOfUser = sql<Record<
  string,
  Role
> | null>`(select json_object_agg(projects.id, project_roles.role) from project_roles
  join projects on projects.id = project_roles.project_id
  where project_roles.account_id = users.account_id and project_roles.user_id = users.id
    and projects.purged_at is null)`

/** Returns whether expiry is the only reason that the key is invalid. */
export const hasExpired = async (queryable: Queryable, jti: string): Promise<boolean> =>
  (await queryable
    .selectFrom('api_keys')
    .select('jti')
    .where('jti', '=', jti)
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', new Date())
    .executeTakeFirst()) !== undefined

export const readLiveKey = async (queryable: Queryable, jti: string): Promise<Caller | null> => {
  const row = await queryable
    .selectFrom('api_keys')
    .innerJoin('users', (join) =>
      join.onRef('users.id', '=', 'api_keys.user_id').onRef('users.account_id', '=', 'api_keys.account_id'),
    )
    .select([
      'api_keys.account_id',
      'api_keys.user_id',
      'api_keys.scopes',
      'api_keys.project_ids',
      'api_keys.expires_at',
      'api_keys.allowed_networks',
      'users.role',
      projectRolesOfUser.as('project_roles'),
    ])
    .where('api_keys.jti', '=', jti)
    .where('api_keys.revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date())]))
    .where('users.is_enabled', '=', true)
    .where('users.deleted_at', 'is', null)
    .where(isAccountEnabled('users.account_id'))
    .executeTakeFirst()
  if (row === undefined) return null
  return toCaller({
    accountId: row.account_id,
    userId: row.user_id,
    apiKeyId: jti,
    sessionId: null,
    role: row.role,
    projectRoles: row.project_roles ?? {},
    scopes: row.scopes,
    projectIds: row.project_ids,
    expiresAt: row.expires_at,
    networks: row.allowed_networks === null ? null : toNetworks(row.allowed_networks),
  })
}
