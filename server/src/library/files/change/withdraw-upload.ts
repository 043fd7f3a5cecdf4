import type { Selectable } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { UploadsTable } from '../../../platform/db/tables/uploads.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { shareProject } from '../../projects/project-locks.ts'
import { lockMediaFile } from '../record/media-file-store.ts'
import { stopEarlyChecks, withdrawInFlightUpload } from './withdraw-in-flight-upload.ts'

/**
 * Withdraws an upload whose bytes start over, are rejected, or will not arrive: nothing of it plays before it
 * is complete. Must run before the bytes are deleted, so that a crash leaves no unplayable renditions.
 */
export const withdrawUpload = async (
  { database, publicUrl }: { readonly database: Database; readonly publicUrl: string },
  upload: Pick<Selectable<UploadsTable>, 'account_id' | 'file_id' | 'staging_name'>,
): Promise<void> => {
  const key = { accountId: upload.account_id, fileId: upload.file_id }
  await database
    .transaction(async (tx) => {
      const found = await tx
        .selectFrom('media_files')
        .select('project_id')
        .where('id', '=', upload.file_id)
        .executeTakeFirst()
      if (found === undefined) return
      await shareProject(tx, upload.account_id, found.project_id)
      const file = await lockMediaFile(tx, key)
      await stopEarlyChecks(tx, upload.staging_name)
      if (file.arriving_upload === upload.staging_name) await withdrawInFlightUpload(tx, publicUrl, file)
    })
    .catch((error: unknown) => {
      // The file was deleted in the meantime, so nothing of it plays.
      if (!(error instanceof Problem && error.code === 'not_found')) throw error
    })
}
