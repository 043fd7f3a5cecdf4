import type { Selectable } from 'kysely'
import type { Queryable } from '../kernel/db/database.ts'
import type { UploadsTable } from '../kernel/db/tables.ts'
import { hashToken, newUrlToken } from '../kernel/ids.ts'

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
}

/** Answers the token of the upload URL, which is the credential and exists nowhere else. */
export const insertUpload = async (
  queryable: Queryable,
  upload: NewUpload,
): Promise<{ token: string; row: UploadRow }> => {
  const token = newUrlToken()
  const row = await queryable
    .insertInto('uploads')
    .values({
      token_hash: hashToken(token),
      account_id: upload.accountId,
      file_id: upload.fileId,
      size_bytes: upload.sizeBytes,
      checksum: upload.checksum,
      expires_at: upload.expiresAt,
      ...(upload.stagingName === undefined ? {} : { staging_name: upload.stagingName }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { token, row }
}

/** Null for an unknown token, and when the file of the upload was deleted. */
export const findUpload = async (queryable: Queryable, token: string): Promise<UploadRow | null> =>
  (await queryable
    .selectFrom('uploads')
    .innerJoin('media_files', 'media_files.id', 'uploads.file_id')
    .selectAll('uploads')
    .where('token_hash', '=', hashToken(token))
    .where('media_files.deleted_at', 'is', null)
    .executeTakeFirst()) ?? null

/** The row as it is now; as it was when its file has been purged meanwhile. */
export const reloadUpload = async (queryable: Queryable, upload: UploadRow): Promise<UploadRow> =>
  (await queryable
    .selectFrom('uploads')
    .selectAll()
    .where('token_hash', '=', upload.token_hash)
    .executeTakeFirst()) ?? upload

/** An upload expires a while after its last byte, not after its creation. */
export const extendUpload = async (
  queryable: Queryable,
  upload: UploadRow,
  change: { readonly expiresAt: Date; readonly sizeBytes: number | null },
): Promise<void> => {
  await queryable
    .updateTable('uploads')
    .set({ expires_at: change.expiresAt, size_bytes: change.sizeBytes })
    .where('token_hash', '=', upload.token_hash)
    .execute()
}
