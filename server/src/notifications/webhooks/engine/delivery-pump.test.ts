import { describe, expect, it } from 'vitest'
import { createDeliveryPump } from './delivery-pump.ts'
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { neverTried } from '../health/endpoint-health.ts'
import { aDelivery, aWebhook } from '../test-support/prepared-delivery.ts'

const queueOf = (webhookId: number, count: number): DeliveryQueue => {
  const queue = createDeliveryQueue({ ...aWebhook, id: webhookId }, neverTried)
  const ids = Array.from({ length: count }, (_, index) => webhookId * 1_000 + index)
  queue.add(ids.map((id) => aDelivery(id, null, { webhookId })))
  return queue
}

const startPump = (maxInFlight: number, ...counts: number[]) => {
  const queues = new Map(counts.map((count, index) => [index + 1, queueOf(index + 1, count)]))
  const ends = new Map<number, (() => void)[]>()
  const pump = createDeliveryPump({
    queues,
    mayGo: () => true,
    send: async (queue, delivery) => {
      await new Promise<void>((resolve) => {
        ends.set(queue.webhookId, [...(ends.get(queue.webhookId) ?? []), resolve])
      })
      queue.settle(delivery, true)
      queue.recordWritten(1)
    },
    now: () => new Date(),
    maxInFlight,
  })
  return {
    pump,
    inFlight: () =>
      [...queues.values()].toSorted((a, b) => a.webhookId - b.webhookId).map((one) => one.inFlightCount()),
    end: async (webhookId: number) => {
      ends.get(webhookId)?.shift()?.()
      await new Promise(setImmediate)
    },
  }
}

describe('createDeliveryPump', () => {
  it('starts at most sixteen requests for each webhook', () => {
    const { pump, inFlight } = startPump(100, 40, 40, 40)
    pump.pumpAll()
    expect(inFlight()).toEqual([16, 16, 16])
  })

  it('divides the total limit among the webhooks', () => {
    const { pump, inFlight } = startPump(12, 40, 1, 40)
    pump.pumpAll()
    expect(inFlight()).toEqual([4, 1, 4])
  })

  it('gives a free slot to a waiting webhook before the one that just used it', async () => {
    const { pump, inFlight, end } = startPump(2, 9, 9, 9)
    pump.pumpAll()
    expect(inFlight()).toEqual([1, 1, 0])
    await end(1)
    expect(inFlight()).toEqual([0, 1, 1])
    await end(2)
    expect(inFlight()).toEqual([1, 0, 1])
  })

  it('settled() resolves when the given webhooks have no requests in flight', async () => {
    const { pump, end } = startPump(100, 1, 1)
    pump.pumpAll()
    let isSettled = false
    void pump.settled(({ webhookId }) => webhookId === 2).then(() => (isSettled = true))
    await end(1)
    expect(isSettled).toBe(false)
    await end(2)
    expect(isSettled).toBe(true)
  })
})
