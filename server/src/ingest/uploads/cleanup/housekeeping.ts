import type { HousekeepingTask } from '../../../platform/jobs/housekeeping.ts'
import {
  dropExpiredParts,
  dropExpiredUploads,
  dropFilesWithoutUpload,
  type ExpiryDependencies,
} from './drop-expired-uploads.ts'
import type { UploadDependencies } from '../receive/finish-upload.ts'
import { dropAbandonedObjects } from './drop-abandoned-objects.ts'
import { isStagingName } from '../store/staging.ts'

/** Longer than any pause of an active writer. */
const abandonedMs = 24 * 3_600_000

export const uploadHousekeeping = (dependencies: ExpiryDependencies): readonly HousekeepingTask[] => [
  () => dropExpiredUploads(dependencies),
  () => dropExpiredParts(dependencies),
  () => dropAbandonedStaging(dependencies),
  () => dropAbandonedObjects(dependencies),
  () => dropFilesWithoutUpload(dependencies, abandonedMs),
]

/**
 * Deletes staged bytes without an unfinished upload. API processes call it too, because the bytes are on
 * their disks.
 */
export const dropAbandonedStaging = async ({
  database,
  stagings: { disk: staging },
}: Pick<UploadDependencies, 'database' | 'stagings'>): Promise<void> => {
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
