import type { BlobStore } from '../kernel/blobs/blob-store.ts'
import type { Database } from '../kernel/db/database.ts'
import { isAwaitedByClip } from './clips.ts'
import type { PurgeFileJob } from './file-jobs.ts'
import { blobPrefixOf } from './media-file-store.ts'

/**
 * Removes the media, then the row; doing it twice is harmless. A file that was restored meanwhile is left alone; one whose removal has begun
 * cannot be restored any more. One of which a clip is still to be cut waits for it: housekeeping asks again.
 */
export const createPurgeFileHandler =
  (dependencies: { readonly database: Database; readonly blobs: BlobStore }) =>
  async (job: PurgeFileJob): Promise<void> => {
    const { accountId, fileId, deletedAtMs } = job
    const { database, blobs } = dependencies
    if (await isAwaitedByClip(database.kysely, [blobPrefixOf(job)])) return
    const { numUpdatedRows } = await database.kysely
      .updateTable('media_files')
      .set({ purging_at: new Date() })
      .where('account_id', '=', accountId)
      .where('id', '=', fileId)
      .where('deleted_at', '=', new Date(deletedAtMs))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await blobs.deletePrefix(blobPrefixOf(job))
    await database.kysely.deleteFrom('media_files').where('id', '=', fileId).execute()
  }
