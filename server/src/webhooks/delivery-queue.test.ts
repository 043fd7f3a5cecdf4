import { describe, expect, it } from 'vitest'
import { createDeliveryQueue } from './delivery-queue.ts'
import type { PreparedDelivery } from './due-delivery.ts'
import { neverTried, type EndpointHealth } from './endpoint-health.ts'
import { aDelivery, aWebhook } from './test-support/prepared-delivery.ts'

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
  it('gives one delivery of each file at a time, the oldest first, and all that are of no file', () => {
    const queue = createQueue()
    queue.add([delivery(5, 2), delivery(1, 1), delivery(3, null), delivery(2, 1), delivery(4, null)])
    expect(idsOf(takeAll(queue))).toEqual([1, 3, 4, 5])
  })

  it('gives the next of a file as soon as the one before is delivered', () => {
    const queue = createQueue()
    queue.add([delivery(1, 1), delivery(2, 1)])
    const [first] = takeAll(queue) as [PreparedDelivery]
    queue.settle(first, true)
    expect(idsOf(takeAll(queue))).toEqual([2])
  })

  it('never gives twice what a read that began before the result was written brings again', () => {
    const queue = createQueue()
    queue.add([delivery(1, 1)])
    const [first] = takeAll(queue) as [PreparedDelivery]
    queue.settle(first, true)
    queue.add([delivery(1, 1)])
    expect(takeAll(queue)).toEqual([])
    queue.forget(first, true)
    expect(queue.isEmpty()).toBe(true)
  })

  it('drops the others of a file when one fails, also those that come before the database knows', () => {
    const queue = createQueue()
    queue.add([delivery(1, 1), delivery(2, 1), delivery(7, 9)])
    const [first] = takeAll(queue) as [PreparedDelivery]
    queue.settle(first, false)
    queue.add([delivery(3, 1)])
    expect(takeAll(queue)).toEqual([])
    queue.forget(first, false)
    expect(takeAll(queue)).toEqual([])
    expect([2, 3].some((id) => queue.has(id))).toBe(false)
    expect(queue.has(7)).toBe(true)
  })

  it('keeps no order for what is sent again by hand, nor for what has failed six times', () => {
    const queue = createQueue()
    queue.add([
      delivery(1, 1, { attemptCount: 6 }),
      delivery(2, null, { attemptCount: 2, scheduleStart: 2 }),
      delivery(3, 1),
      delivery(4, 1),
    ])
    expect(idsOf(takeAll(queue))).toEqual([1, 2, 3])
  })

  it('has sixteen in flight and no more', () => {
    const queue = createQueue()
    queue.add(Array.from({ length: 20 }, (_, index) => delivery(index + 1, null)))
    const taken = takeAll(queue)
    expect(taken).toHaveLength(16)
    queue.settle(taken[0] as PreparedDelivery, false)
    expect(takeAll(queue)).toHaveLength(1)
  })

  const manyOf = (count: number): PreparedDelivery[] =>
    Array.from({ length: count }, (_, index) => delivery(index + 1, null))

  it('holds back at the tenth failure in a row until the breaker has spoken', () => {
    const queue = createQueue()
    queue.add(manyOf(40))
    for (const one of takeAll(queue).slice(0, 9)) queue.settle(one, false)
    const [last] = takeAll(queue) as [PreparedDelivery]
    queue.settle(last, false)
    expect(takeAll(queue)).toEqual([])
    // The ninth is written, the tenth is not.
    queue.setHealth({ ...neverTried, revision: 9, failuresInRow: 9 })
    queue.noteWritten(9)
    expect(takeAll(queue)).toEqual([])
    queue.setHealth({ ...paused(new Date(now.getTime() + 1)), revision: 10 })
    queue.noteWritten(1)
    expect(takeAll(queue)).toEqual([])
    queue.setHealth({ ...neverTried, revision: 11 })
    expect(takeAll(queue)).not.toEqual([])
  })

  it('gives one at a time after a pause, and none once that one has failed', () => {
    const queue = createQueue()
    queue.setHealth(paused(now))
    queue.add(manyOf(3))
    const [probe, ...others] = takeAll(queue) as [PreparedDelivery]
    expect(others).toEqual([])
    queue.settle(probe, false)
    expect(takeAll(queue)).toEqual([])
  })

  it('does not take back what it knows for what was read before', () => {
    const queue = createQueue()
    queue.setHealth(paused(new Date(now.getTime() + 1)))
    queue.setHealth(neverTried)
    queue.add(manyOf(3))
    expect(takeAll(queue)).toEqual([])
  })
})
