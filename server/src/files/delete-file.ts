import type { Tx } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { countInProject, lockProject } from '../projects/project-store.ts'
import { purgeFileJob } from './file-jobs.ts'
import type { MediaFileRow } from './file-record.ts'
import { changeMediaFile, findMediaFile, type FileKey } from './media-file-store.ts'

const dayMs = 86_400_000

/**
 * Takes the file out of every list and playout at once; its media goes when the retention is over. The row, `file.deleted` and the purge
 * leave in one transaction.
 */
export const deleteFile = async (
  tx: Tx,
  dependencies: { readonly publicUrl: string; readonly jobs: Jobs; readonly retentionDays: number },
  key: FileKey,
): Promise<MediaFileRow> => {
  const deletedAt = new Date()
  const before = await findMediaFile(tx, key)
  await lockProject(tx, before.account_id, before.project_id)
  const file = await changeMediaFile(tx, dependencies.publicUrl, key, () => ({
    set: { deleted_at: deletedAt },
    events: ['file.deleted'],
  }))
  await countInProject(tx, file.project_id, { files: -1, bytes: -file.storage_bytes })
  await dependencies.jobs.enqueue(tx, purgeFileJob, { ...key, projectId: file.project_id, deletedAtMs: deletedAt.getTime() }, {
    startAfter: new Date(deletedAt.getTime() + dependencies.retentionDays * dayMs),
  })
  return file
}
