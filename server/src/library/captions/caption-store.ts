import { changeExtras, type FileAddress } from '../files/change/change-extras.ts'
import { discardBlobs } from '../files/media/garbage-list.ts'
import { checkMayEdit } from '../files/record/file-access.ts'
import type { MediaFileRow } from '../files/record/file-record.ts'
import type { FileCaptionRow } from '../files/record/parts/caption-record.ts'
import { blobPrefixOf, isPurged } from '../files/record/media-file-store.ts'
import { deleteGarbageEntry, addGarbageEntry } from '../files/media/garbage-entries.ts'
import type { Principal } from '../../platform/http/requests/authenticate.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { isUnchanged } from '../../platform/db/is-unchanged.ts'
import { newId } from '../../platform/base/ids.ts'
import { Problem } from '../../platform/base/problem.ts'

export interface CaptionDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly publicUrl: string
}

interface StoredText {
  readonly publicId: string
  readonly blob: string
  readonly sizeBytes: number
  readonly entryId: number
}

export interface CaptionFields {
  readonly language: string
  readonly kind: FileCaptionRow['kind']
  readonly label: string
  readonly isDefault: boolean
}

export interface CaptionChange {
  readonly address: FileAddress
  readonly principal: Principal
}

const captionNotFound = (captionId: number, fileId: number): Problem =>
  new Problem('caption_not_found', { captionId, fileId })

export const findCaption = async (
  queryable: Queryable,
  fileId: number,
  captionId: number,
): Promise<FileCaptionRow> => {
  const row = await queryable
    .selectFrom('file_captions')
    .selectAll()
    .where('file_id', '=', fileId)
    .where('id', '=', captionId)
    .executeTakeFirst()
  if (row === undefined) throw captionNotFound(captionId, fileId)
  return row
}

export const storeText = async (
  { database, blobs }: CaptionDependencies,
  address: FileAddress,
  text: string,
): Promise<StoredText> => {
  const publicId = newId()
  const blob = `${blobPrefixOf(address)}captions/${publicId}.vtt`
  const entryId = await addGarbageEntry(database, address, [blob])
  const { sizeBytes } = await blobs.put(blob, Buffer.from(text), { contentType: 'text/vtt' })
  if (await isPurged(database.kysely, address.fileId)) await blobs.delete(blob)
  return { publicId, blob, sizeBytes, entryId }
}

const checkIsFree = async (
  tx: Tx,
  fileId: number,
  { language, kind }: Pick<CaptionFields, 'language' | 'kind'>,
  exceptId: number,
): Promise<void> => {
  const taken = await tx
    .selectFrom('file_captions')
    .select('id')
    .where('file_id', '=', fileId)
    .where('language', '=', language)
    .where('kind', '=', kind)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  if (taken !== undefined)
    throw new Problem('caption_exists', { fileId, kind, language, captionId: taken.id })
}

/** Deletes the source caption that an upload replaces. Returns its size in bytes. */
const takePlaceOfSource = async (
  tx: Tx,
  file: MediaFileRow,
  { language, kind }: Pick<CaptionFields, 'language' | 'kind'>,
): Promise<number> => {
  const removed = await tx
    .deleteFrom('file_captions')
    .where('file_id', '=', file.id)
    .where('language', '=', language)
    .where('kind', '=', kind)
    .where('origin', '=', 'source')
    .returning(['caption_blob', 'size_bytes'])
    .executeTakeFirst()
  if (removed === undefined) return 0
  await discardBlobs(tx, file, [removed.caption_blob])
  return removed.size_bytes
}

const unsetDefault = async (tx: Tx, fileId: number): Promise<void> => {
  await tx
    .updateTable('file_captions')
    .set({ is_default: false })
    .where('file_id', '=', fileId)
    .where('is_default', '=', true)
    .execute()
}

/**
 * Adds a caption track and replaces a source track of its kind and language. Throws 'conflict' when an
 * uploaded track has them.
 */
export const insertCaption = (
  { database, publicUrl }: CaptionDependencies,
  { address, principal }: CaptionChange,
  fields: CaptionFields,
  text: StoredText,
): Promise<FileCaptionRow> =>
  database.transaction((tx) =>
    changeExtras(tx, publicUrl, address, async (file) => {
      checkMayEdit(principal, file)
      const freedBytes = await takePlaceOfSource(tx, file, fields)
      await checkIsFree(tx, file.id, fields, 0)
      if (fields.isDefault) await unsetDefault(tx, file.id)
      const inserted = await tx
        .insertInto('file_captions')
        .values({
          account_id: file.account_id,
          file_id: file.id,
          language: fields.language,
          kind: fields.kind,
          label: fields.label,
          is_default: fields.isDefault,
          public_id: text.publicId,
          caption_blob: text.blob,
          size_bytes: text.sizeBytes,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await deleteGarbageEntry(tx, text.entryId)
      return { bytes: text.sizeBytes - freedBytes, result: inserted }
    }),
  )

/**
 * Updates a caption track. `decide` receives the current row and may throw; `text` replaces the current text.
 */
export const updateCaption = (
  { database, publicUrl }: CaptionDependencies,
  { address, principal }: CaptionChange,
  captionId: number,
  decide: (before: FileCaptionRow) => CaptionFields,
  text: StoredText | null,
): Promise<FileCaptionRow> =>
  database.transaction((tx) =>
    changeExtras(tx, publicUrl, address, async (file) => {
      checkMayEdit(principal, file)
      const before = await findCaption(tx, file.id, captionId)
      const fields = decide(before)
      const change = {
        language: fields.language,
        kind: fields.kind,
        label: fields.label,
        is_default: fields.isDefault,
      }
      if (text === null && isUnchanged(before, change)) return { bytes: 0, result: before, isUnchanged: true }
      await checkIsFree(tx, file.id, fields, captionId)
      if (fields.isDefault && !before.is_default) await unsetDefault(tx, file.id)
      const updated = await tx
        .updateTable('file_captions')
        .set({
          ...change,
          updated_at: new Date(),
          ...(text === null
            ? {}
            : {
                public_id: text.publicId,
                caption_blob: text.blob,
                size_bytes: text.sizeBytes,
                origin: 'upload',
              }),
        })
        .where('id', '=', captionId)
        .returningAll()
        .executeTakeFirstOrThrow()
      if (text === null) return { bytes: 0, result: updated }
      await discardBlobs(tx, file, [before.caption_blob])
      await deleteGarbageEntry(tx, text.entryId)
      return { bytes: text.sizeBytes - before.size_bytes, result: updated }
    }),
  )

export const deleteCaption = (
  { database, publicUrl }: CaptionDependencies,
  { address, principal }: CaptionChange,
  captionId: number,
  check: (before: FileCaptionRow) => void,
): Promise<void> =>
  database.transaction((tx) =>
    changeExtras(tx, publicUrl, address, async (file) => {
      checkMayEdit(principal, file)
      const before = await findCaption(tx, file.id, captionId)
      check(before)
      await tx.deleteFrom('file_captions').where('id', '=', captionId).execute()
      await discardBlobs(tx, file, [before.caption_blob])
      return { bytes: -before.size_bytes, result: undefined }
    }),
  )
