import type { Tx } from '../kernel/db/database.ts'
import type { EventName } from '../kernel/events/domain-event.ts'
import { countInProject, lockProject } from '../projects/project-store.ts'
import type { MediaFileRow } from './file-record.ts'
import { changeMediaFile, findMediaFile, type FileKey } from './media-file-store.ts'

/** With the project, which names where its blobs lie. */
export interface FileAddress extends FileKey {
  readonly projectId: number
}

/** By how many bytes the file grows, and what the caller wants to know. */
interface Extra<T> {
  readonly bytes: number
  /** Nothing was written: the file stays as it is, and nobody hears of it. */
  readonly isUnchanged?: boolean
  readonly result: T
}

/**
 * Adds to a file, or takes away from it, what has rows of its own (pictures, captions): one at a time per project, with the exact counters of
 * bytes, the record and its event in the same transaction.
 */
export const changeExtras = async <T>(
  tx: Tx,
  publicUrl: string,
  address: FileAddress,
  change: (file: MediaFileRow) => Promise<Extra<T>>,
  events: readonly EventName[] = ['file.updated'],
): Promise<T> => {
  const file = await findMediaFile(tx, address)
  // The project's row is locked before the file's, here as everywhere, so that no two transactions wait for each other.
  await lockProject(tx, address.accountId, address.projectId)
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
