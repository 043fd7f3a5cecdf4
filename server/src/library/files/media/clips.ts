import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { cutClipJob, type ClipFileJob } from '../queue/file-jobs.ts'
import type { MediaFileRow } from '../record/file-record.ts'

/** A row in `clips` exists for each file whose source has yet to be cut from another file. */

export interface Clip {
  readonly sourceBlob: string
  readonly startSeconds: number
  readonly endSeconds: number
}

type ClipFile = Pick<MediaFileRow, 'account_id' | 'project_id' | 'id'>

/** Enqueues the cut, in the transaction that creates the file. */
export const openClip = async (tx: Tx, jobs: Jobs, file: ClipFile, clip: Clip): Promise<void> => {
  const { attempt } = await tx
    .insertInto('clips')
    .values({
      account_id: file.account_id,
      file_id: file.id,
      source_blob: clip.sourceBlob,
      start_seconds: clip.startSeconds,
      end_seconds: clip.endSeconds,
    })
    .returning('attempt')
    .executeTakeFirstOrThrow()
  await enqueueClip(tx, jobs, file, attempt)
}

/**
 * Enqueues a new attempt to cut the source of a file; a running job becomes a no-op. Returns false when there
 * is nothing to cut.
 */
export const askForClip = async (tx: Tx, jobs: Jobs, file: ClipFile): Promise<boolean> => {
  const asked = await tx
    .updateTable('clips')
    .set({ attempt: sql<number>`attempt + 1` })
    .where('account_id', '=', file.account_id)
    .where('file_id', '=', file.id)
    .returning('attempt')
    .executeTakeFirst()
  if (asked === undefined) return false
  await enqueueClip(tx, jobs, file, asked.attempt)
  return true
}

const enqueueClip = (tx: Tx, jobs: Jobs, file: ClipFile, attempt: number): Promise<void> =>
  jobs.enqueue(
    tx,
    cutClipJob,
    { accountId: file.account_id, projectId: file.project_id, fileId: file.id, attempt },
    { key: `${file.id}.${attempt}` },
  )

const wantedClip = (job: ClipFileJob) => ({
  account_id: job.accountId,
  file_id: job.fileId,
  attempt: job.attempt,
})

/** Returns the clip of a job, or null when it is cut or another attempt has replaced this one. */
export const findClip = async (queryable: Queryable, job: ClipFileJob): Promise<Clip | null> => {
  const row = await queryable
    .selectFrom('clips')
    .select(['source_blob', 'start_seconds', 'end_seconds'])
    .where((where) => where.and(wantedClip(job)))
    .executeTakeFirst()
  if (row === undefined) return null
  return { sourceBlob: row.source_blob, startSeconds: row.start_seconds, endSeconds: row.end_seconds }
}

/**
 * Deletes the row, in the transaction that gives the file its source. Returns false when another run was
 * first.
 */
export const closeClip = async (tx: Tx, job: ClipFileJob): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('clips')
    .where((where) => where.and(wantedClip(job)))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Returns those of these keys under which a blob is from which a clip has yet to be cut; keys with a final
 * slash are folders. Ignores clips that have a source or have failed.
 */
export const keysAwaitedByClips = async (
  queryable: Queryable,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${[...keys]}::text[]) as key
    where exists (
      select from clips join media_files f on f.id = clips.file_id
      where f.source_blob is null and f.state <> 'failed' and starts_with(clips.source_blob, key)
    )`.execute(queryable)
  return new Set(rows.map(({ key }) => key))
}
