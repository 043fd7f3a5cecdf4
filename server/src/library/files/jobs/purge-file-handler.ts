import { sql } from 'kysely'
import { BlobStoreUnavailableError, type BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../platform/db/database.ts'
import { keysAwaitedByClips } from '../media/clips.ts'
import type { PurgeFileJob } from '../queue/file-jobs.ts'
import { blobPrefixesOf, mayBePurged } from '../record/media-file-store.ts'

/** Bounds the time for which a worker holds its jobs, and what it repeats after a crash. */
export const purgesPerBatch = 100

interface PurgeDependencies {
  readonly database: Database
  readonly blobs: BlobStore
}

interface DueFile {
  readonly id: number
  readonly prefixes: readonly string[]
}

/**
 * Removes the media of files, then their rows; running twice is harmless. Skips files that were restored in
 * the meantime, or will be with their project; a file whose purge has begun cannot be restored. Skips files
 * from which a clip has yet to be cut: housekeeping enqueues them again. Throws when a file cannot be removed,
 * after removing the others.
 */
export const createPurgeFilesHandler =
  (dependencies: PurgeDependencies) =>
  async (jobs: readonly PurgeFileJob[]): Promise<void> => {
    const files = await beginPurges(dependencies.database, jobs)
    if (files.length === 0) return
    const error = await purge(dependencies, files).catch((reason: unknown) => reason)
    if (error === undefined) return
    if (files.length === 1 || error instanceof BlobStoreUnavailableError) throw error
    const failures: unknown[] = []
    for (const file of files)
      await purge(dependencies, [file]).catch((reason: unknown) => failures.push(reason))
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} files cannot be purged`)
  }

interface DeletedFile {
  readonly id: number
  readonly account_id: number
  readonly project_id: number
  readonly former_project_ids: readonly number[]
  readonly deleted_at: Date
}

const beginPurges = async ({ kysely }: Database, jobs: readonly PurgeFileJob[]): Promise<DueFile[]> => {
  const { rows } = await sql<DeletedFile>`
    select f.id, f.account_id, job.project_id, f.former_project_ids, f.deleted_at
    from unnest(
      ${jobs.map(({ accountId }) => accountId)}::bigint[], ${jobs.map(({ projectId }) => projectId)}::bigint[],
      ${jobs.map(({ fileId }) => fileId)}::bigint[], ${jobs.map(({ deletedAtMs }) => new Date(deletedAtMs))}::timestamptz[]
    ) as job (account_id, project_id, file_id, deleted_at)
    join media_files f on f.id = job.file_id and f.account_id = job.account_id
      and f.deleted_at = job.deleted_at`.execute(kysely)
  const files = rows.map((row) => ({
    id: row.id,
    deletedAt: row.deleted_at,
    prefixes: blobPrefixesOf(
      { accountId: row.account_id, projectId: row.project_id, fileId: row.id },
      row.former_project_ids,
    ),
  }))
  const awaited = await keysAwaitedByClips(
    kysely,
    files.flatMap(({ prefixes }) => prefixes),
  )
  const due = files.filter(({ prefixes }) => !prefixes.some((prefix) => awaited.has(prefix)))
  // In the order of the ids, so that two batches cannot deadlock.
  const { rows: begun } = await sql<{ id: number }>`
    update media_files f set purging_at = now()
    from (
      select media_files.id from media_files
      join unnest(${due.map(({ id }) => id)}::bigint[], ${due.map(({ deletedAt }) => deletedAt)}::timestamptz[])
        as due (id, deleted_at) on media_files.id = due.id and media_files.deleted_at = due.deleted_at
      where ${mayBePurged}
      order by media_files.id for no key update of media_files
    ) begun
    where f.id = begun.id
    returning f.id`.execute(kysely)
  const begunIds = new Set(begun.map(({ id }) => id))
  return due.filter(({ id }) => begunIds.has(id))
}

const purge = async (
  { database, blobs }: PurgeDependencies,
  files: readonly DueFile[],
): Promise<undefined> => {
  const ids = files.map(({ id }) => id)
  const prefixes = files.flatMap((file) => file.prefixes)
  // Its entries in the garbage list go with the file. They may name blobs elsewhere, such as pieces of a recording.
  const discarded = await database.kysely
    .selectFrom('discarded_media')
    .select('blobs')
    .where('file_id', 'in', ids)
    .execute()
  const elsewhere = discarded
    .flatMap((entry) => entry.blobs)
    .filter((key) => !prefixes.some((prefix) => key.startsWith(prefix)))
  await blobs.deleteAll([...prefixes, ...new Set(elsewhere)])
  await database.kysely.deleteFrom('media_files').where('id', 'in', ids).execute()
}
