import { discardBlobs } from '../../../library/files/media/garbage-list.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { renditionsOf } from '../../../library/files/record/media-file-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { encoderSettingsOf } from '../../../library/projects/project-record.ts'
import { findProject } from '../../../library/projects/project-store.ts'

interface Removal {
  readonly bytes: number
  readonly set: { readonly source_removed_at?: Date; readonly source_size_bytes?: number }
}

/** Result for a source that is kept: a file that did not finish can be retried from it. */
export const nothingRemoved: Removal = { bytes: 0, set: {} }

/**
 * Removes the source of a finished revision unless the project keeps sources, a rendition plays from it, or rungs are encoded
 * from it on demand.
 * Returns the freed bytes and the columns to change. The blob is added to the garbage list in the same
 * transaction.
 */
export const removeSource = async (
  tx: Tx,
  file: MediaFileRow,
  {
    revision,
    source,
  }: {
    readonly revision: number
    /** Null = unchanged. */
    readonly source: { readonly blob: string; readonly sizeBytes: number } | null
  },
): Promise<Removal> => {
  const blob = source?.blob ?? file.source_blob
  const sizeBytes = source?.sizeBytes ?? file.source_size_bytes ?? 0
  const project = await findProject(tx, file.account_id, file.project_id)
  if (blob === null || encoderSettingsOf(project).KeepOriginal) return nothingRemoved
  const renditions = await renditionsOf(tx, file.id, revision)
  const isNeeded = renditions.some(({ media_blob, state }) => media_blob === blob || state === 'on_demand')
  if (isNeeded) return nothingRemoved
  await discardBlobs(tx, file, [blob])
  return { bytes: sizeBytes, set: { source_removed_at: new Date(), source_size_bytes: 0 } }
}
