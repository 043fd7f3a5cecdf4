import { Problem } from '../../../platform/base/problem.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { externalIdDetails } from '../../projects/external-id.ts'

/**
 * Throws 'conflict' when another file of the project has the ExternalId: a live file or one to be restored
 * with the project. The caller holds the lock of the project, so the result holds until the transaction ends.
 */
export const checkFileExternalId = async (
  queryable: Queryable,
  projectId: number,
  fileId: number | null,
  externalId: string,
): Promise<void> => {
  const other = await queryable
    .selectFrom('media_files')
    .select(['id', 'deleted_at'])
    .where('project_id', '=', projectId)
    .where('external_id', '=', externalId)
    .where((where) =>
      where.or([where('deleted_at', 'is', null), where('is_deleted_with_project', '=', true)]),
    )
    .where('id', '!=', fileId ?? 0)
    .executeTakeFirst()
  if (other === undefined) return
  const reason = other.deleted_at === null ? 'external_id_of_file' : 'external_id_of_restored_file'
  throw new Problem(reason, { externalId, fileId: other.id }, externalIdDetails)
}
