import type { Database } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { bringForward } from '../store/bring-forward.ts'
import { countBacklog, readHealth } from '../health/health-store.ts'
import { makeReplayDeliveries } from './make-replay-deliveries.ts'
import { replayEventsJob, type ReplayEventsJob } from './replay-job.ts'
import { beginNextRun, endReplay, lockRunningReplay } from './replay-store.ts'

export interface ReplayDependencies {
  readonly database: Database
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly batchSize?: number
  /** Limit on waiting deliveries, because new events queue after those of the replay. */
  readonly maxWaiting?: number
}

const firstLookAgainMs = 1_000
const longestLookAgainMs = 60_000

/**
 * Handles the replay job. The first run makes all waiting deliveries of the webhook due, because the backlog
 * is part of the replay. Each batch of deliveries is created in a transaction that also records the progress,
 * so that a later run continues a killed one.
 * While enough deliveries wait, the run ends and schedules another with growing delays, so a slow receiver
 * does not occupy a worker.
 */
export const createReplayEventsHandler =
  ({ database, jobs, batchSize = 500, maxWaiting = 1_000 }: ReplayDependencies) =>
  async (job: ReplayEventsJob, signal: AbortSignal): Promise<void> => {
    let fullLooks = job.fullLooks
    let forwardAfterId = job.run === 1 ? 0 : null
    const step = (): Promise<'more' | 'later' | 'done'> =>
      database.transaction(async (tx) => {
        const locked = await lockRunningReplay(tx, job)
        if (locked === null) return 'done'
        const { replay, isWanted } = locked
        if (!isWanted) {
          await endReplay(tx, replay.id, 'cancelled')
          return 'done'
        }
        if (forwardAfterId !== null) {
          forwardAfterId = await bringForward(tx, replay.webhook_id, forwardAfterId)
          // After the last batch the replay's deliveries are created in the same transaction, so nothing is
          // sent before the order is complete.
          if (forwardAfterId !== null) return 'more'
        }
        if ((await countBacklog(tx, replay.webhook_id)) >= maxWaiting) {
          const pausedUntil = (await readHealth(tx, [replay.webhook_id])).get(replay.webhook_id)?.pausedUntil
          const next = await beginNextRun(tx, { ...job, fullLooks: fullLooks + 1 })
          await jobs.enqueue(tx, replayEventsJob, next, {
            startAfter: nextLook(pausedUntil ?? null, fullLooks),
          })
          return 'later'
        }
        fullLooks = 0
        if (await makeReplayDeliveries(tx, replay, batchSize)) return 'more'
        await endReplay(tx, replay.id, 'finished')
        return 'done'
      })
    while ((await step()) === 'more') signal.throwIfAborted()
  }

/** Waits 1, 2, 4 … 60 seconds, or until the breaker's pause ends if that is longer, at most 60 seconds. */
const nextLook = (pausedUntil: Date | null, fullLooks: number): Date => {
  const pauseMs = (pausedUntil?.getTime() ?? 0) - Date.now()
  const backOffMs = firstLookAgainMs * 2 ** fullLooks
  return new Date(Date.now() + Math.min(longestLookAgainMs, Math.max(backOffMs, pauseMs)))
}
