import type { ProjectRole } from '@zoetrope/vocabulary'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { isAccountEnabled } from '../../../platform/db/is-account-enabled.ts'
import { toNetworks } from '../permissions/networks.ts'
import { toCaller, type Caller } from '../permissions/principal.ts'

export const projectRolesOfUser = sql<Record<
  string,
  ProjectRole
> | null>`(select json_object_agg(projects.id, project_roles.role) from project_roles
  join projects on projects.id = project_roles.project_id
  where project_roles.account_id = users.account_id and project_roles.user_id = users.id
    and projects.purged_at is null)`

/** Projects that a user with the role None in some project may see; null for all other users. */
export const projectsOfUser = sql<readonly number[] | null>`(select coalesce(
    (select json_agg(p.id) from projects p
      where p.account_id = users.account_id and p.purged_at is null and p.id <> all(array_agg(hidden.project_id))),
    '[]'::json)
  from project_roles hidden
  join projects on projects.id = hidden.project_id and projects.purged_at is null
  where hidden.account_id = users.account_id and hidden.user_id = users.id and hidden.role = 'None'
  having count(*) > 0)`

/** Returns the projects that both restrictions allow; null = all. */
const inBoth = (one: readonly number[] | null, other: readonly number[] | null): readonly number[] | null =>
  one === null || other === null ? (one ?? other) : one.filter((id) => other.includes(id))

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
      projectsOfUser.as('visible_projects'),
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
    projectIds: inBoth(row.project_ids, row.visible_projects),
    expiresAt: row.expires_at,
    networks: row.allowed_networks === null ? null : toNetworks(row.allowed_networks),
  })
}
