import type { Tx } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { countInProject, lockProject } from '../projects/project-store.ts'
import { purgeFileJob } from './file-jobs.ts'
import type { MediaFileRow } from './file-record.ts'
import { changeMediaFile, findMediaFile, type FileKey } from './media-file-store.ts'

const dayMs = 86_400_000

/**
 * Takes the file out of every list and playout at once; its media goes when the retention is over. The row, `file.deleted` and the purge
 * leave in one transaction. `check` sees the locked row and may throw.
 */
export const deleteFile = async (
  tx: Tx,
  dependencies: { readonly publicUrl: string; readonly jobs: Jobs; readonly retentionDays: number },
  key: FileKey,
  check: (before: MediaFileRow) => void = () => {},
): Promise<MediaFileRow> => {
  const deletedAt = new Date()
  const before = await findMediaFile(tx, key)
  await lockProject(tx, before.account_id, before.project_id)
  const file = await changeMediaFile(tx, dependencies.publicUrl, key, (current) => {
    check(current)
    return { set: { deleted_at: deletedAt }, events: ['file.deleted'] }
  })
  await countInProject(tx, file.project_id, { files: -1, bytes: -file.storage_bytes })
  await dependencies.jobs.enqueue(
    tx,
    purgeFileJob,
    { ...key, projectId: file.project_id, deletedAtMs: deletedAt.getTime() },
    {
      key: String(file.id),
      startAfter: new Date(deletedAt.getTime() + dependencies.retentionDays * dayMs),
    },
  )
  return file
}
