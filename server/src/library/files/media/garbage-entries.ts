import { sql } from 'kysely'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { fileNotFound, type FileKey } from '../record/media-file-store.ts'

/** Longer than a request may take between this entry and the row that names the blobs. */
const requestGraceSeconds = 900

/**
 * Adds blobs to the garbage list before they are written, so that a crash leaves no orphans. Housekeeping
 * removes blobs that are still listed after the grace period. Runs outside the caller's transaction, which a
 * crash would roll back. Reuses the entry of an earlier attempt with the same blobs, which would otherwise
 * remove them later. Returns the id of the entry.
 */
export const addGarbageEntry = async (
  database: Pick<Database, 'sql'>,
  { accountId, fileId }: FileKey,
  blobs: readonly string[],
  graceSeconds: number = requestGraceSeconds,
): Promise<number> => {
  const [row] = await database.sql<{ id: number }[]>`
    with kept as (
      update discarded_media
      set remove_after = greatest(remove_after, now() + make_interval(secs => ${graceSeconds}))
      where account_id = ${accountId} and file_id = ${fileId} and generation is null
        and blobs = ${[...blobs]}::text[]
      returning id
    ), made as (
      insert into discarded_media (account_id, file_id, blobs, remove_after)
      select account_id, id, ${[...blobs]}::text[], now() + make_interval(secs => ${graceSeconds})
      from media_files
      where account_id = ${accountId} and id = ${fileId} and not exists (select from kept)
      returning id
    )
    select id from kept union all select id from made limit 1`
  if (row === undefined) throw fileNotFound(fileId)
  return row.id
}

/**
 * Deletes the entry, in the transaction that writes the row, so that the blobs stay from its commit on.
 * Throws 'unavailable' when housekeeping has removed the entry.
 */
export const deleteGarbageEntry = async (tx: Tx, entryId: number): Promise<void> => {
  if (!(await tryDeleteGarbageEntry(tx, entryId)))
    throw new Problem('storing_timed_out', {}, { headers: { 'Retry-After': '5' } })
}

/**
 * Deletes an entry when another attempt may have named the same blobs. Returns false when the entry is gone.
 */
export const tryDeleteGarbageEntry = async (tx: Tx, entryId: number): Promise<boolean> => {
  const withdrawn = await tx
    .deleteFrom('discarded_media')
    .where('id', '=', entryId)
    .returning(['file_id', 'blobs'])
    .executeTakeFirst()
  if (withdrawn === undefined) return false
  // Two concurrent attempts may each have made an entry.
  await tx
    .deleteFrom('discarded_media')
    .where('file_id', '=', withdrawn.file_id)
    .where('generation', 'is', null)
    .where(sql<boolean>`blobs = ${sql.val(withdrawn.blobs)}`)
    .execute()
  return true
}
