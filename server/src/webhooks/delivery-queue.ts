import { laneOf, type DeliverableWebhook, type PreparedDelivery } from './due-delivery.ts'
import { allowedInFlight, failuresThatPause, type EndpointHealth } from './endpoint-health.ts'

export const maxInFlightPerWebhook = 16

/**
 * The deliveries of one webhook that this process has read but not settled in the database. Not persistent: what is dropped here is read
 * again.
 */
export interface DeliveryQueue {
  readonly webhookId: number
  readonly webhook: () => DeliverableWebhook
  readonly setWebhook: (webhook: DeliverableWebhook) => void
  readonly health: () => EndpointHealth
  /** As it was read or written; what is older than the one that is known is ignored. */
  readonly setHealth: (health: EndpointHealth) => void
  /** The first of what was settled is in the database, and the health that was set last knows of it. */
  readonly noteWritten: (count: number) => void
  /** In the order of their ids; those that are known already are skipped. */
  readonly add: (deliveries: readonly PreparedDelivery[]) => void
  readonly has: (deliveryId: number) => boolean
  /** The next one that may be sent, which counts as in flight from now on; none while the breaker pauses. */
  readonly next: (now: Date) => PreparedDelivery | null
  /**
   * The answer is there. After a success the next of the lane may go at once; otherwise the lane stays shut until `forget`, when the
   * database knows that it is blocked.
   */
  readonly settle: (delivery: PreparedDelivery, isDelivered: boolean) => void
  /** The request was ended without an answer; it is as if it had never been read. */
  readonly abandon: (delivery: PreparedDelivery) => void
  /** The result is in the database, and every later read sees it. */
  readonly forget: (delivery: PreparedDelivery, isDelivered: boolean) => void
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
  /** What requests came to that `health` does not know of yet, in their order: whether they were delivered. */
  let unwritten: boolean[] = []
  /** Of these, and how many failures stand at their end. */
  let unwrittenFailures = 0
  let lastFailures = 0
  let waiting: PreparedDelivery[] = []
  let inFlight = 0
  /** Waiting, in flight, or with a result that a read may not see yet. */
  const knownIds = new Set<number>()
  const shutLanes = new Set<number>()

  const drop = (isDropped: (delivery: PreparedDelivery) => boolean): void => {
    for (const delivery of waiting) if (isDropped(delivery)) knownIds.delete(delivery.id)
    waiting = waiting.filter((delivery) => !isDropped(delivery))
  }

  /** The breaker has to decide: nothing goes before its word is in the database. */
  const isForBreaker = (): boolean => {
    if (health.pausedUntil !== null) return unwrittenFailures > 0
    const isAllThereIs = lastFailures === unwritten.length
    return lastFailures + (isAllThereIs ? health.failuresInRow : 0) >= failuresThatPause
  }

  const openLane = (delivery: PreparedDelivery): void => {
    const lane = laneOf(delivery)
    if (lane !== null) shutLanes.delete(lane)
  }

  return {
    webhookId: first.id,
    webhook: () => webhook,
    setWebhook: (fresh) => {
      webhook = fresh
    },
    health: () => health,
    setHealth: (known) => {
      if (known.revision <= health.revision) return
      health = known
    },
    noteWritten: (count) => {
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
        const lane = laneOf(delivery)
        return lane === null || !shutLanes.has(lane)
      })
      const [delivery] = index === -1 ? [] : waiting.splice(index, 1)
      if (delivery === undefined) return null
      const lane = laneOf(delivery)
      if (lane !== null) shutLanes.add(lane)
      inFlight += 1
      return delivery
    },
    settle: (delivery, isDelivered) => {
      inFlight -= 1
      unwritten.push(isDelivered)
      lastFailures = isDelivered ? 0 : lastFailures + 1
      if (!isDelivered) unwrittenFailures += 1
      if (isDelivered) openLane(delivery)
    },
    abandon: (delivery) => {
      inFlight -= 1
      knownIds.delete(delivery.id)
      openLane(delivery)
    },
    forget: (delivery, isDelivered) => {
      knownIds.delete(delivery.id)
      if (isDelivered) return
      const lane = laneOf(delivery)
      if (lane === null) return
      // They may be blocked by now; the next read knows.
      drop((other) => laneOf(other) === lane)
      shutLanes.delete(lane)
    },
    dropWaiting: () => drop(() => true),
    waitingCount: () => waiting.length,
    inFlightCount: () => inFlight,
    isEmpty: () => knownIds.size === 0,
  }
}
