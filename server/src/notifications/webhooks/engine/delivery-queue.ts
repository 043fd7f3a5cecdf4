import {
  mayGet,
  orderingKeyOf,
  type DeliverableWebhook,
  type PreparedDelivery,
} from '../store/due-delivery.ts'
import { allowedInFlight, failuresThatPause, type EndpointHealth } from '../health/endpoint-health.ts'

export const maxInFlightPerWebhook = 16

/**
 * Deliveries of one webhook that this process has read but whose results the database does not hold yet. In
 * memory only: the engine reads dropped deliveries again.
 */
export interface DeliveryQueue {
  readonly webhookId: number
  readonly webhook: () => DeliverableWebhook
  /** Drops waiting deliveries of projects to which the webhook no longer belongs. */
  readonly setWebhook: (webhook: DeliverableWebhook) => void
  readonly health: () => EndpointHealth
  /** Ignores a revision that is not newer than the known one. */
  readonly setHealth: (health: EndpointHealth) => void
  /** Marks the first `count` settled results as persisted and included in the health set last. */
  readonly recordWritten: (count: number) => void
  /** Sorts deliveries by id and skips known ones. */
  readonly add: (deliveries: readonly PreparedDelivery[]) => void
  readonly has: (deliveryId: number) => boolean
  /**
   * Returns the next sendable delivery and counts it as in flight; null while the breaker pauses the webhook.
   */
  readonly next: (now: Date) => PreparedDelivery | null
  /**
   * Records the result of a request. After a success the next delivery of the ordering key may start; after a
   * failure the key stays blocked until `remove`.
   */
  readonly settle: (delivery: PreparedDelivery, isDelivered: boolean) => void
  /** Discards a request that ended without an answer, as if the delivery had never been read. */
  readonly abandon: (delivery: PreparedDelivery) => void
  /** The result is persisted and every later read sees it. */
  readonly remove: (delivery: PreparedDelivery, isDelivered: boolean) => void
  readonly dropWaiting: () => void
  readonly waitingCount: () => number
  readonly inFlightCount: () => number
  readonly isEmpty: () => boolean
}

export const createDeliveryQueue = (
  first: DeliverableWebhook,
  firstHealth: EndpointHealth,
): DeliveryQueue => {
  let webhook = first
  let health = firstHealth
  /** Outcomes that `health` does not include yet, oldest first; true = delivered. */
  let unwritten: boolean[] = []
  let unwrittenFailures = 0
  let lastFailures = 0
  let waiting: PreparedDelivery[] = []
  let inFlight = 0
  /** Deliveries that are waiting, in flight, or settled with a result that a read may not see yet. */
  const knownIds = new Set<number>()
  const blockedKeys = new Set<number>()

  const drop = (isDropped: (delivery: PreparedDelivery) => boolean): void => {
    for (const delivery of waiting) if (isDropped(delivery)) knownIds.delete(delivery.id)
    waiting = waiting.filter((delivery) => !isDropped(delivery))
  }

  /** Do not send until the breaker state is persisted. */
  const isForBreaker = (): boolean => {
    if (health.pausedUntil !== null) return unwrittenFailures > 0
    const isAllThereIs = lastFailures === unwritten.length
    return lastFailures + (isAllThereIs ? health.failuresInRow : 0) >= failuresThatPause
  }

  const unblockKey = (delivery: PreparedDelivery): void => {
    const orderingKey = orderingKeyOf(delivery)
    if (orderingKey !== null) blockedKeys.delete(orderingKey)
  }

  return {
    webhookId: first.id,
    webhook: () => webhook,
    setWebhook: (fresh) => {
      webhook = fresh
      drop(({ event }) => !mayGet(fresh, event.projectId))
    },
    health: () => health,
    setHealth: (known) => {
      if (known.revision <= health.revision) return
      health = known
    },
    recordWritten: (count) => {
      unwritten = unwritten.slice(count)
      unwrittenFailures = unwritten.reduce((sum, isDelivered) => sum + (isDelivered ? 0 : 1), 0)
      lastFailures = Math.min(lastFailures, unwritten.length)
    },
    add: (deliveries) => {
      for (const delivery of deliveries) {
        if (knownIds.has(delivery.id)) continue
        knownIds.add(delivery.id)
        waiting.push(delivery)
      }
      waiting.sort((a, b) => a.id - b.id)
    },
    has: (deliveryId) => knownIds.has(deliveryId),
    next: (now) => {
      if (isForBreaker() || inFlight >= allowedInFlight(health, now, maxInFlightPerWebhook)) return null
      const index = waiting.findIndex((delivery) => {
        const orderingKey = orderingKeyOf(delivery)
        return orderingKey === null || !blockedKeys.has(orderingKey)
      })
      const [delivery] = index === -1 ? [] : waiting.splice(index, 1)
      if (delivery === undefined) return null
      const orderingKey = orderingKeyOf(delivery)
      if (orderingKey !== null) blockedKeys.add(orderingKey)
      inFlight += 1
      return delivery
    },
    settle: (delivery, isDelivered) => {
      inFlight -= 1
      unwritten.push(isDelivered)
      lastFailures = isDelivered ? 0 : lastFailures + 1
      if (!isDelivered) unwrittenFailures += 1
      if (isDelivered) unblockKey(delivery)
    },
    abandon: (delivery) => {
      inFlight -= 1
      knownIds.delete(delivery.id)
      unblockKey(delivery)
    },
    remove: (delivery, isDelivered) => {
      knownIds.delete(delivery.id)
      if (isDelivered) return
      const orderingKey = orderingKeyOf(delivery)
      if (orderingKey === null) return
      // They may be blocked by now; the next read returns their current state.
      drop((other) => orderingKeyOf(other) === orderingKey)
      blockedKeys.delete(orderingKey)
    },
    dropWaiting: () => drop(() => true),
    waitingCount: () => waiting.length,
    inFlightCount: () => inFlight,
    isEmpty: () => knownIds.size === 0,
  }
}
