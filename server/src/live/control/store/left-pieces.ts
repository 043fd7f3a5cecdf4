import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../platform/db/database.ts'
import { keepHouse } from '../../../platform/jobs/housekeeping.ts'

/** Folder of all recordings in the media storage. */
export const storedRecordingsFolder = 'live/recordings/'

/** Folder of a recording in the media storage. */
export const piecesPrefix = (fileName: string): string =>
  `${storedRecordingsFolder}${fileName.replace(/\.mp4$/, '')}/`

/** A node that has not reached the database for a minute stores no more pieces. */
const leftAfterMs = 6 * 3_600_000

/**
 * Housekeeping: deletes pieces without an unsaved recording. A node stores the first ones before the recording
 * has a row, and may be killed before it can write the row. A node that was paused may store the last ones after
 * the end.
 */
export const dropLeftPieces = async (
  { kysely }: Database,
  blobs: Pick<BlobStore, 'list' | 'stat' | 'deletePrefix'>,
): Promise<void> => {
  const keys = await blobs.list(storedRecordingsFolder)
  const pieces = new Map(keys.map((key) => [key.slice(0, key.lastIndexOf('/') + 1), key]))
  if (pieces.size === 0) return
  const unsaved = await kysely
    .selectFrom('live_recordings')
    .select('file_name')
    .where('is_stored', '=', true)
    .where('state', 'in', ['recording', 'finishing'])
    .execute()
  for (const { file_name } of unsaved) pieces.delete(piecesPrefix(file_name))
  await keepHouse(
    [...pieces].map(([prefix, piece]) => async () => {
      const found = await blobs.stat(piece)
      if (found !== null && found.modifiedAt.getTime() < Date.now() - leftAfterMs)
        await blobs.deletePrefix(prefix)
    }),
  )
}
