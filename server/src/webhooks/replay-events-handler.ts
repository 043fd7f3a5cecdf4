import type { Database } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { readBacklog, readHealth } from './health-store.ts'
import { replayEventsJob, type ReplayEventsJob } from './replay-job.ts'
import { endReplay, lockRunningReplay, makeDeliveries } from './replay-store.ts'

export interface ReplayDependencies {
  readonly database: Database
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly batchSize?: number
  /** What happens meanwhile stands in line behind these. */
  readonly maxWaiting?: number
}

const lookAgainMs = 1_000
const longestLookAgainMs = 60_000

/**
 * Makes the deliveries of a replay a batch at a time, each in a transaction that also notes how far it got: a run that is killed is gone on with.
 * While enough of them wait, the run ends and asks for another one, so that a receiver that is slow or down keeps no worker busy.
 */
export const createReplayEventsHandler =
  ({ database, jobs, batchSize = 500, maxWaiting = 1_000 }: ReplayDependencies) =>
  async (job: ReplayEventsJob, signal: AbortSignal): Promise<void> => {
    const step = (): Promise<'more' | 'later' | 'done'> =>
      database.transaction(async (tx) => {
        const locked = await lockRunningReplay(tx, job.replayId)
        if (locked === null) return 'done'
        const { replay, isWanted } = locked
        if (!isWanted) {
          await endReplay(tx, replay.id, 'cancelled')
          return 'done'
        }
        if ((await readBacklog(tx, replay.webhook_id)).count >= maxWaiting) {
          const pausedUntil = (await readHealth(tx, [replay.webhook_id])).get(replay.webhook_id)?.pausedUntil
          await jobs.enqueue(tx, replayEventsJob, job, { startAfter: nextLook(pausedUntil ?? null) })
          return 'later'
        }
        if (await makeDeliveries(tx, replay, batchSize)) return 'more'
        await endReplay(tx, replay.id, 'finished')
        return 'done'
      })
    while ((await step()) === 'more') signal.throwIfAborted()
  }

const nextLook = (pausedUntil: Date | null): Date => {
  const pauseMs = (pausedUntil?.getTime() ?? 0) - Date.now()
  return new Date(Date.now() + Math.min(longestLookAgainMs, Math.max(lookAgainMs, pauseMs)))
}
