import type { Queryable } from '../../platform/db/database.ts'
import { invalidField } from '../../platform/base/problem.ts'
import type { ProjectRow } from './project-record.ts'

/** Projects that a key may name. Null: all projects of the account. */
export interface NamingScope {
  readonly accountId: number
  readonly projectIds: readonly number[] | null
}

/**
 * Checks the project that a body names as `ProjectId`. Throws the same 'invalid' for unknown projects, those
 * of other accounts and those outside the key. Null requires a key for all projects.
 */
export const checkNamedProject = async (
  queryable: Queryable,
  scope: NamingScope,
  projectId: number | null,
): Promise<Pick<ProjectRow, 'id' | 'default_release_status'> | null> => {
  if (projectId === null) {
    if (scope.projectIds === null) return null
    throw invalidField('ProjectId', 'project_not_of_key')
  }
  const row = await queryable
    .selectFrom('projects')
    .select(['id', 'default_release_status'])
    .where('account_id', '=', scope.accountId)
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined || scope.projectIds?.includes(projectId) === false)
    throw invalidField('ProjectId', 'unknown_project', { projectId })
  return row
}
