import type { Queryable } from '../../../platform/db/database.ts'
import { externalIdTaken } from '../../projects/external-id.ts'

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
  throw externalIdTaken(externalId, {
    kind: 'file',
    id: other.id,
    where: other.deleted_at === null ? '' : ', which is being restored with the project',
  })
}
