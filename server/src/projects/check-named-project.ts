import type { Queryable } from '../kernel/db/database.ts'
import { invalidField } from '../kernel/problem.ts'
import type { ProjectRow } from './project-record.ts'

/** Whose projects a key may name; null: all of the account. */
export interface NamingScope {
  readonly accountId: number
  readonly projectIds: readonly number[] | null
}

/**
 * The project that a body names as `ProjectId`. One that is unknown, of another account or not the key's is refused alike; null is for keys of all
 * projects only. Throws 'invalid'.
 */
export const checkNamedProject = async (
  queryable: Queryable,
  scope: NamingScope,
  projectId: number | null,
): Promise<Pick<ProjectRow, 'id' | 'default_release_status'> | null> => {
  if (projectId === null) {
    if (scope.projectIds === null) return null
    throw invalidField('ProjectId', 'must be one of the projects that this key is restricted to.')
  }
  const row = await queryable
    .selectFrom('projects')
    .select(['id', 'default_release_status'])
    .where('account_id', '=', scope.accountId)
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined || scope.projectIds?.includes(projectId) === false)
    throw invalidField('ProjectId', `names the project ${projectId}, which does not exist.`)
  return row
}
