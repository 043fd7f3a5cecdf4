import { sql } from 'kysely'
import type { Database, Tx } from '../kernel/db/database.ts'
import { Problem } from '../kernel/problem.ts'
import { fileNotFound, type FileKey } from './media-file-store.ts'

/** Longer than a request may take from the note to the row that names the blobs. */
const requestGraceSeconds = 900

/**
 * Notes blobs before they are written, so that a crash before a row names them leaves nothing behind: housekeeping removes what is still noted
 * after the grace. Outside of the transaction that the caller may run in, because that one would be lost with the crash. The note of an earlier try
 * that was to write the same blobs is taken over: left alone, it would remove them when they are named. Answers the note.
 */
export const noteUnnamedBlobs = async (
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

/** In the transaction that writes the row: from its commit on the blobs stay. */
export const nameBlobs = async (tx: Tx, note: number): Promise<void> => {
  if (!(await withdrawNote(tx, note)))
    throw new Problem('unavailable', 'Storing took too long; try again.', { headers: { 'Retry-After': '5' } })
}

/** Where another try may have named the same blobs. False when the note is gone. */
export const withdrawNote = async (tx: Tx, note: number): Promise<boolean> => {
  const withdrawn = await tx
    .deleteFrom('discarded_media')
    .where('id', '=', note)
    .returning(['file_id', 'blobs'])
    .executeTakeFirst()
  if (withdrawn === undefined) return false
  // Two tries at the same instant may have made one each.
  await tx
    .deleteFrom('discarded_media')
    .where('file_id', '=', withdrawn.file_id)
    .where('generation', 'is', null)
    .where(sql<boolean>`blobs = ${sql.val(withdrawn.blobs)}`)
    .execute()
  return true
}
