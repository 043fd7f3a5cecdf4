import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { FileStoryboard } from '../../../platform/db/tables/pictures.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { discardBlobs } from './garbage-list.ts'
import { makeStoryboardJob } from '../queue/file-jobs.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { deleteGarbageEntry } from './garbage-entries.ts'

/** Enqueues the storyboard of a playable file without one. */
export const askForStoryboard = async (
  queryable: Queryable,
  jobs: Jobs,
  file: Pick<MediaFileRow, 'account_id' | 'project_id' | 'id' | 'generation' | 'storyboard'>,
): Promise<void> => {
  if (file.storyboard !== null) return
  await jobs.enqueue(
    queryable,
    makeStoryboardJob,
    {
      accountId: file.account_id,
      projectId: file.project_id,
      fileId: file.id,
      generation: file.generation,
    },
    // A job from before a move of the file does nothing.
    { key: `${file.id}.${file.generation}.${file.project_id}` },
  )
}

interface StoredStoryboard {
  readonly storyboard: FileStoryboard
  readonly entryId: number
}

/**
 * Adopts a stored storyboard. `set` holds the change of the file's row, `bytes` the growth of its counters.
 */
export const takeStoryboard = async (
  tx: Tx,
  stored: StoredStoryboard | null,
): Promise<{ readonly set: { readonly storyboard?: string }; readonly bytes: number }> => {
  if (stored === null) return { set: {}, bytes: 0 }
  await deleteGarbageEntry(tx, stored.entryId)
  return { set: { storyboard: JSON.stringify(stored.storyboard) }, bytes: stored.storyboard.sizeBytes }
}

export const discardStoryboard = async (tx: Tx, file: MediaFileRow): Promise<number> => {
  const { storyboard } = file
  if (storyboard === null) return 0
  await discardBlobs(tx, file, [storyboard.sheetBlob, storyboard.stillsBlob])
  return storyboard.sizeBytes
}
