import type { FileJob } from '../files/file-jobs.ts'
import { Problem } from '../kernel/problem.ts'
import type { EncodingDependencies } from './encode-renditions.ts'
import { failureMessage, markFailed } from './file-progress.ts'

/** The last word on a file whose job used up all its tries: nobody waits for it in vain. A deleted file is left alone. */
export const createGiveUpFileHandler =
  ({ database, publicUrl }: EncodingDependencies) =>
  async (job: FileJob): Promise<void> => {
    await database
      .transaction((tx) => markFailed(tx, publicUrl, job, failureMessage(null)))
      .catch((error: unknown) => {
        if (!(error instanceof Problem && error.code === 'not_found')) throw error
      })
  }
