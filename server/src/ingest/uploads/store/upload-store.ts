import type { Selectable } from 'kysely'
import { discardBlobs } from '../../../library/files/media/garbage-list.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { fileBlobPrefix } from '../../../library/files/record/media-file-store.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { UploadsTable } from '../../../platform/db/tables/uploads.ts'
import { hashToken, newId, newUrlToken } from '../../../platform/base/ids.ts'
import type { UploadExtension } from './resumable-upload.ts'

export type UploadRow = Selectable<UploadsTable>

export interface NewUpload {
  readonly accountId: number
  readonly fileId: number
  /** Null when the sender did not send one. */
  readonly sizeBytes: number | null
  readonly checksum: string | null
  readonly expiresAt: Date
  /** Place of bytes that have already arrived. */
  readonly staged?: StagedPlace
  /** File name of the new source of an existing file; absent for a file created with its upload. */
  readonly newSourceName?: string
  /** Headers of the tus client at creation, for later responses. */
  readonly tus?: TusWords
}

export interface StagedPlace {
  readonly name: string
  readonly stagedOn: string
}

/** Values of the headers Upload-Metadata and Upload-Concat of the request that created an upload. */
export interface TusWords {
  readonly metadata: string | null
  readonly concat: string | null
}

/** Returns the token of the upload URL, which is the credential and is not stored. */
export const insertUpload = async (
  queryable: Queryable,
  upload: NewUpload,
): Promise<{ token: string; row: UploadRow }> => {
  const token = newUrlToken()
  const stagingName = upload.staged?.name ?? newId()
  const row = await queryable
    .insertInto('uploads')
    .values({
      token_hash: hashToken(token),
      account_id: upload.accountId,
      file_id: upload.fileId,
      size_bytes: upload.sizeBytes,
      checksum: upload.checksum,
      expires_at: upload.expiresAt,
      staging_name: stagingName,
      staged_on: upload.staged?.stagedOn ?? null,
      tus_metadata: upload.tus?.metadata ?? null,
      tus_concat: upload.tus?.concat ?? null,
      ...(upload.newSourceName === undefined
        ? {}
        : { file_name: upload.newSourceName, source_name: `source-${stagingName}` }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { token, row }
}

/** Returns null for an unknown token, and when the file of the upload or its project was deleted. */
export const findUpload = async (queryable: Queryable, token: string): Promise<UploadRow | null> =>
  (await queryable
    .selectFrom('uploads')
    .innerJoin('media_files', 'media_files.id', 'uploads.file_id')
    .selectAll('uploads')
    .innerJoin('projects', 'projects.id', 'media_files.project_id')
    .where('token_hash', '=', hashToken(token))
    .where('media_files.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirst()) ?? null

/** Returns the current row, or the given one when its file was purged. */
export const reloadUpload = async (queryable: Queryable, upload: UploadRow): Promise<UploadRow> =>
  (await queryable
    .selectFrom('uploads')
    .selectAll()
    .where('token_hash', '=', upload.token_hash)
    .executeTakeFirst()) ?? upload

/**
 * Ends incomplete uploads of a file: their URLs answer 404 from now on. Adds bytes that a request may still
 * write to the garbage list.
 */
export const giveUpUploads = async (
  tx: Tx,
  file: Pick<MediaFileRow, 'account_id' | 'project_id' | 'id'>,
  only: { readonly stagingName?: string } = {},
): Promise<void> => {
  const given = await tx
    .deleteFrom('uploads')
    .where('file_id', '=', file.id)
    .where('completed_at', 'is', null)
    .$if(only.stagingName !== undefined, (query) => query.where('staging_name', '=', only.stagingName ?? ''))
    .returning(['source_name'])
    .execute()
  if (given.length > 0)
    await discardBlobs(
      tx,
      file,
      given.map(({ source_name }) => `${fileBlobPrefix(file)}${source_name}`),
    )
}

/** An upload expires some time after its last byte, not after its creation. */
export const extendUpload = async (
  queryable: Queryable,
  upload: UploadRow,
  change: UploadExtension & { readonly expiresAt: Date },
): Promise<void> => {
  await queryable
    .updateTable('uploads')
    .set(growthColumns(change))
    .where('token_hash', '=', upload.token_hash)
    .execute()
}

export const growthColumns = ({
  sizeBytes,
  uncheckedAfter,
  expiresAt,
}: UploadExtension & { readonly expiresAt: Date }) => ({
  expires_at: expiresAt,
  ...(sizeBytes === undefined ? {} : { size_bytes: sizeBytes }),
  ...(uncheckedAfter === undefined ? {} : { unchecked_after: uncheckedAfter }),
})
