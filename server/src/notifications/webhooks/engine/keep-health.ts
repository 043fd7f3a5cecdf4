import type { Log } from '../../../platform/log/log.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import type { AttemptOutcome } from '../attempts/attempt-delivery.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { disableWebhook, type DisableDependencies } from '../store/disable-webhook.ts'
import { allowedInFlight, isGivenUp, isWorthNoting, type EndpointHealth } from '../health/endpoint-health.ts'
import { recordAttempts } from '../health/health-store.ts'

interface Written extends AttemptOutcome {
  readonly queue: DeliveryQueue
}

const givenUpReason = ({ failingSince, lastFailureError }: EndpointHealth): string =>
  `Every request has failed since ${failingSince === null ? 'long ago' : toTimestamp(failingSince)}; the last time: ${lastFailureError ?? 'no answer.'}`

/**
 * Updates the health of the endpoints in a batch of results, runs the circuit breaker, and disables endpoints
 * that answered 410 or failed for days. Returns the queues that may continue.
 */
export const keepHealth = async (
  dependencies: DisableDependencies & { readonly log: Log; readonly now: () => Date },
  batch: readonly Written[],
): Promise<DeliveryQueue[]> => {
  const { database, log, now } = dependencies
  /** Never throws: the failures of this batch are already counted. A later batch tries to disable again. */
  const disable = async (webhookId: number, targetUrl: string, reason: string): Promise<void> => {
    try {
      if (!(await disableWebhook(dependencies, { webhookId, targetUrl, reason }))) return
      log.warn({ webhookId, reason }, 'webhook disabled')
    } catch (error) {
      log.error({ err: error, webhookId, reason }, 'cannot disable webhook')
    }
  }
  const changed = new Set<DeliveryQueue>()
  for (const { queue, result } of batch)
    if (isWorthNoting(queue.health(), { ...result, isDelivered: result.state === 'delivered' }))
      changed.add(queue)
  const healths = await recordAttempts(
    database,
    batch.filter(({ queue }) => changed.has(queue)),
  )
  for (const [webhookId, { health, targetUrl }] of healths)
    if (isGivenUp(health)) await disable(webhookId, targetUrl, givenUpReason(health))
  for (const { result, targetUrl, isGone } of batch)
    if (isGone) await disable(result.webhookId, targetUrl, result.error?.text ?? '')
  for (const [queue, { length }] of Map.groupBy(batch, (one) => one.queue)) {
    const known = healths.get(queue.webhookId)
    if (known !== undefined) queue.setHealth(known.health)
    queue.recordWritten(length)
    // The engine reads them again when the pause is over.
    if (allowedInFlight(queue.health(), now(), 1) === 0) queue.dropWaiting()
  }
  return [...changed]
}
