import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { pullFileJob } from './file-jobs.ts'
import type { MediaFileRow } from '../record/file-record.ts'

/**
 * Restarts the fetch of a source from its URL; a running job ends when it notices. Returns false when there
 * is nothing to fetch.
 */
export const askForPull = async (
  tx: Tx,
  jobs: Jobs,
  file: Pick<MediaFileRow, 'account_id' | 'project_id' | 'id'>,
): Promise<boolean> => {
  const asked = await tx
    .updateTable('pulls')
    .from('uploads')
    .set({
      attempt: sql<number>`pulls.attempt + 1`,
      fruitless_attempts: 0,
      begun_at: new Date(),
    })
    .whereRef('uploads.token_hash', '=', 'pulls.upload_token_hash')
    .where('uploads.completed_at', 'is', null)
    .where('pulls.account_id', '=', file.account_id)
    .where('pulls.file_id', '=', file.id)
    .returning(['pulls.id', 'pulls.attempt'])
    .executeTakeFirst()
  if (asked === undefined) return false
  await enqueuePull(tx, jobs, file, { pullId: asked.id, attempt: asked.attempt })
  return true
}

export const enqueuePull = (
  tx: Tx,
  jobs: Jobs,
  file: Pick<MediaFileRow, 'account_id' | 'project_id' | 'id'>,
  { pullId, attempt, startAfter }: { pullId: number; attempt: number; startAfter?: Date },
): Promise<void> =>
  jobs.enqueue(
    tx,
    pullFileJob,
    { accountId: file.account_id, projectId: file.project_id, fileId: file.id, pullId, attempt },
    { key: `${pullId}.${attempt}`, ...(startAfter === undefined ? {} : { startAfter }) },
  )
