import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isAwaitedByClip } from '../media/clips.ts'
import type { PurgeFileJob } from '../queue/file-jobs.ts'
import { blobPrefixesOf } from '../record/media-file-store.ts'

/**
 * Removes the media, then the row; running twice is harmless. Skips a file that was restored in the meantime;
 * a file whose purge has begun cannot be restored. Waits while a clip has yet to be cut from the file:
 * housekeeping enqueues it again.
 */
export const createPurgeFileHandler =
  (dependencies: { readonly database: Database; readonly blobs: BlobStore }) =>
  async (job: PurgeFileJob): Promise<void> => {
    const { accountId, fileId, deletedAtMs } = job
    const { database, blobs } = dependencies
    const file = await database.kysely
      .selectFrom('media_files')
      .select('former_project_ids')
      .where('account_id', '=', accountId)
      .where('id', '=', fileId)
      .executeTakeFirst()
    if (file === undefined) return
    const prefixes = blobPrefixesOf(job, file.former_project_ids)
    if (await isAwaitedByClip(database.kysely, prefixes)) return
    const { numUpdatedRows } = await database.kysely
      .updateTable('media_files')
      .set({ purging_at: new Date() })
      .where('account_id', '=', accountId)
      .where('id', '=', fileId)
      .where('deleted_at', '=', new Date(deletedAtMs))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    for (const prefix of prefixes) await blobs.deletePrefix(prefix)
    await database.kysely.deleteFrom('media_files').where('id', '=', fileId).execute()
  }
