import type { Queryable, Tx } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { discardBlobs } from './discarded-media.ts'
import { makeStoryboardJob } from './file-jobs.ts'
import type { MediaFileRow } from './file-record.ts'

/** Asks for the storyboard of what plays, where there is none; in the transaction that ends processing. */
export const askForStoryboard = async (
  queryable: Queryable,
  jobs: Jobs,
  file: Pick<MediaFileRow, 'account_id' | 'project_id' | 'id' | 'generation' | 'storyboard'>,
): Promise<void> => {
  if (file.storyboard !== null) return
  await jobs.enqueue(
    queryable,
    makeStoryboardJob,
    {
      accountId: file.account_id,
      projectId: file.project_id,
      fileId: file.id,
      generation: file.generation,
    },
    { key: `${file.id}.${file.generation}` },
  )
}

/** The storyboard of a source that is replaced goes with it. Answers how many bytes it had. */
export const discardStoryboard = async (tx: Tx, file: MediaFileRow): Promise<number> => {
  const { storyboard } = file
  if (storyboard === null) return 0
  await discardBlobs(tx, file, [storyboard.sheetBlob, storyboard.stillsBlob])
  return storyboard.sizeBytes
}
