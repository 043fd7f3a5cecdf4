import { beginRevision, takeFirstSource } from '../../../library/files/change/file-revisions.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { lockFileInProject } from '../../../library/files/record/lock-file-in-project.ts'
import {
  fileBlobPrefix,
  findMediaFile,
  isPurged,
  lockMediaFile,
} from '../../../library/files/record/media-file-store.ts'
import { withdrawUpload } from '../../../library/files/change/withdraw-upload.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import type { NewSource } from '../../../platform/db/tables/files.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { checkQuota } from '../../../library/projects/check-quota.ts'
import type { StagedBytes } from '../store/staging.ts'
import { listPlainMovie, type ReadPlainMovie } from '../../play-while-uploading/plain-movie.ts'
import { stagingOf, type Stagings } from '../store/stagings.ts'
import type { UploadRow } from '../store/upload-store.ts'

export interface UploadDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly stagings: Stagings
  readonly jobs: Jobs
  readonly publicUrl: string
  /** Absent when the blobs are not on this machine, and in workers, which look at them anyway. */
  readonly readPlainMovie?: ReadPlainMovie
}

const sourceKey = (file: MediaFileRow, upload: UploadRow): string =>
  `${fileBlobPrefix(file)}${upload.source_name}`

export const stagedBytesOf = (file: MediaFileRow, upload: UploadRow): StagedBytes => ({
  name: upload.staging_name,
  accountId: upload.account_id,
  blob: sourceKey(file, upload),
  sizeBytes: upload.size_bytes,
  isHashed: upload.checksum !== null,
})

/**
 * Returns the number of staged bytes, or of those that a crashed attempt moved to the blob store before its
 * commit.
 */
export const receivedBytes = async (dependencies: UploadDependencies, upload: UploadRow): Promise<number> => {
  const stagedBytes = await stagingOf(dependencies.stagings, upload.staged_on).sizeOf(upload.staging_name)
  if (stagedBytes !== null) return Math.min(stagedBytes, upload.unchecked_after ?? Number.MAX_SAFE_INTEGER)
  const file = await fileOf(dependencies, upload)
  return (await dependencies.blobs.stat(sourceKey(file, upload)))?.sizeBytes ?? 0
}

const fileOf = ({ database }: Pick<UploadDependencies, 'database'>, upload: UploadRow) =>
  findMediaFile(database.kysely, { accountId: upload.account_id, fileId: upload.file_id })

/** Runs `work` as the only writer of the upload on all nodes. */
export const holdUpload = async <T>(
  dependencies: UploadDependencies,
  upload: UploadRow,
  onWanted: () => void,
  work: () => Promise<T>,
): Promise<T> => {
  const staging = stagingOf(dependencies.stagings, upload.staged_on)
  return staging.hold(stagedBytesOf(await fileOf(dependencies, upload), upload), onWanted, work)
}

const checkChecksum = async (dependencies: UploadDependencies, upload: UploadRow): Promise<void> => {
  const staging = stagingOf(dependencies.stagings, upload.staged_on)
  if (upload.checksum === null || (await staging.sizeOf(upload.staging_name)) === null) return
  const actual = `sha256:${await staging.sha256(upload.staging_name)}`
  if (actual === upload.checksum) return
  await withdrawUpload(dependencies, upload)
  await staging.remove(upload.staging_name)
  throw new Problem('upload_checksum_mismatch', { actual, expected: upload.checksum })
}

/**
 * Completes an upload: verifies it, moves the bytes to the blob store and enqueues the file for a worker. A plain movie
 * plays at once.
 * After this resolves, a crash loses nothing; before, the call can be repeated. Throws 'invalid' for a wrong
 * checksum, which drops the bytes, and 'quota_exceeded'. Must run within `holdUpload`.
 */
export const finishUpload = async (
  dependencies: UploadDependencies,
  upload: UploadRow,
  uri: string | null = null,
): Promise<MediaFileRow> => {
  const { database, blobs, stagings } = dependencies
  const key = { accountId: upload.account_id, fileId: upload.file_id }
  const file = await fileOf(dependencies, upload)
  await checkChecksum(dependencies, upload)
  const blob = sourceKey(file, upload)
  const staging = stagingOf(stagings, upload.staged_on)
  const { sizeBytes } = await staging.moveToBlob(stagedBytesOf(file, upload))
  const isFirst = file.source_blob === null && file.arriving_upload === null
  const plain = isFirst ? ((await dependencies.readPlainMovie?.(blob)) ?? null) : null
  const take = database.transaction(async (tx) => {
    const project = await lockFileInProject(tx, { ...key, projectId: file.project_id })
    const done = await tx
      .updateTable('uploads')
      .set({ completed_at: new Date(), size_bytes: sizeBytes })
      .where('token_hash', '=', upload.token_hash)
      .where('completed_at', 'is', null)
      .returning('file_name')
      .executeTakeFirst()
    if (done === undefined) {
      if (await isGivenUp(tx, upload)) throw new Problem('upload_superseded')
      return findMediaFile(tx, key)
    }
    checkQuota(project, sizeBytes)
    await staging.settle(tx, upload.staging_name)
    const before = await lockMediaFile(tx, key)
    const source: NewSource = {
      blob,
      sizeBytes,
      // A pull can learn the name after it has read `upload`.
      fileName: done.file_name ?? before.original_file_name,
      checksum: upload.checksum,
      uploadedAt: new Date().toISOString(),
      uri,
    }
    if (before.source_blob !== null) return beginRevision(tx, dependencies, key, source)
    const shown = plain === null ? null : await listPlainMovie(tx, { project, file: before, blob }, plain)
    return takeFirstSource(tx, dependencies, key, source, shown ?? undefined)
  })
  return take.catch(async (error: unknown) => {
    const isOverQuota = error instanceof Problem && error.code === 'quota_exceeded'
    if (isOverQuota) await withdrawUpload(dependencies, upload)
    // Deletes the blob of a purged file, which the purge could not find. Keeps that of a deleted file, which
    // may be restored with its upload.
    const isUseless =
      isOverQuota ||
      (await isGivenUp(database.kysely, upload)) ||
      (await isPurged(database.kysely, upload.file_id))
    if (isUseless) {
      await blobs.delete(blob)
      await staging.remove(upload.staging_name)
    }
    throw error
  })
}

/** A row is deleted when a later upload replaces it, when it expires, and with its file. */
const isGivenUp = async (queryable: Queryable, upload: UploadRow): Promise<boolean> =>
  (await queryable
    .selectFrom('uploads')
    .select('file_id')
    .where('token_hash', '=', upload.token_hash)
    .executeTakeFirst()) === undefined
