import { expect, test } from 'vitest'
import { createMediaMemory } from './media-memory.ts'

const bodyOf = (sizeBytes: number) => Buffer.alloc(sizeBytes, 'x')

test('concurrent requests for the same body share one read, and later ones need none', async () => {
  const memory = createMediaMemory(10_000)
  const loaded = Promise.withResolvers<Buffer>()
  let readings = 0
  const load = () => {
    readings += 1
    return loaded.promise
  }
  const waiting = Promise.all([memory.body('a', load), memory.body('a', load)])
  loaded.resolve(bodyOf(100))
  const [one, other] = await waiting
  expect(one).toBe(other)
  expect(await memory.body('a', load)).toBe(one)
  expect(readings).toBe(1)
})

test('a missing or unreadable body is looked up again', async () => {
  const memory = createMediaMemory(10_000)
  expect(await memory.body('a', async () => null)).toBeNull()
  await expect(memory.body('a', async () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')
  expect((await memory.body('a', async () => bodyOf(5)))?.length).toBe(5)
})

test.each([
  ['more than fits', 10_000, 1_000, 20],
  ['one that is too large', 10_000, 5_000, 1],
  ['anything without a cache', 0, 10, 1],
])('%s is read again', async (_what, maxBytes, sizeBytes, count) => {
  const memory = createMediaMemory(maxBytes)
  let readings = 0
  const load = async () => {
    readings += 1
    return bodyOf(sizeBytes)
  }
  for (let index = 0; index < count; index += 1) await memory.body(`name ${index}`, load)
  expect(readings).toBe(count)
  await memory.body('name 0', load)
  expect(readings).toBe(count + 1)
})
