import type { DeliveryQueue } from './delivery-queue.ts'
import type { PreparedDelivery } from '../store/due-delivery.ts'

export interface DeliveryPump {
  readonly pump: (queue: DeliveryQueue) => void
  readonly pumpAll: () => void
  /** Resolves when these queues have no requests in flight. */
  readonly settled: (isIncluded: (queue: DeliveryQueue) => boolean) => Promise<void>
}

/**
 * With several accounts, each may use this many times the free slots. One busy account leaves 1/4 of all slots free,
 * two leave 1/7. Another account can then send at once, instead of waiting for a request to time out.
 */
const timesFreeSlots = 3

/**
 * Starts requests, at most `maxInFlight` in total because each holds a socket. Accounts have equal shares, and
 * so have the webhooks of an account, so slow endpoints cannot take the slots of others.
 */
export const createDeliveryPump = ({
  queues,
  mayGo,
  send,
  now,
  maxInFlight,
}: {
  readonly queues: Map<number, DeliveryQueue>
  readonly mayGo: (queue: DeliveryQueue) => boolean
  /** Must not reject; settles or abandons the delivery before it resolves. */
  readonly send: (queue: DeliveryQueue, delivery: PreparedDelivery) => Promise<void>
  readonly now: () => Date
  readonly maxInFlight: number
}): DeliveryPump => {
  let inFlight = 0
  const inFlightOfAccounts = new Map<number, number>()
  /** Accounts seen so far. A single one uses all slots. */
  const knownAccountIds = new Set<number>()
  let webhookCounts = new Map<number, number>()
  let countedWebhooks = 0
  /** Accounts with a request that the share of the account has kept back. */
  const heldBackAccountIds = new Set<number>()
  const whenSettled = new Set<() => void>()

  const isFull = (): boolean => inFlight >= maxInFlight

  const countWebhooks = (): void => {
    webhookCounts = new Map()
    countedWebhooks = queues.size
    for (const queue of queues.values()) {
      const { accountId } = queue.webhook()
      webhookCounts.set(accountId, (webhookCounts.get(accountId) ?? 0) + 1)
      knownAccountIds.add(accountId)
    }
  }

  const mayStartFor = (accountId: number): boolean =>
    !isFull() &&
    (knownAccountIds.size <= 1 ||
      (inFlightOfAccounts.get(accountId) ?? 0) < timesFreeSlots * (maxInFlight - inFlight))

  const shareOfWebhook = (accountId: number): number =>
    Math.max(1, Math.floor(maxInFlight / webhookCounts.size / (webhookCounts.get(accountId) ?? 1)))

  const addInFlight = (accountId: number, change: 1 | -1): void => {
    inFlight += change
    const ofAccount = (inFlightOfAccounts.get(accountId) ?? 0) + change
    if (ofAccount > 0) inFlightOfAccounts.set(accountId, ofAccount)
    else inFlightOfAccounts.delete(accountId)
  }

  const startOne = (queue: DeliveryQueue): boolean => {
    const { accountId } = queue.webhook()
    if (queue.inFlightCount() >= shareOfWebhook(accountId) || !mayGo(queue)) return false
    if (!mayStartFor(accountId)) {
      if (queue.waitingCount() > 0) heldBackAccountIds.add(accountId)
      return false
    }
    const delivery = queue.next(now())
    if (delivery === null) return false
    addInFlight(accountId, 1)
    void run(queue, delivery, accountId)
    return true
  }

  const run = async (queue: DeliveryQueue, delivery: PreparedDelivery, accountId: number): Promise<void> => {
    await send(queue, delivery)
    const wasFull = isFull()
    addInFlight(accountId, -1)
    if (wasFull || [...heldBackAccountIds].some(mayStartFor)) pumpAll()
    else pump(queue)
    for (const check of whenSettled) check()
  }

  const pump = (queue: DeliveryQueue): void => {
    if (countedWebhooks !== queues.size) countWebhooks()
    while (startOne(queue));
  }

  /**
   * Starts one request per webhook in each round, so a long queue does not starve a short one. A webhook that
   * started a request moves to the end of the order.
   */
  const pumpAll = (): void => {
    countWebhooks()
    heldBackAccountIds.clear()
    let hasStarted: boolean
    do {
      hasStarted = false
      for (const queue of [...queues.values()]) {
        if (isFull()) return
        if (!startOne(queue)) continue
        hasStarted = true
        queues.delete(queue.webhookId)
        queues.set(queue.webhookId, queue)
      }
    } while (hasStarted)
  }

  return {
    pump,
    pumpAll,
    settled: (isIncluded) =>
      new Promise((resolve) => {
        const check = (): void => {
          for (const queue of queues.values()) if (isIncluded(queue) && queue.inFlightCount() > 0) return
          whenSettled.delete(check)
          resolve()
        }
        whenSettled.add(check)
        check()
      }),
  }
}
