import { errorColumns } from '../record/file-error.ts'
import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { shareProject } from '../../projects/project-locks.ts'
import { checkMayEdit } from '../record/file-access.ts'
import { beginRevision } from './file-revisions.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { askForSource } from './ask-for-source.ts'
import { changeMediaFile, findMediaFile, lockMediaFile, type FileKey } from '../record/media-file-store.ts'

/** Returns why a file cannot be processed again now, or null when it can. Pure. */
const obstacle = (
  { id, state, source_blob, source_removed_at }: MediaFileRow,
  isForced: boolean,
): Problem | null => {
  if (source_removed_at !== null && (state === 'finished' || state === 'degraded'))
    return new Problem('source_not_kept', { fileId: id })
  if (state === 'failed' || state === 'degraded' || (state === 'finished' && isForced))
    return source_blob === null ? new Problem('source_not_stored', { fileId: id }) : null
  if (state === 'finished') return new Problem('file_has_no_errors', { fileId: id })
  return source_blob === null
    ? new Problem('file_not_uploaded', { fileId: id })
    : new Problem('file_processing', { fileId: id, state })
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
  await shareProject(tx, key.accountId, key.projectId)
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
      set: { state: 'created', ...errorColumns(null) },
    }))
  const problem = obstacle(file, isForced)
  if (problem !== null) throw problem
  if ((await dependencies.blobs.stat(file.source_blob ?? '')) === null)
    throw new Problem('source_not_stored', { fileId: file.id })
  return beginRevision(tx, dependencies, key, null)
}
