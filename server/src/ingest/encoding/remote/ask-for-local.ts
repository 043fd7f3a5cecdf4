import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { encodeLadderJob } from '../../../library/files/queue/file-jobs.ts'
import { ladderPriority } from '../../../library/files/queue/ladder-priority.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { findChunkedPlan } from '../chunks/chunk-store.ts'
import { isLaterStep } from '../encode/ladder-steps.ts'

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
  const plan = await findChunkedPlan(tx, { accountId: account_id, fileId: file_id, revision: generation })
  if (file === undefined || plan === null) return
  await jobs.enqueue(
    tx,
    encodeLadderJob,
    {
      ...{ accountId: account_id, projectId: file.project_id, fileId: file_id, generation },
      ...(chunk === null ? {} : { chunk }),
    },
    {
      priority: ladderPriority(file, { isLater: isLaterStep(plan.rungs), hasBegun: true }),
      key: `${file_id}.${generation}.${randomUUID()}`,
    },
  )
}

/**
 * Queues the ladders whose chunks were left to remote workers while ZOETROPE_ENCODER_CONCURRENCY was 0: the jobs of
 * these chunks have ended.
 */
export const askForLeftChunks = (database: Database, jobs: Pick<Jobs, 'enqueue'>): Promise<void> =>
  database.transaction(async (tx) => {
    const left = await tx
      .selectFrom('chunked_encodes as encode')
      .select(['encode.account_id', 'encode.file_id', 'encode.generation'])
      .where(sql<boolean>`encode.plan ? 'tracks'`)
      .where(sql<boolean>`exists (
        select from encode_chunks chunk
        where chunk.account_id = encode.account_id and chunk.file_id = encode.file_id
          and chunk.generation = encode.generation and chunk.state = 'planned')`)
      .execute()
    for (const encode of left) await askForLocal(tx, jobs, encode, null)
  })
