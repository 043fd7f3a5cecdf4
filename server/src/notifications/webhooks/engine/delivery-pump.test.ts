import { describe, expect, it } from 'vitest'
import { createDeliveryPump } from './delivery-pump.ts'
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { neverTried } from '../health/endpoint-health.ts'
import { aDelivery, aWebhook } from '../test-support/prepared-delivery.ts'

const queueOf = (webhookId: number, count: number, accountId = 1): DeliveryQueue => {
  const queue = createDeliveryQueue({ ...aWebhook, id: webhookId, accountId }, neverTried)
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
    queues,
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

  describe('with several accounts', () => {
    const perAccount = (queues: ReadonlyMap<number, DeliveryQueue>): Record<string, number> => {
      const sums: Record<string, number> = {}
      for (const queue of queues.values()) {
        const { accountId } = queue.webhook()
        sums[accountId] = (sums[accountId] ?? 0) + queue.inFlightCount()
      }
      return sums
    }

    it('keeps slots free for the other accounts while the receivers of one do not answer', async () => {
      const { pump, queues, end } = startPump(100, ...Array.from({ length: 150 }, () => 9))
      queues.set(900, queueOf(900, 1, 2))
      pump.pumpAll()
      await end(900)
      queues.delete(900)
      pump.pumpAll()
      expect(perAccount(queues)).toEqual({ 1: 75 })
      queues.set(901, queueOf(901, 40, 2))
      pump.pumpAll()
      expect(perAccount(queues)).toEqual({ 1: 75, 2: 16 })
    })

    it('leaves slots for another account also when several do not answer', () => {
      const { pump, queues } = startPump(100)
      for (let id = 1; id <= 300; id += 1) queues.set(id, queueOf(id, 9, 1 + (id % 3)))
      pump.pumpAll()
      expect(perAccount(queues)).toEqual({ 1: 30, 2: 30, 3: 30 })
      queues.set(900, queueOf(900, 40, 4))
      pump.pumpAll()
      expect(perAccount(queues)[4]).toBeGreaterThan(1)
    })

    it('divides the share of an account among its own webhooks', () => {
      const { pump, queues } = startPump(32, ...Array.from({ length: 20 }, () => 9))
      queues.set(900, queueOf(900, 40, 2))
      queues.set(901, queueOf(901, 40, 2))
      pump.pumpAll()
      expect(queues.get(900)?.inFlightCount()).toBeGreaterThan(1)
      expect(queues.get(1)?.inFlightCount()).toBe(1)
    })

    it('gives a slot that an account at its limit has freed to its next webhook', async () => {
      const { pump, queues, end } = startPump(8, ...Array.from({ length: 10 }, () => 9))
      queues.set(900, queueOf(900, 1, 2))
      pump.pumpAll()
      const inFlightOf = (...ids: number[]) => ids.map((id) => queues.get(id)?.inFlightCount())
      expect(inFlightOf(1, 6, 7)).toEqual([1, 1, 0])
      await end(1)
      expect(inFlightOf(1, 6, 7)).toEqual([0, 1, 1])
    })
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
