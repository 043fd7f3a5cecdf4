import { withdrawUpload } from '../../../library/files/change/withdraw-upload.ts'
import { findProject } from '../../../library/projects/project-store.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { requestEarlyCheck } from './early-check.ts'
import { finishUpload, holdUpload, receivedBytes } from './finish-upload.ts'
import type { ResumableUpload } from '../store/resumable-upload.ts'
import type { ReceiveDependencies } from './receive-bytes.ts'
import { checkIsHere, claimBytes } from '../store/staging-owner.ts'
import { isLeased, stagingOf } from '../store/stagings.ts'
import { extendUpload, reloadUpload, type UploadRow } from '../store/upload-store.ts'

export const resumableFile = (dependencies: ReceiveDependencies, upload: UploadRow): ResumableUpload => {
  const { database, expiryMs, owner, stagings } = dependencies
  const isComplete = upload.completed_at !== null
  return {
    stagingName: upload.staging_name,
    staging: () => {
      checkIsHere(owner, upload)
      return stagingOf(stagings, upload.staged_on)
    },
    sizeBytes: upload.size_bytes,
    isComplete,
    project: async () => {
      const { project_id: projectId } = await database.kysely
        .selectFrom('media_files')
        .select('project_id')
        .where('id', '=', upload.file_id)
        .executeTakeFirstOrThrow(() => new Problem('upload_not_found'))
      return findProject(database.kysely, upload.account_id, projectId)
    },
    received: async () => {
      if (isComplete) return upload.size_bytes ?? 0
      checkIsHere(owner, upload)
      return receivedBytes(dependencies, upload)
    },
    reload: async () => resumableFile(dependencies, await reloadUpload(database.kysely, upload)),
    hold: async ({ isWriting, onWanted }, work) => {
      if (isComplete || !isLeased(stagings, upload.staged_on, isWriting)) return work()
      const staged_on = await claimBytes(database.kysely, dependencies, 'uploads', upload)
      return holdUpload(dependencies, { ...upload, staged_on }, onWanted, work)
    },
    claim: async () => {
      await claimBytes(database.kysely, dependencies, 'uploads', upload)
    },
    extend: (change) =>
      extendUpload(database.kysely, upload, { ...change, expiresAt: new Date(Date.now() + expiryMs) }),
    // The next call makes up for a failed one.
    onProgress: () => requestEarlyCheck(dependencies, upload).catch(() => {}),
    onRewind: () => withdrawUpload(dependencies, upload),
    finish: async () => {
      await finishUpload(dependencies, upload)
    },
  }
}
