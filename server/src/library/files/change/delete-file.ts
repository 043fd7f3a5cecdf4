import { purgeTimeOf } from '../../../platform/http/requests/schemas.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { countInProject } from '../../projects/project-counts.ts'
import { shareAnyProject } from '../../projects/project-locks.ts'
import { purgeFileJob } from '../queue/file-jobs.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { changeMediaFile, fileNotFound, type FileKey } from '../record/media-file-store.ts'
import type { TouchPlaylists } from './touch-playlists.ts'

export interface DeleteDependencies {
  readonly publicUrl: string
  readonly jobs: Jobs
  readonly retentionDays: number
  /** Null for a file that was created just now, which no playlist has yet. */
  readonly touchPlaylists: TouchPlaylists | null
}

/**
 * Removes a file from every list and playout; its media is purged after the retention time. Row,
 * `file.deleted` and purge job are written in one transaction. `check` receives the locked row and may throw.
 * `isWithProject` marks files that are restored with their project.
 */
export const deleteFile = async (
  tx: Tx,
  dependencies: DeleteDependencies,
  key: FileKey,
  options: { readonly check?: (before: MediaFileRow) => void; readonly isWithProject?: boolean } = {},
): Promise<MediaFileRow> => {
  const deletedAt = new Date()
  const purgeAt = purgeTimeOf(deletedAt, dependencies.retentionDays)
  const found = await tx
    .selectFrom('media_files')
    .select('project_id')
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.fileId)
    .$if(key.projectId !== undefined, (query) => query.where('project_id', '=', key.projectId ?? 0))
    .executeTakeFirst()
  if (found === undefined) throw fileNotFound(key.fileId, key.projectId)
  await shareAnyProject(tx, key.accountId, found.project_id)
  const file = await changeMediaFile(
    tx,
    dependencies.publicUrl,
    { ...key, projectId: found.project_id },
    (before) => {
      options.check?.(before)
      return {
        set: {
          deleted_at: deletedAt,
          purge_at: purgeAt,
          is_deleted_with_project: options.isWithProject === true,
        },
        events: ['file.deleted'],
      }
    },
    'any-project',
  )
  await countInProject(tx, file.project_id, { files: -1, bytes: -file.storage_bytes })
  await dependencies.jobs.enqueue(
    tx,
    purgeFileJob,
    { ...key, projectId: file.project_id, deletedAtMs: deletedAt.getTime() },
    {
      key: `${file.id}.${deletedAt.getTime()}`,
      startAfter: purgeAt,
    },
  )
  // For a deleted project, the caller updates the playlists once for the whole batch.
  if (options.isWithProject !== true) await dependencies.touchPlaylists?.(tx, key.accountId, [file.id])
  return file
}
