import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../platform/db/database.ts'
import { piecesPrefix } from './left-pieces.ts'
import { storedWindowPrefix } from './stored-windows.ts'

/**
 * Returns the number of unsaved recordings and of DVR windows that need bytes in this store. Those that began after a
 * change of the storage need only the current one.
 */
export const countLiveInStore = async (
  { kysely }: Pick<Database, 'kysely'>,
  store: Pick<BlobStore, 'list'>,
): Promise<{ readonly recordings: number; readonly dvrWindows: number }> => {
  const recordings = await kysely
    .selectFrom('live_recordings')
    .select('file_name')
    .where('is_stored', '=', true)
    .where('state', 'in', ['recording', 'finishing'])
    .execute()
  const broadcasts = await kysely
    .selectFrom('live_broadcasts')
    .select('id')
    .where('has_stored_window', '=', true)
    .execute()
  const countIn = async (prefixes: readonly string[]): Promise<number> => {
    let count = 0
    for (const prefix of prefixes) if ((await store.list(prefix)).length > 0) count++
    return count
  }
  return {
    recordings: await countIn(recordings.map(({ file_name }) => piecesPrefix(file_name))),
    dvrWindows: await countIn(broadcasts.map(({ id }) => storedWindowPrefix(id))),
  }
}
