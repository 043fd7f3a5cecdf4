import { askAgainForProcessing } from '../../../library/files/change/ask-again-for-processing.ts'
import { removeDiscardedMedia } from '../../../library/files/media/discarded-media.ts'
import { purgeFileJob } from '../../../library/files/queue/file-jobs.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { JobDefinition } from '../../../platform/jobs/jobs.ts'
import { askAgainForProjectFiles, purgeProjects } from '../../../library/projects/purge-projects.ts'
import { dropExpiredParts, dropExpiredUploads, dropFilesWithoutUpload } from './drop-expired-uploads.ts'
import type { UploadDependencies } from '../receive/finish-upload.ts'
import { isStagingName } from '../store/staging.ts'

/** Deletes expired records and leftovers of crashes every ten minutes. */
export const housekeepingJob: JobDefinition<Record<string, never>> = {
  name: 'housekeeping',
  retryLimit: 0,
  expireInSeconds: 3_600,
}
export const housekeepingCron = '*/10 * * * *'

/** Longer than any pause of an active writer. */
const abandonedMs = 24 * 3_600_000

export interface HousekeepingDependencies extends UploadDependencies {
  readonly retentionDays: number
  readonly log: Log
}

export const createHousekeepingHandler =
  (dependencies: HousekeepingDependencies) => async (): Promise<void> => {
    await dropExpiredUploads(dependencies)
    await dropExpiredParts(dependencies)
    await dropAbandonedStaging(dependencies)
    await dropFilesWithoutUpload(dependencies, abandonedMs)
    await removeDiscardedMedia(dependencies)
    await askAgainForPurges(dependencies)
    await askAgainForProjectFiles(dependencies)
    await askAgainForProcessing(dependencies)
    await purgeProjects(dependencies)
    await dependencies.blobs.sweepTemporary(abandonedMs)
  }

/**
 * Deletes staged bytes without an unfinished upload. API processes call it too, because the bytes are on
 * their disks.
 */
export const dropAbandonedStaging = async ({
  database,
  staging,
}: Pick<UploadDependencies, 'database' | 'staging'>): Promise<void> => {
  const old = (await staging.list()).filter(
    ({ modifiedAt }) => modifiedAt.getTime() < Date.now() - abandonedMs,
  )
  for (const { name } of old) {
    if (!isStagingName(name)) {
      await staging.remove(name)
      continue
    }
    const named = await database.kysely
      .selectFrom('uploads')
      .innerJoin('media_files', 'media_files.id', 'uploads.file_id')
      .select('uploads.file_id')
      .where('staging_name', '=', name)
      .where('completed_at', 'is', null)
      .where('media_files.deleted_at', 'is', null)
      .executeTakeFirst()
    const part = await database.kysely
      .selectFrom('upload_parts')
      .select('staging_name')
      .where('staging_name', '=', name)
      .executeTakeFirst()
    if (named === undefined && part === undefined) await staging.remove(name)
  }
}

/** Enqueues purges again whose attempts all failed while the storage was unavailable. */
const askAgainForPurges = async ({
  database,
  jobs,
  retentionDays,
}: HousekeepingDependencies): Promise<void> => {
  const overdueBefore = new Date(Date.now() - retentionDays * 86_400_000 - 3_600_000)
  const overdue = await database.kysely
    .selectFrom('media_files')
    .select(['id', 'account_id', 'project_id', 'deleted_at'])
    .where('deleted_at', '<', overdueBefore)
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
