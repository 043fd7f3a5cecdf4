import type { Tx } from '../../../platform/db/database.ts'
import type { ProjectRow } from '../../projects/project-record.ts'
import { shareAnyProject, shareProject } from '../../projects/project-locks.ts'
import type { FileKey } from './media-file-store.ts'

/**
 * Shares the project and locks the row of the file, whether it is deleted or not, until the transaction ends.
 * Comes before all other locks of the file, its uploads and its ExternalId, so that transactions cannot
 * deadlock. Throws 'not_found' for the project only.
 */
export const lockFileInProject = async (
  tx: Tx,
  { accountId, projectId, fileId }: FileKey & { readonly projectId: number },
  reach: 'live project' | 'any project' = 'live project',
): Promise<ProjectRow> => {
  const share = reach === 'live project' ? shareProject : shareAnyProject
  const project = await share(tx, accountId, projectId)
  await tx
    .selectFrom('media_files')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', fileId)
    .forNoKeyUpdate()
    .execute()
  return project
}
