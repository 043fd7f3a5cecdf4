import type { Database, Tx } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { encodeLadderJob, processFileJob, showArrivingJob, type EncodeLadderJob } from './file-jobs.ts'
import type { MediaFileRow } from './file-record.ts'
import { classSize, ladderPriority } from './ladder-priority.ts'

/** Of a file whose priority has been changed in this transaction: what waits of it takes its new place, each job within its class. */
export const moveInQueue = (tx: Tx, jobs: Jobs, file: MediaFileRow): Promise<void> =>
  jobs.changePriority(tx, [processFileJob, encodeLadderJob, showArrivingJob], {
    accountId: file.account_id,
    fileId: file.id,
    priority: file.encoding_priority,
    classSize,
  })

/** Asks for a step that has not begun, with the priority as it is now: it may have been changed during the step before. */
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
      // Whoever changes it now waits, and then moves this job too.
      .forShare()
      .executeTakeFirst()
    if (file === undefined) return
    const priority = ladderPriority(file, { isLater, hasBegun: false })
    await jobs.enqueue(tx, encodeLadderJob, job, { priority, key })
  })
