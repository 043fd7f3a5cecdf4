import { discardBlobs } from '../../../library/files/media/garbage-list.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import type { FileChange } from '../../../library/files/record/media-file-store.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { NewPoster } from '../../../platform/db/tables/pictures.ts'

/**
 * Storage of the picture that is taken from each source automatically. Pictures chosen or uploaded by users
 * are never changed here.
 */

/**
 * Whether the source already has its picture. The picture of a new source waits in the pending revision,
 * beside the pictures of the current one.
 */
export const hasPoster = async (
  queryable: Queryable,
  { id, rework: pending }: Pick<MediaFileRow, 'id' | 'rework'>,
): Promise<boolean> => {
  if (pending !== null && pending.source !== null) return pending.poster !== null
  const picture = await queryable
    .selectFrom('file_pictures')
    .select('id')
    .where('file_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return picture !== undefined
}

/**
 * Inserts the picture; the caller holds the file lock and has checked `hasPoster`. Returns the columns to
 * change in the file row.
 */
export const insertPoster = async (
  tx: Tx,
  file: MediaFileRow,
  revision: number,
  poster: NewPoster,
): Promise<FileChange['set']> => {
  const { rework: pending } = file
  if (pending !== null && pending.source !== null) return { rework: JSON.stringify({ ...pending, poster }) }
  await tx
    .insertInto('file_pictures')
    .values({ ...pictureColumns(file, revision, poster), is_standard: true })
    .execute()
  return {}
}

const pictureColumns = (file: MediaFileRow, revision: number, poster: NewPoster) => ({
  account_id: file.account_id,
  file_id: file.id,
  width_pixels: poster.widthPixels,
  height_pixels: poster.heightPixels,
  picture_blob: poster.pictureBlob,
  thumb_blob: poster.thumbBlob,
  size_bytes: poster.sizeBytes,
  poster_of_generation: revision,
})

/** Assigns the picture to a new revision of the same source. */
export const keepPoster = async (tx: Tx, file: MediaFileRow, revision: number): Promise<void> => {
  await tx
    .updateTable('file_pictures')
    .set({ poster_of_generation: revision })
    .where('file_id', '=', file.id)
    .where('poster_of_generation', 'is not', null)
    .execute()
}

/**
 * Replaces the picture of the old source with that of the new one. A default picture that a user chose stays
 * the default. Returns the size of the old picture, in bytes.
 */
export const adoptPoster = async (
  tx: Tx,
  blobs: BlobStore,
  file: MediaFileRow,
  { revision, poster }: { readonly revision: number; readonly poster: NewPoster | null },
): Promise<number> => {
  const old = await tx
    .deleteFrom('file_pictures')
    .where('file_id', '=', file.id)
    .where('poster_of_generation', 'is not', null)
    .returning(['picture_blob', 'thumb_blob'])
    .execute()
  const keys = old.flatMap(({ picture_blob, thumb_blob }) => [picture_blob, thumb_blob])
  let freedBytes = 0
  for (const key of keys) freedBytes += (await blobs.stat(key))?.sizeBytes ?? 0
  if (keys.length > 0) await discardBlobs(tx, file, keys)
  const byHand = await tx
    .selectFrom('file_pictures')
    .select(['id', 'is_standard'])
    .where('file_id', '=', file.id)
    .orderBy('id', 'desc')
    .execute()
  const hasStandard = byHand.some(({ is_standard }) => is_standard)
  if (poster !== null)
    await tx
      .insertInto('file_pictures')
      .values({ ...pictureColumns(file, revision, poster), is_standard: !hasStandard })
      .execute()
  else if (!hasStandard && byHand[0] !== undefined)
    await tx.updateTable('file_pictures').set({ is_standard: true }).where('id', '=', byHand[0].id).execute()
  return freedBytes
}
