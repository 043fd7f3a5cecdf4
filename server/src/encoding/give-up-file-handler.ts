import type { FileJob } from '../files/file-jobs.ts'
import type { EncodingDependencies } from './encode-renditions.ts'
import { dropUnwantedChunks } from './end-chunks.ts'
import { markFailed } from './end-processing.ts'
import { failureMessage, isGone } from './file-progress.ts'

/** The last word on a file whose job used up all its tries: nobody waits for it in vain. A deleted file is left alone. */
export const createGiveUpFileHandler =
  (dependencies: EncodingDependencies) =>
  async (job: FileJob): Promise<void> => {
    await markFailed(dependencies, job, failureMessage(null)).catch((error: unknown) => {
      if (!isGone(error)) throw error
    })
    await dropUnwantedChunks(dependencies, { ...job, generation: job.generation ?? 1 })
  }
