import { changeExtras, type FileAddress } from '../files/change/change-extras.ts'
import { discardBlobs } from '../files/media/garbage-list.ts'
import { checkMayEdit } from '../files/record/file-access.ts'
import type { FilePictureRow } from '../files/record/parts/picture-record.ts'
import { deleteGarbageEntry } from '../files/media/garbage-entries.ts'
import type { Principal } from '../../platform/http/requests/authenticate.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { Problem } from '../../platform/base/problem.ts'

export interface PictureDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly publicUrl: string
}

export interface PictureChange {
  readonly address: FileAddress
  readonly principal: Principal
}

export const findPicture = async (
  queryable: Queryable,
  fileId: number,
  pictureId: number,
): Promise<FilePictureRow> => {
  const row = await queryable
    .selectFrom('file_pictures')
    .selectAll()
    .where('file_id', '=', fileId)
    .where('id', '=', pictureId)
    .executeTakeFirst()
  if (row === undefined) throw new Problem('picture_not_found', { pictureId, fileId })
  return row
}

const hasStandard = async (tx: Tx, fileId: number): Promise<boolean> =>
  (await tx
    .selectFrom('file_pictures')
    .select('id')
    .where('file_id', '=', fileId)
    .where('is_standard', '=', true)
    .executeTakeFirst()) !== undefined

const setStandard = async (tx: Tx, fileId: number, pictureId: number): Promise<void> => {
  // In two statements, because the unique index on the standard picture checks each row as it changes.
  await tx
    .updateTable('file_pictures')
    .set({ is_standard: false })
    .where('file_id', '=', fileId)
    .where('is_standard', '=', true)
    .execute()
  await tx.updateTable('file_pictures').set({ is_standard: true }).where('id', '=', pictureId).execute()
}

export interface MadePicture {
  readonly widthPixels: number
  readonly heightPixels: number
  readonly pictureBlob: string
  readonly thumbBlob: string
  readonly sizeBytes: number
  /** Id of the garbage list entry that holds its blobs until a row refers to them. */
  readonly entryId: number
}

/**
 * Adds a picture. The first picture of a file always becomes the standard one. `alongside` runs in the same
 * transaction.
 */
export const insertPicture = (
  { database, publicUrl }: Pick<PictureDependencies, 'database' | 'publicUrl'>,
  address: FileAddress,
  picture: MadePicture,
  options: { readonly isStandard: boolean; readonly isManualUpload: boolean },
  alongside: (tx: Tx, pictureId: number) => Promise<void>,
): Promise<void> =>
  database.transaction((tx) =>
    changeExtras(tx, publicUrl, address, async (file) => {
      const { id } = await tx
        .insertInto('file_pictures')
        .values({
          account_id: file.account_id,
          file_id: file.id,
          width_pixels: picture.widthPixels,
          height_pixels: picture.heightPixels,
          is_standard: false,
          manual_upload: options.isManualUpload,
          picture_blob: picture.pictureBlob,
          thumb_blob: picture.thumbBlob,
          size_bytes: picture.sizeBytes,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (options.isStandard || !(await hasStandard(tx, file.id))) await setStandard(tx, file.id, id)
      await deleteGarbageEntry(tx, picture.entryId)
      await alongside(tx, id)
      return { bytes: picture.sizeBytes, result: undefined }
    }),
  )

/**
 * Updates a picture. `decide` receives the current row, may throw, and returns whether it becomes the
 * standard picture.
 */
export const updatePicture = (
  { database, publicUrl }: PictureDependencies,
  { address, principal }: PictureChange,
  pictureId: number,
  decide: (before: FilePictureRow) => boolean,
): Promise<FilePictureRow> =>
  database.transaction((tx) =>
    changeExtras(tx, publicUrl, address, async (file) => {
      checkMayEdit(principal, file)
      const before = await findPicture(tx, file.id, pictureId)
      if (!decide(before) || before.is_standard) return { bytes: 0, result: before, isUnchanged: true }
      await setStandard(tx, file.id, pictureId)
      return { bytes: 0, result: await findPicture(tx, file.id, pictureId) }
    }),
  )

const sizeOf = async (blobs: BlobStore, picture: FilePictureRow): Promise<number> => {
  if (picture.size_bytes > 0) return picture.size_bytes
  const stats = await Promise.all([picture.picture_blob, picture.thumb_blob].map((key) => blobs.stat(key)))
  return stats.reduce((sum, stat) => sum + (stat?.sizeBytes ?? 0), 0)
}

/** Deletes a picture. The newest remaining picture becomes the standard one if the deleted one was. */
export const deletePicture = (
  { database, blobs, publicUrl }: PictureDependencies,
  { address, principal }: PictureChange,
  pictureId: number,
  check: (before: FilePictureRow) => void,
): Promise<void> =>
  database.transaction((tx) =>
    changeExtras(tx, publicUrl, address, async (file) => {
      checkMayEdit(principal, file)
      const before = await findPicture(tx, file.id, pictureId)
      check(before)
      await tx.deleteFrom('file_pictures').where('id', '=', pictureId).execute()
      const next = await tx
        .selectFrom('file_pictures')
        .select('id')
        .where('file_id', '=', file.id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (before.is_standard && next !== undefined) await setStandard(tx, file.id, next.id)
      await discardBlobs(tx, file, [before.picture_blob, before.thumb_blob])
      return { bytes: -(await sizeOf(blobs, before)), result: undefined }
    }),
  )
