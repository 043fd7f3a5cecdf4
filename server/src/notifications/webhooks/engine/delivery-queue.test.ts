import { describe, expect, it } from 'vitest'
import { createDeliveryQueue } from './delivery-queue.ts'
import type { PreparedDelivery } from '../store/due-delivery.ts'
import { neverTried, type EndpointHealth } from '../health/endpoint-health.ts'
import { aDelivery, aWebhook } from '../test-support/prepared-delivery.ts'

const delivery = aDelivery
const createQueue = () => createDeliveryQueue(aWebhook, neverTried)

const now = new Date('2026-03-01T12:00:00Z')
const paused = (pausedUntil: Date): EndpointHealth => ({ ...neverTried, revision: 1, pausedUntil })

type Queue = ReturnType<typeof createQueue>

const takeAll = (queue: Queue): PreparedDelivery[] => {
  const taken: PreparedDelivery[] = []
  for (let one = queue.next(now); one !== null; one = queue.next(now)) taken.push(one)
  return taken
}
const idsOf = (deliveries: readonly PreparedDelivery[]): number[] => deliveries.map(({ id }) => id)

describe('createDeliveryQueue', () => {
  it('returns the oldest delivery of each file and every delivery without a file', () => {
    const queue = createQueue()
    queue.add([delivery(5, 2), delivery(1, 1), delivery(3, null), delivery(2, 1), delivery(4, null)])
    expect(idsOf(takeAll(queue))).toEqual([1, 3, 4, 5])
  })

  it('returns the next delivery of a file as soon as the previous one is delivered', () => {
    const queue = createQueue()
    queue.add([delivery(1, 1), delivery(2, 1)])
    const [first] = takeAll(queue) as [PreparedDelivery]
    queue.settle(first, true)
    expect(idsOf(takeAll(queue))).toEqual([2])
  })

  it('ignores a settled delivery that a stale read returns again', () => {
    const queue = createQueue()
    queue.add([delivery(1, 1)])
    const [first] = takeAll(queue) as [PreparedDelivery]
    queue.settle(first, true)
    queue.add([delivery(1, 1)])
    expect(takeAll(queue)).toEqual([])
    queue.remove(first, true)
    expect(queue.isEmpty()).toBe(true)
  })

  it('drops the other deliveries of a file when one fails, even those read before the result is written', () => {
    const queue = createQueue()
    queue.add([delivery(1, 1), delivery(2, 1), delivery(7, 9)])
    const [first] = takeAll(queue) as [PreparedDelivery]
    queue.settle(first, false)
    queue.add([delivery(3, 1)])
    expect(takeAll(queue)).toEqual([])
    queue.remove(first, false)
    expect(takeAll(queue)).toEqual([])
    expect([2, 3].some((id) => queue.has(id))).toBe(false)
    expect(queue.has(7)).toBe(true)
  })

  it('does not order deliveries sent again by hand or failed six times', () => {
    const queue = createQueue()
    queue.add([
      delivery(1, 1, { attemptCount: 6 }),
      delivery(2, null, { attemptCount: 2, scheduleStart: 2 }),
      delivery(3, 1),
      delivery(4, 1),
    ])
    expect(idsOf(takeAll(queue))).toEqual([1, 2, 3])
  })

  it('allows at most sixteen requests in flight', () => {
    const queue = createQueue()
    queue.add(Array.from({ length: 20 }, (_, index) => delivery(index + 1, null)))
    const taken = takeAll(queue)
    expect(taken).toHaveLength(16)
    queue.settle(taken[0] as PreparedDelivery, false)
    expect(takeAll(queue)).toHaveLength(1)
  })

  const manyOf = (count: number): PreparedDelivery[] =>
    Array.from({ length: count }, (_, index) => delivery(index + 1, null))

  it('stops at the tenth failure in a row until the breaker state is persisted', () => {
    const queue = createQueue()
    queue.add(manyOf(40))
    for (const one of takeAll(queue).slice(0, 9)) queue.settle(one, false)
    const [last] = takeAll(queue) as [PreparedDelivery]
    queue.settle(last, false)
    expect(takeAll(queue)).toEqual([])
    // The ninth result is persisted, the tenth is not.
    queue.setHealth({ ...neverTried, revision: 9, failuresInRow: 9 })
    queue.recordWritten(9)
    expect(takeAll(queue)).toEqual([])
    queue.setHealth({ ...paused(new Date(now.getTime() + 1)), revision: 10 })
    queue.recordWritten(1)
    expect(takeAll(queue)).toEqual([])
    queue.setHealth({ ...neverTried, revision: 11 })
    expect(takeAll(queue)).not.toEqual([])
  })

  it('probes with one delivery after a pause and stops when it fails', () => {
    const queue = createQueue()
    queue.setHealth(paused(now))
    queue.add(manyOf(3))
    const [probe, ...others] = takeAll(queue) as [PreparedDelivery]
    expect(others).toEqual([])
    queue.settle(probe, false)
    expect(takeAll(queue)).toEqual([])
  })

  it('ignores health that is older than the known revision', () => {
    const queue = createQueue()
    queue.setHealth(paused(new Date(now.getTime() + 1)))
    queue.setHealth(neverTried)
    queue.add(manyOf(3))
    expect(takeAll(queue)).toEqual([])
  })
})
