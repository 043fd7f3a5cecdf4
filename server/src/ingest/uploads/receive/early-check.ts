import { showInFlightUploadJob } from '../../../library/files/queue/file-jobs.ts'
import { receivedBytes } from './finish-upload.ts'
import type { ReceiveDependencies } from './receive-bytes.ts'
import { reloadUpload, type UploadRow } from '../store/upload-store.ts'

/**
 * Asks a worker to check whether the received bytes are playable, once the number that the last check asked
 * for has arrived. Skips a new source of an existing file, which is shown only when it is complete.
 */
export const requestEarlyCheck = async (
  dependencies: ReceiveDependencies,
  known: UploadRow,
): Promise<void> => {
  if (!dependencies.isPlayedWhileUploading || known.file_name !== null || known.look_at_bytes === null) return
  const { database, jobs } = dependencies
  const upload = await reloadUpload(database.kysely, known)
  if (upload.look_at_bytes === null || upload.completed_at !== null) return
  if ((await receivedBytes(dependencies, upload)) < upload.look_at_bytes) return
  const file = await database.kysely
    .selectFrom('media_files')
    .select(['project_id', 'encoding_priority'])
    .where('id', '=', upload.file_id)
    .executeTakeFirst()
  if (file === undefined) return
  const { account_id: accountId, file_id: fileId, staging_name: stagingName } = upload
  await jobs.enqueue(
    database.kysely,
    showInFlightUploadJob,
    { accountId, projectId: file.project_id, fileId, stagingName },
    { priority: file.encoding_priority, key: stagingName },
  )
}
