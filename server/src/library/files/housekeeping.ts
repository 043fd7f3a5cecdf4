import type { BlobStore, UsedMultiparts } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import { isPurgeDue } from '../../platform/jobs/purge-due.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { requeueProcessing } from './change/requeue-processing.ts'
import { foldBlockCounts } from './lists/fold-block-counts.ts'
import { removeGarbage } from './media/remove-garbage.ts'
import { purgeFileJob } from './queue/file-jobs.ts'
import { mayBePurged } from './record/media-file-store.ts'

interface FileHousekeeping {
  readonly database: Database
  readonly blobs: BlobStore
  readonly jobs: Jobs
  readonly retentionDays: number
  /** Absent without uploads in the bucket. */
  readonly usedMultiparts?: UsedMultiparts
}

/** The job of the deletion comes first. */
const retrySeconds = 3_600
/** Longer than any pause of an active writer. */
const abandonedMs = 24 * 3_600_000

export const fileHousekeeping = (dependencies: FileHousekeeping): readonly HousekeepingTask[] => [
  () => removeGarbage(dependencies),
  () => askAgainForPurges(dependencies),
  () => requeueProcessing(dependencies),
  () => foldBlockCounts(dependencies.database),
  () => dependencies.blobs.sweepTemporary(abandonedMs, dependencies.usedMultiparts),
]

/** Enqueues purges again whose attempts all failed while the storage was unavailable, and those that had to wait. */
const askAgainForPurges = async ({ database, jobs, retentionDays }: FileHousekeeping): Promise<void> => {
  const overdue = await database.kysely
    .selectFrom('media_files')
    .select(['id', 'account_id', 'project_id', 'deleted_at'])
    .where(isPurgeDue(retentionDays, retrySeconds))
    .where(mayBePurged)
    .limit(1_000)
    .execute()
  for (const { id, account_id, project_id, deleted_at } of overdue)
    await jobs.enqueue(
      database.kysely,
      purgeFileJob,
      {
        accountId: account_id,
        projectId: project_id,
        fileId: id,
        deletedAtMs: deleted_at?.getTime() ?? 0,
      },
      { key: `${id}.${deleted_at?.getTime() ?? 0}` },
    )
}
