import type { Message } from '@zoetrope/vocabulary'
import { isBeingProcessed } from '../../../library/files/change/file-revisions.ts'
import type { PullFileJob } from '../../../library/files/queue/file-jobs.ts'
import { errorColumns } from '../../../library/files/record/file-error.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { isPlayableState } from '../../../library/files/record/parts/file-state.ts'
import {
  changeMediaFile,
  lockMediaFile,
  type FileChange,
} from '../../../library/files/record/media-file-store.ts'
import { newId } from '../../../platform/base/ids.ts'
import { newMessage } from '../../../platform/base/message.ts'
import type { Database } from '../../../platform/db/database.ts'
import { shareProject } from '../../../library/projects/project-locks.ts'
import { giveUpUploads, type UploadRow } from '../store/upload-store.ts'

/** Returns null when a pending revision of the file decides the outcome. Pure. */
const failureOf = (file: MediaFileRow, message: Message): FileChange | null => {
  if (file.source_blob === null)
    return { set: { state: 'failed', ...errorColumns(message) }, events: ['file.failed'] }
  if (isBeingProcessed(file)) return null
  const isPlayable = isPlayableState(file.state)
  return {
    set: {
      state: isPlayable ? 'degraded' : 'failed',
      ...errorColumns(isPlayable ? newMessage('new_source_not_fetched', { cause: message }) : message),
    },
    events: ['file.failed'],
  }
}

type StagedAt = Pick<UploadRow, 'staging_name' | 'staged_on'>

/**
 * Records the final failure of a pull. A file without a source keeps its pull, so that `retry` can restart
 * it; a pull for a new source of an existing file is deleted. Returns where the received bytes are, which the
 * caller removes; null when a newer attempt needs them.
 */
export const failPull = async (
  { database, publicUrl }: { readonly database: Database; readonly publicUrl: string },
  job: PullFileJob,
  message: Message,
): Promise<StagedAt | null> =>
  database.transaction(async (tx) => {
    await shareProject(tx, job.accountId, job.projectId)
    const file = await lockMediaFile(tx, job)
    const pull = await tx
      .updateTable('pulls')
      .set({ attempt: job.attempt + 1, validator: null })
      .where('id', '=', job.pullId)
      .where('attempt', '=', job.attempt)
      .returning('upload_token_hash')
      .executeTakeFirst()
    // A newer attempt exists.
    if (pull === undefined) return null
    const place = await tx
      .selectFrom('uploads')
      .select(['staging_name', 'staged_on'])
      .where('token_hash', '=', pull.upload_token_hash)
      .executeTakeFirstOrThrow()
    const { staging_name: stagingName } = place
    if (file.source_blob !== null) await giveUpUploads(tx, file, { stagingName })
    // A `retry` starts from the first byte, under a new name. If the caller is killed, housekeeping deletes the bytes,
    // because no upload has their name.
    else
      await tx
        .updateTable('uploads')
        .set({ staging_name: newId(), staged_on: null })
        .where('staging_name', '=', stagingName)
        .execute()
    const failure = failureOf(file, message)
    if (failure !== null) await changeMediaFile(tx, publicUrl, job, () => failure)
    return place
  })
