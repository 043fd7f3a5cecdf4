import { discardBlobs } from '../files/discarded-media.ts'
import type { MediaFileRow } from '../files/file-record.ts'
import { renditionsOf } from '../files/media-file-store.ts'
import type { Tx } from '../kernel/db/database.ts'
import { encoderSettingsOf } from '../projects/project-record.ts'
import { findProject } from '../projects/project-store.ts'

interface Removal {
  readonly bytes: number
  readonly set: { readonly source_removed_at?: Date; readonly source_size_bytes?: number }
}

/** Of a source that stays: a file that did not end well can be tried again from it. */
export const nothingRemoved: Removal = { bytes: 0, set: {} }

/**
 * What becomes of the source of a file whose generation is finished: gone, where its project does not keep sources and nothing plays from there.
 * Answers how many bytes that frees, and the columns that say so; the blob is noted for removal in the same transaction.
 */
export const removeSource = async (
  tx: Tx,
  file: MediaFileRow,
  {
    generation,
    source,
  }: {
    readonly generation: number
    /** Null = the one that it had before. */
    readonly source: { readonly blob: string; readonly sizeBytes: number } | null
  },
): Promise<Removal> => {
  const blob = source?.blob ?? file.source_blob
  const sizeBytes = source?.sizeBytes ?? file.source_size_bytes ?? 0
  const project = await findProject(tx, file.account_id, file.project_id)
  if (blob === null || encoderSettingsOf(project).KeepOriginal) return nothingRemoved
  const renditions = await renditionsOf(tx, file.id, generation)
  if (renditions.some(({ media_blob }) => media_blob === blob)) return nothingRemoved
  await discardBlobs(tx, file, [blob])
  return { bytes: sizeBytes, set: { source_removed_at: new Date(), source_size_bytes: 0 } }
}
