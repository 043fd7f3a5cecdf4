import { errorColumns } from '../record/file-error.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { PendingRevision, NewSource } from '../../../platform/db/tables/files.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { countInProject } from '../../projects/project-counts.ts'
import { closeInProgressRenditions } from './close-in-progress-renditions.ts'
import { discardCurrentRevision, discardPendingRevision } from '../media/garbage-list.ts'
import { processFileJob } from '../queue/file-jobs.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { isPlayableState } from '../record/parts/file-state.ts'
import { changeMediaFile, lockMediaFile, type FileChange, type FileKey } from '../record/media-file-store.ts'

/*
 * Each processing of a file makes a new revision of its renditions. While a file is playable, the next
 * revision is a pending one (`rework`), which one transaction swaps in when it is ready. Otherwise the next
 * revision becomes the current one at once.
 */

/** Returns the number of the revision in progress, or of the last one. */
export const latestRevision = (file: Pick<MediaFileRow, 'generation' | 'rework'>): number =>
  file.rework?.generation ?? file.generation

/** States in which a worker has, or should have, a job for a file that has its source. */
export const processingStates = ['created', 'uploaded', 'encoding', 'playable'] as const

export const isBeingProcessed = (file: Pick<MediaFileRow, 'state' | 'source_blob'>): boolean =>
  file.source_blob !== null && processingStates.some((state) => state === file.state)

/** Enqueues processing, in the transaction that begins the revision. */
export const enqueueProcessing = (tx: Queryable, jobs: Jobs, file: MediaFileRow): Promise<void> => {
  const revision = latestRevision(file)
  return jobs.enqueue(
    tx,
    processFileJob,
    { accountId: file.account_id, projectId: file.project_id, fileId: file.id, generation: revision },
    { priority: file.encoding_priority, key: `${file.id}.${revision}` },
  )
}

export const sourceColumns = (source: NewSource) => ({
  source_blob: source.blob,
  source_size_bytes: source.sizeBytes,
  source_removed_at: null,
  original_file_name: source.fileName,
  checksum: source.checksum,
  source_kind: source.kind ?? (source.uri == null ? ('upload' as const) : ('url' as const)),
  source_uri: source.uri ?? null,
  uploaded_at: new Date(source.uploadedAt),
})

export const takeFirstSource = async (
  tx: Tx,
  { jobs, publicUrl }: { readonly jobs: Jobs; readonly publicUrl: string },
  key: FileKey,
  source: NewSource,
  /** What is already known of the source. */
  known: FileChange = { set: {} },
): Promise<MediaFileRow> => {
  const file = await changeMediaFile(tx, publicUrl, key, (before) => ({
    ...known,
    set: {
      ...sourceColumns(source),
      storage_bytes: before.storage_bytes + source.sizeBytes,
      ...errorColumns(null),
      ...known.set,
    },
  }))
  await countInProject(tx, file.project_id, { bytes: source.sizeBytes })
  await enqueueProcessing(tx, jobs, file)
  return file
}

const beginPending = (revision: number, source: NewSource | null): FileChange => {
  const pending: PendingRevision = { generation: revision, source, properties: null, poster: null }
  return { set: { rework: JSON.stringify(pending), state: 'playable' }, events: ['file.encoding'] }
}

const beginCurrent = (revision: number, source: NewSource | null): FileChange =>
  source === null
    ? { set: { generation: revision, state: 'uploaded' } }
    : {
        // The properties of the old source do not apply to the new one.
        set: {
          generation: revision,
          state: 'created',
          properties: JSON.stringify(null),
          ...sourceColumns(source),
        },
        events: ['file.replaced'],
      }

/**
 * Begins a new revision from the current source (null) or a new one, and discards a pending revision. The
 * caller shares or locks the project.
 */
export const beginRevision = async (
  tx: Tx,
  dependencies: { readonly blobs: BlobStore; readonly jobs: Jobs; readonly publicUrl: string },
  key: FileKey,
  source: NewSource | null,
): Promise<MediaFileRow> => {
  const { blobs, jobs, publicUrl } = dependencies
  const before = await lockMediaFile(tx, key)
  const isPending = isPlayableState(before.state)
  let bytes = (source?.sizeBytes ?? 0) - (await discardPendingRevision(tx, blobs, before))
  // The job of the current revision ends, so its renditions will not grow any further.
  if (isPending) bytes += await closeInProgressRenditions(tx, blobs, before, before.generation)
  else bytes -= await discardCurrentRevision(tx, blobs, before, { isSourceReplaced: source !== null })
  await countInProject(tx, before.project_id, { bytes })
  const revision = before.last_generation + 1
  const { set, events = [] } = (isPending ? beginPending : beginCurrent)(revision, source)
  const file = await changeMediaFile(tx, publicUrl, key, () => ({
    set: {
      storage_bytes: before.storage_bytes + bytes,
      last_generation: revision,
      encoding_progress: 0,
      estimated_ready_at: null,
      ...errorColumns(null),
      arriving_upload: null,
      ...set,
    },
    events,
  }))
  await enqueueProcessing(tx, jobs, file)
  return file
}
