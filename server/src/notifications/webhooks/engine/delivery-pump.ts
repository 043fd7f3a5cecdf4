import type { DeliveryQueue } from './delivery-queue.ts'
import type { PreparedDelivery } from '../store/due-delivery.ts'

export interface DeliveryPump {
  readonly pump: (queue: DeliveryQueue) => void
  readonly pumpAll: () => void
  /** Resolves when these queues have no requests in flight. */
  readonly settled: (isIncluded: (queue: DeliveryQueue) => boolean) => Promise<void>
}

/**
 * Starts requests, at most `maxInFlight` in total because each holds a socket. Each webhook has an equal
 * share, so slow endpoints cannot take the slots of others.
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
  const whenSettled = new Set<() => void>()

  const isFull = (): boolean => inFlight >= maxInFlight

  const share = (): number => Math.max(1, Math.floor(maxInFlight / queues.size))

  const startOne = (queue: DeliveryQueue): boolean => {
    if (isFull() || !mayGo(queue) || queue.inFlightCount() >= share()) return false
    const delivery = queue.next(now())
    if (delivery === null) return false
    inFlight += 1
    void run(queue, delivery)
    return true
  }

  const run = async (queue: DeliveryQueue, delivery: PreparedDelivery): Promise<void> => {
    await send(queue, delivery)
    const wasFull = isFull()
    inFlight -= 1
    if (wasFull) pumpAll()
    else pump(queue)
    for (const check of whenSettled) check()
  }

  const pump = (queue: DeliveryQueue): void => {
    while (startOne(queue));
  }

  /**
   * Starts one request per webhook in each round, so a long queue does not starve a short one. A webhook that
   * started a request moves to the end of the order.
   */
  const pumpAll = (): void => {
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
