import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { checkQuota } from '../../projects/check-quota.ts'
import type { ProjectRow } from '../../projects/project-record.ts'
import { countInProject } from '../../projects/project-counts.ts'
import { shareProject } from '../../projects/project-locks.ts'
import { projectNotFound } from '../../projects/project-store.ts'
import { askForStoryboard } from '../media/storyboards.ts'
import { claimFileExternalId } from '../record/file-external-id.ts'
import type { FileMetadata } from '../record/file-metadata.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { isPlayableState } from '../record/parts/file-state.ts'
import { changeMediaFile, lockMediaFile, type FileKey } from '../record/media-file-store.ts'
import { processingStates } from './file-revisions.ts'
import type { TouchPlaylists } from './touch-playlists.ts'

export interface MoveDependencies {
  readonly publicUrl: string
  readonly jobs: Jobs
  readonly touchPlaylists: TouchPlaylists
}

/**
 * Moves a file to another project of its account. Only the row changes: its media stays where it is stored,
 * and its playout ids stay valid. Throws 'not_found', 'forbidden', 'quota_exceeded', and 'conflict' while
 * bytes arrive or a worker processes the file.
 */
export const moveFile = async (
  tx: Tx,
  { publicUrl, jobs, touchPlaylists }: MoveDependencies,
  request: {
    readonly principal: Principal
    readonly key: FileKey & { readonly projectId: number }
    readonly targetId: number
    readonly check: (before: MediaFileRow) => void
  },
): Promise<MediaFileRow> => {
  const { principal, key, targetId, check } = request
  const { accountId, fileId, projectId } = key
  if (principal.projectIds?.includes(targetId) === false) throw projectNotFound(targetId)
  const target = await lockBoth(tx, key, targetId)
  const file = await lockMediaFile(tx, key)
  check(file)
  if (targetId === projectId) return file
  checkMayCreate(principal, target, file)
  await checkIsAtRest(tx, file)
  checkQuota(target, file.storage_bytes)
  if (file.external_id !== null) await claimFileExternalId(tx, targetId, fileId, file.external_id)
  const moved = await changeMediaFile(tx, publicUrl, key, () => ({
    set: {
      project_id: targetId,
      former_project_ids: [...new Set([...file.former_project_ids, projectId])],
    },
    events: ['file.moved'],
  }))
  await countInProject(tx, projectId, { files: -1, bytes: -file.storage_bytes })
  await countInProject(tx, targetId, { files: 1, bytes: file.storage_bytes })
  await touchPlaylists(tx, accountId, [fileId])
  if (isPlayableState(moved.state)) await askForStoryboard(tx, jobs, moved)
  return moved
}

/** Locks both projects in the order of their ids, so that two moves cannot deadlock. Returns the target. */
const lockBoth = async (
  tx: Tx,
  { accountId, projectId }: FileKey & { readonly projectId: number },
  targetId: number,
): Promise<ProjectRow> => {
  const first = await shareProject(tx, accountId, Math.min(projectId, targetId))
  if (projectId === targetId) return first
  const second = await shareProject(tx, accountId, Math.max(projectId, targetId))
  return first.id === targetId ? first : second
}

/** A move needs the same permissions in the target as an upload of a file that is as public. */
const checkMayCreate = (principal: Principal, target: ProjectRow, file: MediaFileRow): void => {
  const { ReleaseStatus } = file.metadata as unknown as FileMetadata
  const needed = [
    'files:upload',
    ...(ReleaseStatus === 'published' ? (['files:publish'] as const) : []),
  ] as const
  for (const permission of needed)
    if (!principal.can(permission, target.id)) throw new Problem('permission_missing', { permission })
}

/**
 * A worker uses the settings of the project while it processes a file, and an upload stores its bytes in the
 * folder of the project. A failed fetch starts over.
 */
const checkIsAtRest = async (queryable: Queryable, file: MediaFileRow): Promise<void> => {
  const { id: fileId, state, source_blob } = file
  if (processingStates.some((one) => one === state))
    throw source_blob === null
      ? new Problem('file_not_uploaded', { fileId })
      : new Problem('file_processing', { fileId, state })
  if (source_blob === null) return
  const unfinished = await queryable
    .selectFrom('uploads')
    .select('file_id')
    .where('file_id', '=', fileId)
    .where('completed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (unfinished !== undefined) throw new Problem('file_upload_unfinished', { fileId })
}
