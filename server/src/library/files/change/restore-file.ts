import type { Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { countInProject } from '../../projects/project-counts.ts'
import { discardBlobs } from '../media/garbage-list.ts'
import { enqueueProcessing, latestRevision, isBeingProcessed } from './file-revisions.ts'
import { askForSource } from './ask-for-source.ts'
import { claimFileExternalId } from '../record/file-external-id.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { isPlayableState } from '../record/parts/file-state.ts'
import { lockFileInProject } from '../record/lock-file-in-project.ts'
import { refreshReferences } from '../record/file-references.ts'
import {
  changeMediaFile,
  fileNotFound,
  lockMediaFile,
  type FileChange,
  type FileKey,
} from '../record/media-file-store.ts'
import { askForStoryboard } from '../media/storyboards.ts'
import type { TouchPlaylists } from './touch-playlists.ts'
import { withdrawInFlightUpload } from './withdraw-in-flight-upload.ts'

export interface RestoreDependencies {
  readonly publicUrl: string
  readonly jobs: Jobs
  readonly uploadExpiryMs: number
  readonly touchPlaylists: TouchPlaylists
}

/**
 * Restores a deleted file with its counts, resumes its processing and revives its uploads. Throws 'not_found'
 * when it is unknown or being purged, and 'conflict' when it is not deleted or its project is.
 */
export const restoreFile = async (
  tx: Tx,
  dependencies: RestoreDependencies,
  key: FileKey & { readonly projectId: number },
): Promise<MediaFileRow> => {
  const { accountId, fileId, projectId } = key
  const project = await lockFileInProject(tx, key, 'any project')
  const found = await tx
    .selectFrom('media_files')
    .select(['deleted_at', 'purging_at', 'external_id'])
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('id', '=', fileId)
    .executeTakeFirst()
  if (found === undefined || found.purging_at !== null) throw fileNotFound(fileId, projectId)
  if (project.deleted_at !== null) throw new Problem('project_deleted', { projectId })
  if (found.deleted_at === null) throw new Problem('file_not_deleted', { fileId })
  if (found.external_id !== null) await claimFileExternalId(tx, projectId, fileId, found.external_id)
  const file = await restoreLocked(tx, dependencies, key)
  await dependencies.touchPlaylists(tx, accountId, [fileId])
  return file
}

/** Restores a deleted file of a live project. The caller shares or locks the project. */
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
  // Bytes of its upload may have been deleted in the meantime.
  const file = await withdrawInFlightUpload(tx, publicUrl, restored)
  await reviveUploads(tx, dependencies, { id: key.fileId })
  await countInProject(tx, file.project_id, { files: 1, bytes: file.storage_bytes })
  if (isBeingProcessed(file)) await enqueueProcessing(tx, jobs, file)
  if (isPlayableState(file.state)) await askForStoryboard(tx, jobs, file)
  // Failed files wait for a `retry` by a client.
  if (file.source_blob !== null || file.state !== 'failed') await askForSource(tx, jobs, file)
  return file
}

/**
 * Restarts the expiry of unfinished uploads: clients could not send bytes while the file or its project was
 * deleted.
 */
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

/** Enqueues a live file again whose job ended because its project was deleted. */
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
 * Gives the revision in progress a new number, so that a job which has not noticed the deletion cannot
 * continue beside the new one. Keeps complete renditions.
 */
const renumber = async (tx: Tx, file: MediaFileRow): Promise<FileChange['set']> => {
  const revision = file.last_generation + 1
  await tx
    .updateTable('renditions')
    .set({ generation: revision })
    .where('file_id', '=', file.id)
    .where('generation', '=', latestRevision(file))
    .execute()
  await withdrawChunks(tx, file)
  const pending = file.rework
  return {
    last_generation: revision,
    ...(pending === null
      ? { generation: revision }
      : { rework: JSON.stringify({ ...pending, generation: revision }) }),
  }
}

/**
 * Discards the chunked encodes of a file, whose workers ended without a trace when the project was deleted.
 * The ladder starts over.
 */
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
