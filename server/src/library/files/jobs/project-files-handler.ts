import type { Database, Tx } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { ProjectFilesJob } from '../../projects/project-jobs.ts'
import { lockAnyProject } from '../../projects/project-locks.ts'
import type { ProjectRow } from '../../projects/project-record.ts'
import { changeProject } from '../../projects/project-store.ts'
import { deleteFile, type DeleteDependencies } from '../change/delete-file.ts'
import { processingStates } from '../change/file-revisions.ts'
import {
  restoreLocked,
  resumeProcessing,
  reviveUploads,
  type RestoreDependencies,
} from '../change/restore-file.ts'
import { askForStoryboard } from '../media/storyboards.ts'

/**
 * Sends the events of at most `limit` playlists of a deleted or restored project. Returns their number; 0 = all
 * are sent.
 */
export type MovePlaylists = (tx: Tx, project: ProjectRow, limit: number) => Promise<number>

interface ProjectFilesDependencies extends Omit<DeleteDependencies, 'touchPlaylists'>, RestoreDependencies {
  readonly database: Database
  readonly movePlaylists: MovePlaylists
}

/** Small enough that other transactions wait for the lock of the project only briefly. */
const batchSize = 50

/**
 * Brings the files and playlists of a project to the state of the project, in batches. Deletes those of a deleted project,
 * or restores them with the project and resumes their processing. Reads the project again before each batch,
 * so it may run twice, be interrupted, or meet another deletion or restoration. The final state of the
 * project decides.
 */
export const createProjectFilesHandler =
  (dependencies: ProjectFilesDependencies) =>
  async (job: ProjectFilesJob, signal: AbortSignal): Promise<void> => {
    let resumedUpTo = 0
    for (;;) {
      // A stopped job is retried and continues.
      signal.throwIfAborted()
      const step = await dependencies.database.transaction((tx) =>
        moveBatch(tx, dependencies, job, resumedUpTo),
      )
      if (step === null) return
      resumedUpTo = step.resumedUpTo
    }
  }

/** Returns null when nothing is left to do. */
const moveBatch = async (
  tx: Tx,
  dependencies: ProjectFilesDependencies,
  job: ProjectFilesJob,
  resumedUpTo: number,
): Promise<{ readonly resumedUpTo: number } | null> => {
  const project = await lockAnyProject(tx, job.accountId, job.projectId).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') return null
    throw error
  })
  if (project === null) return null
  const moved = await (project.deleted_at === null ? restoreBatch : deleteBatch)(tx, dependencies, job)
  if (moved > 0) return { resumedUpTo }
  if ((await dependencies.movePlaylists(tx, project, batchSize)) > 0) return { resumedUpTo }
  if (project.deleted_at !== null) return null
  const resumed = await resumeBatch(tx, dependencies, job, resumedUpTo)
  if (resumed === null && project.is_restoring)
    await changeProject(tx, dependencies.publicUrl, project, { is_restoring: false }, 'project.restored')
  return resumed
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
  await dependencies.touchPlaylists(
    tx,
    accountId,
    files.map(({ id }) => id),
  )
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
    // A purge does not lock the project, so this lock excludes files whose purge begins at the same moment.
    .forNoKeyUpdate()
    .execute()
  for (const { id } of files) await restoreLocked(tx, dependencies, { accountId, fileId: id })
  await dependencies.touchPlaylists(
    tx,
    accountId,
    files.map(({ id }) => id),
  )
  return files.length
}

/**
 * Resumes files that the deletion had not reached. Their jobs, including those for storyboards, ended and
 * their uploads stopped, because the project was deleted.
 */
const resumeBatch = async (
  tx: Tx,
  dependencies: ProjectFilesDependencies,
  { accountId, projectId, changedAtMs }: ProjectFilesJob,
  resumedUpTo: number,
): Promise<{ readonly resumedUpTo: number } | null> => {
  if (resumedUpTo === 0) await reviveUploads(tx, dependencies, { project_id: projectId })
  const files = await tx
    .selectFrom('media_files')
    .select(['account_id', 'project_id', 'id', 'generation', 'state', 'storyboard'])
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    // Sources uploaded after the restoration have a job already; enqueueing one twice is harmless.
    .where((where) =>
      where.or([
        where.and([
          where('state', 'in', [...processingStates]),
          where.or([
            where.and([
              where('source_blob', 'is not', null),
              where('uploaded_at', '<', new Date(changedAtMs)),
            ]),
            where.exists(
              where.selectFrom('pulls').select('id').whereRef('pulls.file_id', '=', 'media_files.id'),
            ),
            where.exists(
              where.selectFrom('clips').select('file_id').whereRef('clips.file_id', '=', 'media_files.id'),
            ),
          ]),
        ]),
        where.and([where('state', 'in', ['finished', 'degraded']), where('storyboard', 'is', null)]),
      ]),
    )
    .where('id', '>', resumedUpTo)
    .orderBy('id')
    .limit(batchSize)
    .execute()
  for (const file of files)
    if (processingStates.some((state) => state === file.state))
      await resumeProcessing(tx, dependencies, { accountId, fileId: file.id })
    else await askForStoryboard(tx, dependencies.jobs, file)
  const last = files.at(-1)
  return last === undefined ? null : { resumedUpTo: last.id }
}
