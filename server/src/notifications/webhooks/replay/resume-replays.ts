import type { Database } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { replayEventsJob } from './replay-job.ts'
import { beginNextRun, findForsakenReplays, lockRunningReplay } from './replay-store.ts'

/** Ten times the longest delay between two runs. */
const forsakenMs = 600_000

/**
 * Housekeeping task: continues replays whose job has used up its retries. A replay whose job is still queued
 * is left alone. A new run would void that job and move to the end of the queue, over and over.
 */
export const resumeReplays = async (
  database: Database,
  jobs: Pick<Jobs, 'enqueue' | 'isQueued'>,
  now = new Date(),
): Promise<void> => {
  const before = new Date(now.getTime() - forsakenMs)
  for (const { id: replayId, run } of await findForsakenReplays(database.kysely, before)) {
    if (await jobs.isQueued(replayEventsJob, { replayId, run })) continue
    await database.transaction(async (tx) => {
      if ((await lockRunningReplay(tx, { replayId, run })) === null) return
      await jobs.enqueue(tx, replayEventsJob, await beginNextRun(tx, { replayId, run, fullLooks: 0 }))
    })
  }
}
