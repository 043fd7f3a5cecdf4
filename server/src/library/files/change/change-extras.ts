import type { EventName } from '@zoetrope/vocabulary'
import type { Tx } from '../../../platform/db/database.ts'
import { countInProject } from '../../projects/project-counts.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { lockFileInProject } from '../record/lock-file-in-project.ts'
import { changeMediaFile, findMediaFile, type FileKey } from '../record/media-file-store.ts'

/** A file key with its project, which is part of the blob prefix. */
export interface FileAddress extends FileKey {
  readonly projectId: number
}

/** Growth of the file in bytes, and the result for the caller. */
interface Extra<T> {
  readonly bytes: number
  /** True when nothing was written: the record stays unchanged and no event is sent. */
  readonly isUnchanged?: boolean
  readonly result: T
}

/**
 * Changes what a file has in rows of its own (pictures, captions). Runs one change per file at a time.
 * Counters, record and event are written in the same transaction.
 */
export const changeExtras = async <T>(
  tx: Tx,
  publicUrl: string,
  address: FileAddress,
  change: (file: MediaFileRow) => Promise<Extra<T>>,
  events: readonly EventName[] = ['file.updated'],
): Promise<T> => {
  await lockFileInProject(tx, address)
  const file = await findMediaFile(tx, address)
  const { bytes, result, isUnchanged = false } = await change(file)
  if (isUnchanged) return result
  if (bytes !== 0) await countInProject(tx, address.projectId, { bytes })
  await changeMediaFile(tx, publicUrl, address, (before) => ({
    set: { storage_bytes: before.storage_bytes + bytes },
    events,
    isWritten: true,
  }))
  return result
}
