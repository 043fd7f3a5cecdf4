import type { Database } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { replayEventsJob } from './replay-job.ts'
import { beginNextRun, findForsakenReplays, lockRunningReplay } from './replay-store.ts'

/** Ten times the longest time from one look to the next. */
const forsakenMs = 600_000

/**
 * Part of the housekeeping. A replay whose job has used up its tries is gone on with. One whose job still waits in a long line is left alone: a
 * new run would void that job and stand at the end of the line, again and again.
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
