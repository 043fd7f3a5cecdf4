import type { Database } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { bringForward } from './bring-forward.ts'
import { readBacklog, readHealth } from './health-store.ts'
import { makeReplayDeliveries } from './make-replay-deliveries.ts'
import { replayEventsJob, type ReplayEventsJob } from './replay-job.ts'
import { beginNextRun, endReplay, lockRunningReplay } from './replay-store.ts'

export interface ReplayDependencies {
  readonly database: Database
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly batchSize?: number
  /** What happens meanwhile stands in line behind these. */
  readonly maxWaiting?: number
}

const firstLookAgainMs = 1_000
const longestLookAgainMs = 60_000

/**
 * The first run brings forward what waits for the webhook, whatever the backlog: that is part of it. The deliveries of a replay are made a batch
 * at a time, each in a transaction that also notes how far it got, so that a later run continues a killed one.
 * While enough of them wait, the run ends and asks for another one, later and later, so that a receiver that is slow or down keeps no worker
 * busy.
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
          // Where one batch is all, the repeats are made in the same transaction: nothing is sent before both are in their order.
          if (forwardAfterId !== null) return 'more'
        }
        if ((await readBacklog(tx, replay.webhook_id)).count >= maxWaiting) {
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

/** After 1, 2, 4 … 60 seconds, and not before the breaker ends its pause. */
const nextLook = (pausedUntil: Date | null, fullLooks: number): Date => {
  const pauseMs = (pausedUntil?.getTime() ?? 0) - Date.now()
  const backOffMs = firstLookAgainMs * 2 ** fullLooks
  return new Date(Date.now() + Math.min(longestLookAgainMs, Math.max(backOffMs, pauseMs)))
}
