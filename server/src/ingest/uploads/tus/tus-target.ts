import { deleteFile } from '../../../library/files/change/delete-file.ts'
import { lockMediaFile } from '../../../library/files/record/media-file-store.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { lockFileInProject } from '../../../library/files/record/lock-file-in-project.ts'
import { resumablePart } from '../receive/resumable-part.ts'
import { resumableFile } from '../receive/resumable-file.ts'
import type { ResumableUpload } from '../store/resumable-upload.ts'
import type { ReceiveDependencies } from '../receive/receive-bytes.ts'
import { stagingOf } from '../store/stagings.ts'
import { deletePart, findPart, type UploadPartRow } from '../store/upload-part-store.ts'
import {
  findUpload,
  giveUpUploads,
  reloadUpload,
  type TusWords,
  type UploadRow,
} from '../store/upload-store.ts'

export interface TusTarget {
  readonly bytes: ResumableUpload
  readonly words: TusWords
  readonly expiresAt: Date
  /**
   * A final upload is made of parts: "The Server MUST respond with the 403 Forbidden status to PATCH requests
   * against an upload URL with a final upload."
   */
  readonly isFinal: boolean
  readonly terminate: () => Promise<void>
}

const targetOfUpload = (dependencies: ReceiveDependencies, upload: UploadRow): TusTarget => ({
  bytes: resumableFile(dependencies, upload),
  words: { metadata: upload.tus_metadata, concat: upload.tus_concat },
  expiresAt: upload.expires_at,
  isFinal: upload.tus_concat !== null,
  terminate: () => terminateUpload(dependencies, upload),
})

const targetOfPart = (dependencies: ReceiveDependencies, part: UploadPartRow): TusTarget => ({
  bytes: resumablePart(dependencies, part),
  words: { metadata: part.tus_metadata, concat: 'partial' },
  expiresAt: part.expires_at,
  isFinal: false,
  terminate: () =>
    dependencies.locks.withLock(part.staging_name, async () => {
      await deletePart(dependencies.database.kysely, part)
      await stagingOf(dependencies.stagings, part.staged_on).remove(part.staging_name)
    }),
})

/** Returns null for an unknown or expired URL. */
export const findTusTarget = async (
  dependencies: ReceiveDependencies,
  token: string,
): Promise<TusTarget | null> => {
  const { kysely } = dependencies.database
  const upload = await findUpload(kysely, token)
  if (upload !== null)
    return upload.completed_at === null && upload.expires_at.getTime() < Date.now()
      ? null
      : targetOfUpload(dependencies, upload)
  const part = await findPart(kysely, token)
  return part === null ? null : targetOfPart(dependencies, part)
}

/** Deletes the record of a new file with its upload; a file with an existing source stays. */
const terminateUpload = (dependencies: ReceiveDependencies, known: UploadRow): Promise<void> =>
  dependencies.locks.withLock(known.staging_name, async () => {
    const { database, stagings, jobs, publicUrl, touchPlaylists } = dependencies
    const key = { accountId: known.account_id, fileId: known.file_id }
    await database.transaction(async (tx) => {
      const { project_id } = await tx
        .selectFrom('media_files')
        .select('project_id')
        .where('id', '=', known.file_id)
        .executeTakeFirstOrThrow(() => goneAlready())
      await lockFileInProject(tx, { ...key, projectId: project_id }, 'any project')
      const upload = await reloadUpload(tx, known)
      if (upload.completed_at !== null) throw new Problem('upload_complete')
      const file = await lockMediaFile(tx, key)
      await giveUpUploads(tx, file, { stagingName: upload.staging_name })
      if (file.source_blob === null)
        await deleteFile(tx, { publicUrl, jobs, retentionDays: 0, touchPlaylists }, key)
    })
    await stagingOf(stagings, known.staged_on).remove(known.staging_name)
  })

const goneAlready = (): Problem => new Problem('upload_deleted')
