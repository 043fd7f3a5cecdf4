import { deleteFile } from '../files/delete-file.ts'
import { purgeFileJob } from '../files/file-jobs.ts'
import type { Log } from '../kernel/log.ts'
import type { JobDefinition } from '../kernel/jobs/jobs.ts'
import type { UploadDependencies } from './finish-upload.ts'

/** Every ten minutes: what expired, or what a crash left behind, goes. */
export const housekeepingJob: JobDefinition<Record<string, never>> = {
  name: 'housekeeping',
  retryLimit: 0,
  expireInSeconds: 3_600,
}
export const housekeepingCron = '*/10 * * * *'

/** Longer than any pause of a live writer. */
const abandonedMs = 24 * 3_600_000

export interface HousekeepingDependencies extends UploadDependencies {
  readonly retentionDays: number
  readonly eventRetentionDays: number
  readonly log: Log
}

export const createHousekeepingHandler =
  (dependencies: HousekeepingDependencies) => async (): Promise<void> => {
    await dropExpiredUploads(dependencies)
    await dropAbandonedStaging(dependencies)
    await askAgainForPurges(dependencies)
    await dropOldEvents(dependencies)
    await dependencies.blobs.sweepTemporary(abandonedMs)
  }

/** An unfinished upload leaves nothing behind: its record goes the way of a deleted file, at once. */
const dropExpiredUploads = async (dependencies: HousekeepingDependencies): Promise<void> => {
  const { database, staging, jobs, publicUrl } = dependencies
  const expired = await database.kysely
    .selectFrom('uploads')
    .innerJoin('media_files', 'media_files.id', 'uploads.file_id')
    .select(['uploads.account_id', 'uploads.file_id', 'uploads.staging_name'])
    .where('uploads.completed_at', 'is', null)
    .where('uploads.expires_at', '<', new Date())
    .where('media_files.deleted_at', 'is', null)
    .limit(1_000)
    .execute()
  for (const upload of expired) {
    const isDropped = await database
      .transaction(async (tx) => {
        // Looked at again under its lock: it may have been finished, or gone on, since it was listed.
        const still = await tx
          .selectFrom('uploads')
          .select('file_id')
          .where('staging_name', '=', upload.staging_name)
          .where('completed_at', 'is', null)
          .where('expires_at', '<', new Date())
          .forUpdate()
          .executeTakeFirst()
        if (still === undefined) return false
        const key = { accountId: upload.account_id, fileId: upload.file_id }
        await deleteFile(tx, { publicUrl, jobs, retentionDays: 0 }, key)
        return true
      })
      .catch((error: unknown) => {
        dependencies.log.warn(
          { fileId: upload.file_id, err: error },
          'an expired upload could not be dropped',
        )
        return false
      })
    if (isDropped) await staging.remove(upload.staging_name)
  }
}

/** Staged bytes that no unfinished upload names; api processes call it too, because the bytes lie on their disks. */
export const dropAbandonedStaging = async ({
  database,
  staging,
}: Pick<UploadDependencies, 'database' | 'staging'>): Promise<void> => {
  const old = (await staging.list()).filter(
    ({ modifiedAt }) => modifiedAt.getTime() < Date.now() - abandonedMs,
  )
  for (const { name } of old) {
    const named = await database.kysely
      .selectFrom('uploads')
      .innerJoin('media_files', 'media_files.id', 'uploads.file_id')
      .select('uploads.file_id')
      .where('staging_name', '=', name)
      .where('completed_at', 'is', null)
      .where('media_files.deleted_at', 'is', null)
      .executeTakeFirst()
    if (named === undefined) await staging.remove(name)
  }
}

/** A purge whose retries ran out while the storage was away is asked for again. */
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
      { key: String(id) },
    )
}

/** Deliveries and attempts go with their events. */
const dropOldEvents = async ({ database, eventRetentionDays }: HousekeepingDependencies): Promise<void> => {
  await database.kysely
    .deleteFrom('events')
    .where('occurred_at', '<', new Date(Date.now() - eventRetentionDays * 86_400_000))
    .execute()
}
