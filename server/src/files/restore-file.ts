import type { Tx } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { Problem } from '../kernel/problem.ts'
import { countInProject, lockAnyProject } from '../projects/project-store.ts'
import { discardBlobs } from './discarded-media.ts'
import { enqueueProcessing, generationUnderWay, isBeingProcessed } from './file-generations.ts'
import { askForSource } from './ask-for-source.ts'
import { checkFileExternalId } from './file-external-id.ts'
import { isPlayableState, type MediaFileRow } from './file-record.ts'
import { refreshReferences } from './file-references.ts'
import {
  changeMediaFile,
  fileNotFound,
  lockMediaFile,
  type FileChange,
  type FileKey,
} from './media-file-store.ts'
import { askForStoryboard } from './storyboards.ts'
import type { TouchPlaylists } from './touch-playlists.ts'
import { withdrawArriving } from './withdraw-arriving.ts'

export interface RestoreDependencies {
  readonly publicUrl: string
  readonly jobs: Jobs
  readonly uploadExpiryMs: number
  readonly touchPlaylists: TouchPlaylists
}

/**
 * Brings a deleted file back as it was, with its counts; what was being made of it is taken up again, and uploads to it may go on. Throws
 * 'not_found' when it is unknown or its media is being removed for good, and 'conflict' when it is not deleted or its project is.
 */
export const restoreFile = async (
  tx: Tx,
  dependencies: RestoreDependencies,
  key: FileKey & { readonly projectId: number },
): Promise<MediaFileRow> => {
  const { accountId, fileId, projectId } = key
  const project = await lockAnyProject(tx, accountId, projectId)
  const found = await tx
    .selectFrom('media_files')
    .select(['deleted_at', 'purging_at', 'external_id'])
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('id', '=', fileId)
    .executeTakeFirst()
  if (found === undefined || found.purging_at !== null) throw fileNotFound(fileId, projectId)
  if (project.deleted_at !== null)
    throw new Problem(
      'conflict',
      `Project ${projectId} is deleted; restore the project, and the files that went with it come back.`,
    )
  if (found.deleted_at === null) throw new Problem('conflict', `File ${fileId} is not deleted.`)
  if (found.external_id !== null) await checkFileExternalId(tx, projectId, fileId, found.external_id)
  const file = await restoreLocked(tx, dependencies, key)
  await dependencies.touchPlaylists(tx, accountId, [fileId])
  return file
}

/** The same for the deleted file of a live project whose lock the caller holds. */
export const restoreLocked = async (
  tx: Tx,
  dependencies: RestoreDependencies,
  key: FileKey,
): Promise<MediaFileRow> => {
  const { publicUrl, jobs } = dependencies
  const references = await refreshReferences(tx, key.accountId, key.fileId)
  const before = await lockMediaFile(tx, key, 'deleted')
  const resumption = isBeingProcessed(before) ? await renumber(tx, before) : {}
  const metadata = JSON.stringify({ ...before.metadata, ...references })
  const restored = await changeMediaFile(
    tx,
    publicUrl,
    key,
    () => ({
      set: { deleted_at: null, purge_at: null, is_deleted_with_project: false, metadata, ...resumption },
      events: ['file.restored'],
    }),
    'deleted',
  )
  // Bytes of its upload may be gone meanwhile.
  const file = await withdrawArriving(tx, publicUrl, restored)
  await reviveUploads(tx, dependencies, { id: key.fileId })
  await countInProject(tx, file.project_id, { files: 1, bytes: file.storage_bytes })
  if (isBeingProcessed(file)) await enqueueProcessing(tx, jobs, file)
  if (isPlayableState(file.state)) await askForStoryboard(tx, jobs, file)
  // What failed waits for `retry`.
  if (file.source_blob !== null || file.state !== 'failed') await askForSource(tx, jobs, file)
  return file
}

/** While a file or its project was away, nobody could send a byte: the time that unfinished uploads have begins anew. */
export const reviveUploads = async (
  tx: Tx,
  { uploadExpiryMs }: Pick<RestoreDependencies, 'uploadExpiryMs'>,
  files: { readonly id: number } | { readonly project_id: number },
): Promise<void> => {
  await tx
    .updateTable('uploads')
    .set({ expires_at: new Date(Date.now() + uploadExpiryMs) })
    .where('file_id', 'in', (query) =>
      query
        .selectFrom('media_files')
        .select('id')
        .where((where) => where.and({ ...files })),
    )
    .where('completed_at', 'is', null)
    .execute()
}

/** Hands a live file to the workers again whose job ended because its project was deleted. */
export const resumeProcessing = async (
  tx: Tx,
  { publicUrl, jobs }: Pick<RestoreDependencies, 'publicUrl' | 'jobs'>,
  key: FileKey,
): Promise<void> => {
  const before = await lockMediaFile(tx, key)
  if (!isBeingProcessed(before)) {
    await askForSource(tx, jobs, before)
    return
  }
  const resumption = await renumber(tx, before)
  await enqueueProcessing(tx, jobs, await changeMediaFile(tx, publicUrl, key, () => ({ set: resumption })))
}

/**
 * Gives what is being made a number of its own, so that a job that has not noticed the deletion yet cannot go on beside the new one; what is
 * whole already is kept.
 */
const renumber = async (tx: Tx, file: MediaFileRow): Promise<FileChange['set']> => {
  const generation = file.last_generation + 1
  await tx
    .updateTable('renditions')
    .set({ generation })
    .where('file_id', '=', file.id)
    .where('generation', '=', generationUnderWay(file))
    .execute()
  await withdrawChunks(tx, file)
  const rework = file.rework
  return {
    last_generation: generation,
    ...(rework === null ? { generation } : { rework: JSON.stringify({ ...rework, generation }) }),
  }
}

/** Its workers have ended without a word when the project went; the ladder begins anew. */
const withdrawChunks = async (tx: Tx, file: MediaFileRow): Promise<void> => {
  const withdrawn = await tx
    .deleteFrom('chunked_encodes')
    .where('account_id', '=', file.account_id)
    .where('file_id', '=', file.id)
    .returning('rendition_ids')
    .execute()
  if (withdrawn.length === 0) return
  const hidden = await tx
    .deleteFrom('renditions')
    .where(
      'id',
      'in',
      withdrawn.flatMap(({ rendition_ids }) => rendition_ids),
    )
    .returning('media_blob')
    .execute()
  await discardBlobs(
    tx,
    file,
    hidden.map(({ media_blob }) => `${media_blob}/`),
  )
}
