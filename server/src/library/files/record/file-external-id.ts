import { sql } from 'kysely'
import { Problem } from '../../../platform/base/problem.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { externalIdDetails } from '../../projects/external-id.ts'

/** No other code uses two-part advisory locks of this class. */
const lockClass = 7_304_103

/**
 * Throws 'conflict' when another file of the project has the ExternalId: a live file or one to be restored
 * with the project.
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

/**
 * Checks the ExternalId, and keeps it from all other files until the transaction ends. The caller shares or
 * locks the project and has locked the file.
 */
export const claimFileExternalId = async (
  tx: Tx,
  projectId: number,
  fileId: number | null,
  externalId: string,
): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${`${projectId} ${externalId}`}))`.execute(tx)
  await checkFileExternalId(tx, projectId, fileId, externalId)
}
