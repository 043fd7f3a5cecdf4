import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { allOf } from './all-of.ts'

test('returns the results in order', async () => {
  expect(await allOf([setTimeout(20, 'a'), Promise.resolve(1)])).toEqual(['a', 1])
})

test('throws the first error, after the others have ended', async () => {
  const ended: string[] = []
  const end = async (name: string, ms: number) => {
    await setTimeout(ms)
    ended.push(name)
    throw new Error(name)
  }
  await expect(allOf([end('slow', 50), end('quick', 1), end('slower', 100)])).rejects.toThrow('slow')
  expect(ended).toEqual(['quick', 'slow', 'slower'])
})
