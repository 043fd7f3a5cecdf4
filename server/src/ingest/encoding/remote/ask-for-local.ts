import { randomUUID } from 'node:crypto'
import { encodeLadderJob } from '../../../library/files/queue/file-jobs.ts'
import { ladderPriority } from '../../../library/files/queue/ladder-priority.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'

interface OfChunk {
  readonly account_id: number
  readonly file_id: number
  readonly generation: number
}

/**
 * Queues a job for the local workers: for one chunk, or for the ladder after its last chunk. The key is unique,
 * because an earlier job for the same chunk may still be running.
 */
export const askForLocal = async (
  tx: Tx,
  jobs: Pick<Jobs, 'enqueue'>,
  { account_id, file_id, generation }: OfChunk,
  chunk: number | null,
): Promise<void> => {
  const file = await tx
    .selectFrom('media_files')
    .select(['project_id', 'encoding_priority'])
    .where('account_id', '=', account_id)
    .where('id', '=', file_id)
    .executeTakeFirst()
  if (file === undefined) return
  await jobs.enqueue(
    tx,
    encodeLadderJob,
    {
      ...{ accountId: account_id, projectId: file.project_id, fileId: file_id, generation },
      ...(chunk === null ? {} : { chunk }),
    },
    {
      priority: ladderPriority(file, { isLater: false, hasBegun: true }),
      key: `${file_id}.${generation}.${randomUUID()}`,
    },
  )
}
