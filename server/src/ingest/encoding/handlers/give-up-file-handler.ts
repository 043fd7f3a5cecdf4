import { revisionOf, type FileJob } from '../../../library/files/queue/file-jobs.ts'
import type { EncodingDependencies } from '../encode/encode-renditions.ts'
import { dropUnwantedChunks } from '../chunks/end-chunks.ts'
import { markFailed } from '../processing/end-processing.ts'
import { failureMessage, isGone } from '../encode/file-progress.ts'

/** Marks a file as failed after its job has used all attempts. Ignores a deleted file. */
export const createGiveUpFileHandler =
  (dependencies: EncodingDependencies) =>
  async (job: FileJob): Promise<void> => {
    await markFailed(dependencies, job, failureMessage(null)).catch((error: unknown) => {
      if (!isGone(error)) throw error
    })
    await dropUnwantedChunks(dependencies, { ...job, revision: revisionOf(job) })
  }
