import type { Database } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log/log.ts'
import { askForLocal } from './ask-for-local.ts'
import { releaseExpired } from './chunk-leases.ts'
import { countRemoteSlots } from './remote-worker-store.ts'

const intervalMs = 2_000
const warnIntervalMs = 60_000

interface Dependencies {
  readonly database: Database
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly log: Log
}

/** Queues the chunks of lost remote workers for local workers. Another remote worker can still take them first. */
export const releaseExpiredLeases = ({ database, jobs, log }: Dependencies): Promise<void> =>
  database.transaction(async (tx) => {
    for (const chunk of await releaseExpired(tx)) {
      log.warn(
        { fileId: chunk.file_id, chunk: chunk.number, workerId: chunk.worker_id },
        'the lease of a remote worker has expired',
      )
      await askForLocal(tx, jobs, chunk, chunk.number)
    }
  })

/** Their jobs have ended, so that the queue does not show them. */
const warnOfLeftChunks = async ({ database: { kysely }, log }: Dependencies): Promise<void> => {
  const { count } = await kysely
    .selectFrom('encode_chunks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'planned')
    .executeTakeFirstOrThrow()
  if (count > 0 && (await countRemoteSlots(kysely)) === 0)
    log.warn({ chunks: count }, 'encodes wait for a remote worker, but none is connected')
}

/** Runs in each worker process. The statement is cheap: a partial index has only the unfinished chunks. */
export const watchLeases = (
  dependencies: Dependencies,
  { isRemoteOnly }: { readonly isRemoteOnly: boolean },
): { readonly stop: () => Promise<void> } => {
  let running = Promise.resolve()
  let warnAtMs = 0
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    const isWarning = isRemoteOnly && performance.now() >= warnAtMs
    if (isWarning) warnAtMs = performance.now() + warnIntervalMs
    running = releaseExpiredLeases(dependencies)
      .then(() => (isWarning ? warnOfLeftChunks(dependencies) : undefined))
      .catch((error: unknown) => dependencies.log.warn({ err: error }, 'cannot release expired leases'))
      .finally(() => {
        isRunning = false
      })
  }, intervalMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
