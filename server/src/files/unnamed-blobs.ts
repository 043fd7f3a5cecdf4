import type { Database, Tx } from '../kernel/db/database.ts'
import { Problem } from '../kernel/problem.ts'
import { fileNotFound, type FileKey } from './media-file-store.ts'

/** Longer than a request may take from the note to the row that names the blobs. */
const requestGraceSeconds = 900

/**
 * Notes blobs before they are written, so that a crash before a row names them leaves nothing behind: housekeeping removes what is still noted
 * after the grace. Outside of the transaction that the caller may run in, because that one would be lost with the crash. Answers the note.
 */
export const noteUnnamedBlobs = async (
  { sql }: Pick<Database, 'sql'>,
  { accountId, fileId }: FileKey,
  blobs: readonly string[],
  graceSeconds: number = requestGraceSeconds,
): Promise<number> => {
  const [row] = await sql<{ id: number }[]>`
    insert into discarded_media (account_id, file_id, blobs, remove_after)
    select account_id, id, ${[...blobs]}::text[], now() + make_interval(secs => ${graceSeconds})
    from media_files where account_id = ${accountId} and id = ${fileId}
    returning id`
  if (row === undefined) throw fileNotFound(fileId)
  return row.id
}

/** In the transaction that writes the row: from its commit on the blobs stay. */
export const nameBlobs = async (tx: Tx, note: number): Promise<void> => {
  const { numDeletedRows } = await tx
    .deleteFrom('discarded_media')
    .where('id', '=', note)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n)
    throw new Problem('unavailable', 'Storing took too long; try again.', { headers: { 'Retry-After': '5' } })
}
