import type { Selectable } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import type { UploadPartsTable } from '../../../platform/db/tables/uploads.ts'
import { hashToken, newId, newUrlToken } from '../../../platform/base/ids.ts'
import type { UploadExtension } from './resumable-upload.ts'
import { growthColumns } from './upload-store.ts'

export type UploadPartRow = Selectable<UploadPartsTable>

/** Returns the token of the part's URL, which is the credential and is not stored. */
export const insertPart = async (
  queryable: Queryable,
  part: {
    readonly accountId: number
    readonly projectId: number
    readonly sizeBytes: number | null
    readonly metadata: string | null
    readonly expiresAt: Date
  },
): Promise<{ token: string; row: UploadPartRow }> => {
  const token = newUrlToken()
  const row = await queryable
    .insertInto('upload_parts')
    .values({
      token_hash: hashToken(token),
      account_id: part.accountId,
      project_id: part.projectId,
      staging_name: newId(),
      size_bytes: part.sizeBytes,
      tus_metadata: part.metadata,
      expires_at: part.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { token, row }
}

/** Returns null for an unknown token, an expired part and a part of a deleted project. */
export const findPart = async (queryable: Queryable, token: string): Promise<UploadPartRow | null> =>
  (await queryable
    .selectFrom('upload_parts')
    .innerJoin('projects', 'projects.id', 'upload_parts.project_id')
    .selectAll('upload_parts')
    .where('token_hash', '=', hashToken(token))
    .where('upload_parts.expires_at', '>', new Date())
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirst()) ?? null

/** Returns the current row; null when the part was deleted, or joined with others. */
export const reloadPart = async (
  queryable: Queryable,
  part: Pick<UploadPartRow, 'token_hash'>,
): Promise<UploadPartRow | null> =>
  (await queryable
    .selectFrom('upload_parts')
    .selectAll()
    .where('token_hash', '=', part.token_hash)
    .executeTakeFirst()) ?? null

export const extendPart = async (
  queryable: Queryable,
  part: Pick<UploadPartRow, 'token_hash'>,
  change: UploadExtension & { readonly expiresAt: Date },
): Promise<void> => {
  await queryable
    .updateTable('upload_parts')
    .set(growthColumns(change))
    .where('token_hash', '=', part.token_hash)
    .execute()
}

export const deletePart = async (
  queryable: Queryable,
  part: Pick<UploadPartRow, 'token_hash'>,
): Promise<void> => {
  await queryable.deleteFrom('upload_parts').where('token_hash', '=', part.token_hash).execute()
}
