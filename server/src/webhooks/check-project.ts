import type { Queryable } from '../kernel/db/database.ts'
import { invalidField } from '../kernel/problem.ts'
import type { WebhookScope } from './webhook-store.ts'

/** A project that is unknown, of another account or not the key's is named alike; null is for keys of all projects only. */
export const checkProject = async (
  queryable: Queryable,
  scope: WebhookScope,
  projectId: number | null,
): Promise<void> => {
  if (projectId === null) {
    if (scope.projectIds === null) return
    throw invalidField('ProjectId', 'must be one of the projects that this key is restricted to.')
  }
  const row = await queryable
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', scope.accountId)
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined || scope.projectIds?.includes(projectId) === false)
    throw invalidField('ProjectId', `names the project ${projectId}, which does not exist.`)
}
