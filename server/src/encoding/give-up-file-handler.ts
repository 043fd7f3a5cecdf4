import type { FileJob } from '../files/file-jobs.ts'
import type { EncodingDependencies } from './encode-renditions.ts'
import { dropUnwantedChunks } from './end-chunks.ts'
import { markFailed } from './end-processing.ts'
import { failureMessage, isGone } from './file-progress.ts'

/** Marks a file as failed after its job has used all attempts. Ignores a deleted file. */
export const createGiveUpFileHandler =
  (dependencies: EncodingDependencies) =>
  async (job: FileJob): Promise<void> => {
    await markFailed(dependencies, job, failureMessage(null)).catch((error: unknown) => {
      if (!isGone(error)) throw error
    })
    await dropUnwantedChunks(dependencies, { ...job, generation: job.generation ?? 1 })
  }
