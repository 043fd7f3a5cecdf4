import { expect, test } from 'vitest'
import { createCoalescer } from './coalesce.ts'

test('reads of one turn become one load of distinct keys', async () => {
  const loads: number[][] = []
  const load = createCoalescer<number, string>(async (keys) => {
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

test('a failed load fails those that waited for it and no later one', async () => {
  let isBroken = true
  const load = createCoalescer<number, string>(async (keys) => {
    if (isBroken) throw new Error('down')
    return new Map(keys.map((key) => [key, 'up']))
  })
  const failed = await Promise.allSettled([load(1), load(2)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await load(1)).toBe('up')
})
