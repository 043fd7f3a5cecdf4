import { expect, test } from 'vitest'
import { createCapacity } from './capacity.ts'

const longMs = 60_000

const createWork = () => {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const run = () => {
    begun.resolve()
    return ended.promise
  }
  return { run, begun: begun.promise, end: ended.resolve }
}

test('capacity queues work that does not fit and keeps its order', async () => {
  const capacity = createCapacity(10, longMs)
  const order: string[] = []
  const works = { first: createWork(), large: createWork(), small: createWork() }
  const use = (units: number, name: keyof typeof works) =>
    capacity.use(units, () => {
      order.push(name)
      return works[name].run()
    })
  const all = Promise.all([use(6, 'first'), use(99, 'large'), use(1, 'small')])
  await works.first.begun
  expect(order).toEqual(['first'])
  works.first.end()
  await works.large.begun
  expect(order).toEqual(['first', 'large'])
  works.large.end()
  works.small.end()
  await all
  expect(order).toEqual(['first', 'large', 'small'])
})

test('capacity rejects work that waits too long with Retry-After and frees its place', async () => {
  const capacity = createCapacity(1, 10)
  const work = createWork()
  const working = capacity.use(1, work.run)
  await expect(capacity.use(1, async () => 'never')).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
  })
  work.end()
  await working
  expect(await capacity.use(1, async () => 'next')).toBe('next')
})

test('capacity releases the units of failed work', async () => {
  const capacity = createCapacity(1, longMs)
  await expect(capacity.use(1, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')
  expect(await capacity.use(1, async () => 'next')).toBe('next')
})
