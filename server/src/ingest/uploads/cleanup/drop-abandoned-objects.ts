import { sql } from 'kysely'
import type { UploadDependencies } from '../receive/finish-upload.ts'
import { stagedFolder } from '../store/stagings.ts'

/** A deleted file may be restored with its upload, whose bytes are kept this long. */
const abandonedMs = 24 * 3_600_000
/** Longer than the moment between two leases of one request. */
const unnamedMs = 60_000
const atOnce = 1_000

/** Deletes bytes in the bucket without an unfinished upload, and objects that a crash has left. */
export const dropAbandonedObjects = async (
  dependencies: Pick<UploadDependencies, 'database' | 'blobs' | 'stagings'>,
): Promise<void> => {
  const { database, blobs, stagings } = dependencies
  const { s3 } = stagings
  if (s3 === null) return
  for (const { staging_name } of await findAbandoned(dependencies)) await s3.remove(staging_name)
  const objects = await blobs.list(stagedFolder)
  const names = new Set(objects.map((key) => key.split('/')[1] ?? ''))
  // Bytes always have their row first.
  const known = new Set(
    (
      await database.kysely
        .selectFrom('staged_uploads')
        .select('staging_name')
        .where(sql<boolean>`staging_name::text = any (${[...names]})`)
        .execute()
    ).map(({ staging_name }) => staging_name),
  )
  for (const key of objects) if (!known.has(key.split('/')[1] ?? '')) await blobs.delete(key)
}

const findAbandoned = ({ database }: Pick<UploadDependencies, 'database'>) => {
  const before = (ageMs: number): Date => new Date(Date.now() - ageMs)
  return database.kysely
    .selectFrom('staged_uploads as staged')
    .select('staged.staging_name')
    .where('staged.changed_at', '<', before(unnamedMs))
    .where((where) =>
      where.or([
        where('staged.leased_until', 'is', null),
        where('staged.leased_until', '<', sql<Date>`now()`),
      ]),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('upload_parts')
            .select('upload_parts.staging_name')
            .whereRef('upload_parts.staging_name', '=', 'staged.staging_name'),
        ),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('uploads')
            .innerJoin('media_files', 'media_files.id', 'uploads.file_id')
            .select('uploads.file_id')
            .whereRef('uploads.staging_name', '=', 'staged.staging_name')
            .where('uploads.completed_at', 'is', null)
            .where((or) =>
              or.or([
                or('media_files.deleted_at', 'is', null),
                or('staged.changed_at', '>', before(abandonedMs)),
              ]),
            ),
        ),
      ),
    )
    .limit(atOnce)
    .execute()
}
