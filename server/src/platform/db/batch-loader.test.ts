import { expect, test, vi } from 'vitest'
import { createBatchLoader } from './batch-loader.ts'

test('reads of one event loop turn become one load of distinct keys', async () => {
  const loads: number[][] = []
  const load = createBatchLoader<number, string>(async (keys) => {
    loads.push([...keys])
    return new Map(keys.filter((key) => key < 3).map((key) => [key, `value ${key}`]))
  })
  expect(await Promise.all([load(1), load(2), load(1), load(3)])).toEqual([
    'value 1',
    'value 2',
    'value 1',
    null,
  ])
  expect(loads).toEqual([[1, 2, 3]])
})

test('reads that arrive during a load become the next load, even for the same key', async () => {
  const loads: { keys: readonly string[]; answer: (value: string) => void }[] = []
  const load = createBatchLoader<string, string>((keys) => {
    const { promise, resolve } = Promise.withResolvers<Map<string, string>>()
    loads.push({ keys, answer: (value) => resolve(new Map(keys.map((key) => [key, value]))) })
    return promise
  })
  const first = load('a')
  await new Promise(setImmediate)
  const later = [load('a'), load('b')]
  await new Promise(setImmediate)
  expect(loads.map(({ keys }) => keys)).toEqual([['a']])
  loads[0]?.answer('old')
  expect(await first).toBe('old')
  expect(loads.map(({ keys }) => keys)).toEqual([['a'], ['a', 'b']])
  loads[1]?.answer('new')
  expect(await Promise.all(later)).toEqual(['new', 'new'])
})

test('a failed load rejects its own reads and no later ones', async () => {
  let isBroken = true
  const load = createBatchLoader<number, string>(async (keys) => {
    if (isBroken) throw new Error('down')
    return new Map(keys.map((key) => [key, 'up']))
  })
  const failed = await Promise.allSettled([load(1), load(2)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await load(1)).toBe('up')
})

test('a load without an answer delays later loads by five seconds only', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const loads: (readonly string[])[] = []
  const late = Promise.withResolvers<Map<string, string>>()
  const load = createBatchLoader<string, string>((keys) => {
    loads.push(keys)
    return loads.length === 1 ? late.promise : Promise.resolve(new Map(keys.map((key) => [key, 'new'])))
  })
  const stuck = load('a')
  await new Promise(setImmediate)
  const next = load('a')
  await new Promise(setImmediate)
  vi.advanceTimersByTime(4_999)
  expect(loads).toEqual([['a']])
  vi.advanceTimersByTime(1)
  expect(await next).toBe('new')
  late.resolve(new Map([['a', 'late']]))
  expect(await stuck).toBe('late')
  expect(await load('b')).toBe('new')
  vi.useRealTimers()
})
