import type { BlobStore } from '../kernel/blobs/blob-store.ts'
import type { Database } from '../kernel/db/database.ts'
import type { PurgeFileJob } from './file-jobs.ts'
import { blobPrefixOf } from './media-file-store.ts'

/** Removes the media, then the row; doing it twice is harmless. A file that was restored meanwhile is left alone. */
export const createPurgeFileHandler =
  (dependencies: { readonly database: Database; readonly blobs: BlobStore }) =>
  async (job: PurgeFileJob): Promise<void> => {
    const { accountId, fileId, deletedAtMs } = job
    const { database, blobs } = dependencies
    const file = await database.kysely
      .selectFrom('media_files')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', fileId)
      .where('deleted_at', '=', new Date(deletedAtMs))
      .executeTakeFirst()
    if (file === undefined) return
    await blobs.deletePrefix(blobPrefixOf(job))
    await database.kysely.deleteFrom('media_files').where('id', '=', fileId).execute()
  }
