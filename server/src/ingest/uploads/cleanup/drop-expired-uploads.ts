import { deleteFile } from '../../../library/files/change/delete-file.ts'
import { lockFileInProject } from '../../../library/files/record/lock-file-in-project.ts'
import { lockMediaFile, type FileKey } from '../../../library/files/record/media-file-store.ts'
import type { TouchPlaylists } from '../../../library/files/change/touch-playlists.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { forEachAtOnce } from '../../../platform/base/concurrency/for-each-at-once.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { UploadDependencies } from '../receive/finish-upload.ts'
import { stagingOf } from '../store/stagings.ts'
import { giveUpUploads } from '../store/upload-store.ts'

export interface ExpiryDependencies extends UploadDependencies {
  readonly log: Log
  readonly touchPlaylists: TouchPlaylists
}

const pageSize = 1_000
const dropsAtOnce = 4

interface Expired {
  readonly account_id: number
  readonly project_id: number
  readonly file_id: number
  readonly staging_name: string
  readonly staged_on: string | null
}

/**
 * Deletes expired uploads. The record of a new file is deleted with its upload at once, like a deleted file;
 * a file with an existing source stays.
 */
export const dropExpiredUploads = async (dependencies: ExpiryDependencies): Promise<void> => {
  const { database, log } = dependencies
  const drop = async (upload: Expired): Promise<void> => {
    const isDropped = await database
      .transaction((tx) => dropExpired(tx, dependencies, upload))
      .catch((error: unknown) => {
        log.warn({ fileId: upload.file_id, err: error }, 'cannot delete an expired upload')
        return false
      })
    if (isDropped) await removeStaged(dependencies, upload)
  }
  let page: Expired[]
  let after = '00000000-0000-0000-0000-000000000000'
  do {
    page = await listExpired(dependencies, after)
    await forEachAtOnce(page, dropsAtOnce, drop)
    after = page.at(-1)?.staging_name ?? after
  } while (page.length === pageSize)
}

/** Those after this staging name, so that one that cannot be deleted is not listed again. */
const listExpired = ({ database }: ExpiryDependencies, after: string): Promise<Expired[]> =>
  database.kysely
    .selectFrom('uploads')
    .innerJoin('media_files', 'media_files.id', 'uploads.file_id')
    .innerJoin('projects', 'projects.id', 'media_files.project_id')
    .select([
      'uploads.account_id',
      'media_files.project_id',
      'uploads.file_id',
      'uploads.staging_name',
      'uploads.staged_on',
    ])
    .where('uploads.completed_at', 'is', null)
    .where('uploads.expires_at', '<', new Date())
    // A deleted file or project may be restored, and its upload with it.
    .where('media_files.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    // A pull has separate limits.
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('pulls')
            .select('id')
            .whereRef('pulls.upload_token_hash', '=', 'uploads.token_hash'),
        ),
      ),
    )
    .where('uploads.staging_name', '>', after)
    .orderBy('uploads.staging_name')
    .limit(pageSize)
    .execute()

const dropExpired = async (tx: Tx, dependencies: ExpiryDependencies, upload: Expired): Promise<boolean> => {
  const key = { accountId: upload.account_id, fileId: upload.file_id }
  await lockFileInProject(tx, { ...key, projectId: upload.project_id })
  // Checks again under the lock: the upload may have completed or resumed since the listing.
  const still = await tx
    .selectFrom('uploads')
    .select('file_id')
    .where('staging_name', '=', upload.staging_name)
    .where('completed_at', 'is', null)
    .where('expires_at', '<', new Date())
    .forUpdate()
    .executeTakeFirst()
  if (still === undefined) return false
  const file = await lockMediaFile(tx, key)
  if (file.source_blob === null) await deleteAtOnce(tx, dependencies, key)
  else await giveUpUploads(tx, file, { stagingName: upload.staging_name })
  return true
}

const deleteAtOnce = (tx: Tx, dependencies: ExpiryDependencies, key: FileKey): Promise<unknown> =>
  deleteFile(tx, { ...dependencies, retentionDays: 0 }, key)

/** Deletes files without bytes whose replacement was interrupted: no URL for their bytes exists. */
export const dropFilesWithoutUpload = async (
  dependencies: ExpiryDependencies,
  olderThanMs: number,
): Promise<void> => {
  const { database, log } = dependencies
  for (const { id, account_id, project_id } of await listWithoutUpload(database.kysely, olderThanMs))
    await database
      .transaction(async (tx) => {
        const key = { accountId: account_id, fileId: id }
        await lockFileInProject(tx, { ...key, projectId: project_id })
        // Checks again under the lock: a client may have opened an upload since the listing.
        const still = await listWithoutUpload(tx, olderThanMs, id)
        if (still.length > 0) await deleteAtOnce(tx, dependencies, key)
      })
      .catch((error: unknown) =>
        log.warn({ fileId: id, err: error }, 'cannot delete a file without an upload'),
      )
}

const listWithoutUpload = (queryable: Queryable, olderThanMs: number, fileId?: number) =>
  queryable
    .selectFrom('media_files')
    .select(['id', 'account_id', 'project_id'])
    .$if(fileId !== undefined, (query) => query.where('id', '=', fileId ?? 0))
    .where('state', '=', 'created')
    .where('source_kind', '=', 'upload')
    .where('source_blob', 'is', null)
    .where('deleted_at', 'is', null)
    .where('updated_at', '<', new Date(Date.now() - olderThanMs))
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('uploads').select('file_id').whereRef('uploads.file_id', '=', 'media_files.id'),
        ),
      ),
    )
    .limit(1_000)
    .execute()

/** Deletes expired parts that were never joined, with their bytes. */
export const dropExpiredParts = async (dependencies: ExpiryDependencies): Promise<void> => {
  const { database } = dependencies
  const expired = await database.kysely
    .deleteFrom('upload_parts')
    .where('expires_at', '<', new Date())
    .returning(['staging_name', 'staged_on'])
    .execute()
  for (const part of expired) await removeStaged(dependencies, part)
}

/** Bytes that this leaves are abandoned, which another task deletes: one failure must not keep those of others. */
const removeStaged = async (
  { stagings, log }: ExpiryDependencies,
  { staging_name, staged_on }: Pick<Expired, 'staging_name' | 'staged_on'>,
): Promise<void> => {
  try {
    await stagingOf(stagings, staged_on).remove(staging_name)
  } catch (error) {
    log.warn({ err: error }, 'cannot delete the bytes of an expired upload')
  }
}
