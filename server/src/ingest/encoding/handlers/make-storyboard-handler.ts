import type { FileJob } from '../../../library/files/queue/file-jobs.ts'
import {
  changeMediaFile,
  findMediaFile,
  lockMediaFile,
} from '../../../library/files/record/media-file-store.ts'
import { takeStoryboard } from '../../../library/files/media/storyboards.ts'
import { countInProject } from '../../../library/projects/project-counts.ts'
import { shareProject } from '../../../library/projects/project-locks.ts'
import { drawStoryboard, type DrawStoryboardRun } from '../storyboards/draw-storyboard.ts'
import { isGone } from '../encode/file-progress.ts'
import { withWorkFolder } from '../encode/with-work-folder.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { cleanUpAfterPurge } from '../processing/run-file-job.ts'

/**
 * Makes the storyboard of a playable file without one: encoded before storyboards existed, or by an encode
 * that was interrupted. Other files get theirs before they are finished. Ignores a file that is deleted or
 * replaced meanwhile.
 */
export const createMakeStoryboardHandler =
  (dependencies: FileJobDependencies) =>
  async (job: FileJob, signal: AbortSignal): Promise<void> => {
    try {
      await withWorkFolder(dependencies.workFolder, `storyboard-${job.fileId}-`, (workFolder) =>
        makeStoryboard(dependencies, job, { workFolder, signal }),
      )
    } catch (error) {
      if (!isGone(error)) throw error
    } finally {
      await cleanUpAfterPurge(dependencies, job)
    }
  }

const makeStoryboard = async (
  dependencies: FileJobDependencies,
  job: FileJob,
  run: DrawStoryboardRun,
): Promise<void> => {
  const { database, publicUrl } = dependencies
  const { generation: revision, storyboard } = await findMediaFile(database.kysely, job)
  if (revision !== job.generation || storyboard !== null) return
  const drawn = await drawStoryboard(dependencies, { ...job, revision }, run)
  if (drawn === null) return
  await database.transaction(async (tx) => {
    await shareProject(tx, job.accountId, job.projectId)
    const file = await lockMediaFile(tx, job)
    // The garbage entry of the storyboard stays, and housekeeping removes it.
    if (file.generation !== revision || file.storyboard !== null) return
    const { set, bytes } = await takeStoryboard(tx, drawn)
    await countInProject(tx, job.projectId, { bytes })
    await changeMediaFile(tx, publicUrl, job, () => ({
      set: { ...set, storage_bytes: file.storage_bytes + bytes },
      events: ['file.updated'],
    }))
  })
}
