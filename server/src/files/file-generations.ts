import type { BlobStore } from '../kernel/blobs/blob-store.ts'
import type { Queryable, Tx } from '../kernel/db/database.ts'
import type { FileRework, NewSource } from '../kernel/db/tables.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { countInProject } from '../projects/project-store.ts'
import { discardMedia, discardRework } from './discarded-media.ts'
import { processFileJob, type FileJob } from './file-jobs.ts'
import { isPlayableState, type MediaFileRow } from './file-record.ts'
import { changeMediaFile, lockMediaFile, type FileChange, type FileKey } from './media-file-store.ts'

/**
 * A file is processed once or more often; each time makes a generation of renditions. What plays goes on playing while the next generation is
 * made behind it (`rework`), and is swapped for it in one transaction.
 */

/** The generation that is being made, or was made last. */
export const generationUnderWay = (file: Pick<MediaFileRow, 'generation' | 'rework'>): number =>
  (file.rework as FileRework | null)?.generation ?? file.generation

/** Whether a worker has, or should have, work with the file. */
export const isBeingProcessed = (file: Pick<MediaFileRow, 'state' | 'source_blob'>): boolean =>
  file.source_blob !== null && ['created', 'uploaded', 'encoding', 'playable'].includes(file.state)

export const enqueueProcessing = (tx: Queryable, jobs: Jobs, file: MediaFileRow): Promise<void> => {
  const generation = generationUnderWay(file)
  const job: FileJob = {
    accountId: file.account_id,
    projectId: file.project_id,
    fileId: file.id,
    generation,
  }
  return jobs.enqueue(tx, processFileJob, job, {
    priority: file.encoding_priority,
    key: `${file.id}.${generation}`,
  })
}

export interface GenerationDependencies {
  readonly blobs: BlobStore
  readonly jobs: Jobs
  readonly publicUrl: string
}

/**
 * Begins a new generation, from the present source or a new one; what plays goes on playing. A rework that was under way is given up for it.
 * The caller holds the lock of the project.
 */
export const beginGeneration = async (
  tx: Tx,
  { blobs, jobs, publicUrl }: GenerationDependencies,
  key: FileKey,
  source: NewSource | null,
): Promise<MediaFileRow> => {
  const before = await lockMediaFile(tx, key)
  const isBehind = isPlayableState(before.state)
  const freedBytes =
    (await discardRework(tx, blobs, before)) + (isBehind ? 0 : await discardPresent(tx, blobs, before, source))
  const bytes = (source?.sizeBytes ?? 0) - freedBytes
  await countInProject(tx, before.project_id, { bytes })
  const generation = before.last_generation + 1
  const file = await changeMediaFile(tx, publicUrl, key, () => ({
    ...(isBehind ? beginBehind(generation, source) : beginAnew(generation, source)),
  }))
  await enqueueProcessing(tx, jobs, file)
  return file

  function beginBehind(next: number, newSource: NewSource | null): FileChange {
    const rework: FileRework = { generation: next, source: newSource, properties: null, poster: null }
    return {
      set: {
        ...begun(next),
        state: 'playable',
        rework: JSON.stringify(rework),
      },
      events: ['file.encoding'],
    }
  }
}
