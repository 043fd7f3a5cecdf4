import type { Selectable } from 'kysely'
import { discardBlobs } from '../files/discarded-media.ts'
import type { MediaFileRow } from '../files/file-record.ts'
import { fileBlobPrefix } from '../files/media-file-store.ts'
import type { Queryable, Tx } from '../kernel/db/database.ts'
import type { UploadsTable } from '../kernel/db/tables.ts'
import { hashToken, newId, newUrlToken } from '../kernel/ids.ts'
import type { GrowthChange } from './growing-bytes.ts'

export type UploadRow = Selectable<UploadsTable>

export interface NewUpload {
  readonly accountId: number
  readonly fileId: number
  /** Null when the sender did not say. */
  readonly sizeBytes: number | null
  readonly checksum: string | null
  readonly expiresAt: Date
  /** Names bytes that have arrived already. */
  readonly stagingName?: string
  /** What the new source of an existing file is called; absent for a file that is made with its upload. */
  readonly newSourceName?: string
  /** What a tus client said when it made the upload, to be told again. */
  readonly tus?: TusWords
}

/** Headers of the request that made an upload. */
export interface TusWords {
  /** Upload-Metadata */
  readonly metadata: string | null
  /** Upload-Concat */
  readonly concat: string | null
}

/** Answers the token of the upload URL, which is the credential and exists nowhere else. */
export const insertUpload = async (
  queryable: Queryable,
  upload: NewUpload,
): Promise<{ token: string; row: UploadRow }> => {
  const token = newUrlToken()
  const stagingName = upload.stagingName ?? newId()
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

/** Null for an unknown token, and when the file of the upload or its project was deleted. */
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

/** The row as it is now; as it was when its file has been purged meanwhile. */
export const reloadUpload = async (queryable: Queryable, upload: UploadRow): Promise<UploadRow> =>
  (await queryable
    .selectFrom('uploads')
    .selectAll()
    .where('token_hash', '=', upload.token_hash)
    .executeTakeFirst()) ?? upload

/**
 * Ends uploads of a file that are not complete: their URLs answer 404 from now on. What one of them may write at this very moment is noted
 * for removal.
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

/** An upload expires a while after its last byte, not after its creation. */
export const extendUpload = async (
  queryable: Queryable,
  upload: UploadRow,
  change: GrowthChange & { readonly expiresAt: Date },
): Promise<void> => {
  await queryable
    .updateTable('uploads')
    .set(growthColumns(change))
    .where('token_hash', '=', upload.token_hash)
    .execute()
}

/** The columns that uploads and their parts have in common. */
export const growthColumns = ({
  sizeBytes,
  uncheckedAfter,
  expiresAt,
}: GrowthChange & { readonly expiresAt: Date }) => ({
  expires_at: expiresAt,
  ...(sizeBytes === undefined ? {} : { size_bytes: sizeBytes }),
  ...(uncheckedAfter === undefined ? {} : { unchecked_after: uncheckedAfter }),
})
