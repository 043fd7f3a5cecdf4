import type { Database, Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { encodeLadderJob, processFileJob, showInFlightUploadJob, type EncodeLadderJob } from './file-jobs.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { classSize, ladderPriority } from './ladder-priority.ts'

/**
 * Moves the waiting jobs of a file to its new priority, each within its class. Called in the transaction that
 * changes the priority.
 */
export const moveInQueue = (tx: Tx, jobs: Jobs, file: MediaFileRow): Promise<void> =>
  jobs.changePriority(tx, [processFileJob, encodeLadderJob, showInFlightUploadJob], {
    accountId: file.account_id,
    fileId: file.id,
    priority: file.encoding_priority,
    classSize,
  })

/**
 * Enqueues a step that has not begun, with the current priority, which may have changed during the step
 * before.
 */
export const enqueueLadder = (
  database: Database,
  jobs: Jobs,
  job: EncodeLadderJob,
  { isLater, key }: { readonly isLater: boolean; readonly key: string },
): Promise<void> =>
  database.transaction(async (tx) => {
    const file = await tx
      .selectFrom('media_files')
      .select('encoding_priority')
      .where('account_id', '=', job.accountId)
      .where('id', '=', job.fileId)
      // A concurrent change of the priority waits and then moves this job too.
      .forShare()
      .executeTakeFirst()
    if (file === undefined) return
    const priority = ladderPriority(file, { isLater, hasBegun: false })
    await jobs.enqueue(tx, encodeLadderJob, job, { priority, key })
  })
