import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { processFileJob } from '../files/file-jobs.ts'
import type { MediaFileRow } from '../files/file-record.ts'
import { changeMediaFile, fileBlobPrefix, findMediaFile } from '../files/media-file-store.ts'
import type { BlobStore } from '../kernel/blobs/blob-store.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { Problem } from '../kernel/problem.ts'
import { countInProject, lockProject } from '../projects/project-store.ts'
import type { ProjectRow } from '../projects/project-record.ts'
import type { Staging } from './staging.ts'
import type { UploadRow } from './upload-store.ts'

export interface UploadDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly staging: Staging
  readonly jobs: Jobs
  readonly publicUrl: string
}

const sha256OfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Buffer)
  return hash.digest('hex')
}

export const checkQuota = (project: ProjectRow, sizeBytes: number): void => {
  if (project.storage_quota_bytes !== null && project.storage_bytes + sizeBytes > project.storage_quota_bytes)
    throw new Problem(
      'too_large',
      `The upload would exceed the storage quota of project ${project.id}: ${project.storage_bytes} of ${project.storage_quota_bytes} bytes are used.`,
    )
}

const sourceKey = (file: MediaFileRow): string => `${fileBlobPrefix(file)}source`

/** The staged bytes, or those of an earlier try that a crash cut off between the move and the commit. */
export const receivedBytes = async (dependencies: UploadDependencies, upload: UploadRow): Promise<number> => {
  if (await dependencies.staging.exists(upload.staging_name))
    return dependencies.staging.sizeOf(upload.staging_name)
  const file = await findMediaFile(dependencies.database.kysely, {
    accountId: upload.account_id,
    fileId: upload.file_id,
  })
  return (await dependencies.blobs.stat(sourceKey(file)))?.sizeBytes ?? 0
}

/**
 * Takes a whole upload over: checks it, moves the bytes to the blob store and hands the file to the worker. Once this resolves, nothing
 * is lost by a crash; before, it can be repeated. Throws 'invalid' on a wrong checksum (the bytes are dropped) and 'too_large' over quota.
 */
export const finishUpload = async (
  dependencies: UploadDependencies,
  upload: UploadRow,
): Promise<MediaFileRow> => {
  const { database, blobs, staging } = dependencies
  const key = { accountId: upload.account_id, fileId: upload.file_id }
  const file = await findMediaFile(database.kysely, key)
  if (upload.checksum !== null && (await staging.exists(upload.staging_name))) {
    const actual = `sha256:${await sha256OfFile(staging.path(upload.staging_name))}`
    if (actual !== upload.checksum) {
      await staging.remove(upload.staging_name)
      throw new Problem(
        'invalid',
        `The bytes have the checksum ${actual}, not ${upload.checksum}; upload them again.`,
      )
    }
  }
  const { sizeBytes } = await blobs.adopt(staging.path(upload.staging_name), sourceKey(file))
  const take = database.transaction(async (tx) => {
    const project = await lockProject(tx, file.account_id, file.project_id)
    const done = await tx
      .updateTable('uploads')
      .set({ completed_at: new Date(), size_bytes: sizeBytes })
      .where('token_hash', '=', upload.token_hash)
      .where('completed_at', 'is', null)
      .executeTakeFirst()
    // Another request finished it at the same time; or the file was purged meanwhile, and this throws 'not_found'.
    if (done.numUpdatedRows === 0n) return findMediaFile(tx, key)
    checkQuota(project, sizeBytes)
    await countInProject(tx, project.id, { bytes: sizeBytes })
    const changed = await changeMediaFile(tx, dependencies.publicUrl, key, () => ({
      set: {
        source_blob: sourceKey(file),
        source_size_bytes: sizeBytes,
        storage_bytes: sizeBytes,
        uploaded_at: new Date(),
      },
    }))
    await dependencies.jobs.enqueue(
      tx,
      processFileJob,
      { ...key, projectId: file.project_id },
      {
        priority: changed.encoding_priority,
        key: String(file.id),
      },
    )
    return changed
  })
  return take.catch(async (error: unknown) => {
    if (error instanceof Problem && ['too_large', 'not_found'].includes(error.code))
      await blobs.delete(sourceKey(file))
    throw error
  })
}
