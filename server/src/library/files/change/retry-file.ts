import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { lockProject } from '../../projects/project-store.ts'
import { checkMayEdit } from '../record/file-access.ts'
import { beginGeneration } from './file-generations.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { askForSource } from './ask-for-source.ts'
import { changeMediaFile, findMediaFile, lockMediaFile, type FileKey } from '../record/media-file-store.ts'

/** Returns why a file cannot be processed again now, or null when it can. Pure. */
const obstacle = (
  { id, state, source_blob, source_removed_at }: MediaFileRow,
  isForced: boolean,
): string | null => {
  if (source_removed_at !== null && (state === 'finished' || state === 'degraded'))
    return `The source of file ${id} was removed once it was finished, because its project does not keep sources (KeepOriginal); replace the file instead.`
  if (state === 'failed' || state === 'degraded' || (state === 'finished' && isForced))
    return source_blob === null
      ? `The source of file ${id} is not stored any more; replace the file instead.`
      : null
  if (state === 'finished')
    return `File ${id} has no errors; use force=true to encode it again with the project's present settings.`
  return source_blob === null
    ? `File ${id} has no bytes yet; finish its upload, or replace it to get a new upload URL.`
    : `File ${id} is being processed (${state}) already; wait until IsFinished is true.`
}

/**
 * Begins a new revision from the stored source, or fetches a source again that could not be fetched. Throws
 * 'conflict' with the reason when neither is possible.
 */
export const retryFile = async (
  tx: Tx,
  dependencies: { readonly blobs: BlobStore; readonly jobs: Jobs; readonly publicUrl: string },
  request: {
    readonly principal: Principal
    readonly key: FileKey & { readonly projectId: number }
    readonly isForced: boolean
    readonly check: (before: MediaFileRow) => void
  },
): Promise<MediaFileRow> => {
  const { principal, key, isForced, check } = request
  await findMediaFile(tx, key)
  await lockProject(tx, key.accountId, key.projectId)
  const file = await lockMediaFile(tx, key)
  checkMayEdit(principal, file)
  check(file)
  // A failed file without bytes may have a URL or a clip to get them from.
  if (
    file.state === 'failed' &&
    file.source_blob === null &&
    (await askForSource(tx, dependencies.jobs, file))
  )
    return changeMediaFile(tx, dependencies.publicUrl, key, () => ({
      set: { state: 'created', error_message: null },
    }))
  const reason = obstacle(file, isForced)
  if (reason !== null) throw new Problem('conflict', reason)
  if ((await dependencies.blobs.stat(file.source_blob ?? '')) === null)
    throw new Problem(
      'conflict',
      `The source of file ${file.id} is not stored any more; replace the file instead.`,
    )
  return beginGeneration(tx, dependencies, key, null)
}
