import type { Database, Tx } from '../kernel/db/database.ts'
import { Problem } from '../kernel/problem.ts'
import type { ProjectFilesJob } from '../projects/project-jobs.ts'
import { lockAnyProject } from '../projects/project-store.ts'
import { deleteFile, type DeleteDependencies } from './delete-file.ts'
import { restoreLocked, resumeProcessing } from './restore-file.ts'

interface ProjectFilesDependencies extends DeleteDependencies {
  readonly database: Database
}

/** Small enough that whoever wants the project waits for a blink only. */
const batchSize = 50

/**
 * Brings the files of a project to where the project is, a few at a time: deletes those of a deleted one, restores those that went with a
 * restored one and goes on with what was being made of the others. It asks the project anew before each step, so it may run twice, be cut off
 * anywhere, or meet another change of mind: what counts is how the project stands at the end.
 */
export const createProjectFilesHandler =
  (dependencies: ProjectFilesDependencies) =>
  async (job: ProjectFilesJob, signal: AbortSignal): Promise<void> => {
    for (;;) {
      // Stopped in the middle: the job comes back and goes on.
      signal.throwIfAborted()
      const count = await dependencies.database.transaction((tx) => moveBatch(tx, dependencies, job))
      if (count === 0) return
    }
  }

const moveBatch = async (
  tx: Tx,
  dependencies: ProjectFilesDependencies,
  job: ProjectFilesJob,
): Promise<number> => {
  const project = await lockAnyProject(tx, job.accountId, job.projectId).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') return null
    throw error
  })
  if (project === null) return 0
  if (project.deleted_at !== null) return deleteBatch(tx, dependencies, job)
  return (await restoreBatch(tx, dependencies, job)) || (await resumeBatch(tx, dependencies, job))
}

const deleteBatch = async (
  tx: Tx,
  dependencies: ProjectFilesDependencies,
  { accountId, projectId }: ProjectFilesJob,
): Promise<number> => {
  const files = await tx
    .selectFrom('media_files')
    .select('id')
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(batchSize)
    .execute()
  for (const { id } of files)
    await deleteFile(tx, dependencies, { accountId, fileId: id }, { isWithProject: true })
  return files.length
}

const restoreBatch = async (
  tx: Tx,
  dependencies: ProjectFilesDependencies,
  { accountId, projectId }: ProjectFilesJob,
): Promise<number> => {
  const files = await tx
    .selectFrom('media_files')
    .select('id')
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is not', null)
    .where('is_deleted_with_project', '=', true)
    .where('purging_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(batchSize)
    // A purge does not lock the project: whose removal begins in this moment does not come back.
    .forNoKeyUpdate()
    .execute()
  for (const { id } of files) await restoreLocked(tx, dependencies, { accountId, fileId: id })
  return files.length
}

/** Files whose deletion was not reached: their jobs ended all the same, because the project was gone. */
const resumeBatch = async (
  tx: Tx,
  dependencies: ProjectFilesDependencies,
  { accountId, projectId, changedAtMs }: ProjectFilesJob,
): Promise<number> => {
  const files = await tx
    .selectFrom('media_files')
    .select('id')
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .where('source_blob', 'is not', null)
    .where('state', 'in', ['created', 'uploaded', 'encoding', 'playable'])
    // Each is changed by its turn, so none comes twice.
    .where('updated_at', '<', new Date(changedAtMs))
    .limit(batchSize)
    .execute()
  for (const { id } of files) await resumeProcessing(tx, dependencies, { accountId, fileId: id })
  return files.length
}
