import type { Database } from '../kernel/db/database.ts'
import type { Log } from '../kernel/log.ts'
import { toTimestamp } from '../kernel/timestamp.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { allowedInFlight, isGivenUp, isWorthNoting, type EndpointHealth } from './endpoint-health.ts'
import { noteAttempts } from './health-store.ts'
import { disableWebhook } from './webhook-store.ts'
import type { AttemptResult } from './write-results.ts'

interface Written {
  readonly queue: DeliveryQueue
  readonly result: AttemptResult
  readonly isGone: boolean
}

const givenUpReason = ({ failingSince, lastFailureError }: EndpointHealth): string =>
  `Every request has failed since ${failingSince === null ? 'long ago' : toTimestamp(failingSince)}; the last time: ${lastFailureError ?? 'no answer.'}`

/**
 * What a batch of results means for its endpoints: their health is noted, the breaker decides, and who wants nothing more or answers nothing for
 * days is disabled. Answers the queues that may go on.
 */
export const keepHealth = async (
  { database, log, now }: { readonly database: Database; readonly log: Log; readonly now: () => Date },
  batch: readonly Written[],
): Promise<DeliveryQueue[]> => {
  const disable = async (webhookId: number, reason: string): Promise<void> => {
    if (await disableWebhook(database, webhookId, reason)) log.warn({ webhookId, reason }, 'webhook disabled')
  }
  const noted = new Set<DeliveryQueue>()
  for (const { queue, result } of batch)
    if (isWorthNoting(queue.health(), { ...result, isDelivered: result.state === 'delivered' }))
      noted.add(queue)
  const healths = await noteAttempts(
    database,
    batch.flatMap(({ queue, result }) => (noted.has(queue) ? [result] : [])),
  )
  for (const [webhookId, health] of healths)
    if (isGivenUp(health)) await disable(webhookId, givenUpReason(health))
  for (const { result, isGone } of batch) if (isGone) await disable(result.webhookId, result.error ?? '')
  // Nothing below can fail, so that a batch that is written again is not taken for two.
  for (const [queue, { length }] of Map.groupBy(batch, (one) => one.queue)) {
    const health = healths.get(queue.webhookId)
    if (health !== undefined) queue.setHealth(health)
    queue.noteWritten(length)
    // They are read again when the pause is over.
    if (allowedInFlight(queue.health(), now(), 1) === 0) queue.dropWaiting()
  }
  return [...noted]
}
