import { expect, test } from 'vitest'
import { createAnswerMemory } from './answer-memory.ts'

const answerOf = (sizeBytes: number) => ({ status: 200, headers: {}, body: Buffer.alloc(sizeBytes) })

test('counts bytes that are arriving, so that concurrent answers cannot exceed the limit', () => {
  const memory = createAnswerMemory({ heldBytes: 10_000, idleBytes: 10_000 }, () => 0)
  const release = memory.reserve(6_000)
  expect(memory.reserve(6_000)).toBeNull()
  release?.()
  expect(memory.reserve(6_000)).not.toBeNull()
})

test('keeps no answer that is not fresh, and counts small answers with their headers', () => {
  const memory = createAnswerMemory({ heldBytes: 10_000, idleBytes: 3_000 }, () => 0)
  for (let index = 0; index < 100; index++) memory.add(`refusal ${index}`, answerOf(100), 0)
  expect(memory.find('refusal 99')).toBeUndefined()
  expect(memory.reserve(10_000)).not.toBeNull()

  const small = createAnswerMemory({ heldBytes: 10_000, idleBytes: 3_000 }, () => 0)
  for (const key of ['a', 'b', 'c']) small.add(key, answerOf(1), 1_000)
  expect([small.find('a'), small.find('c')].map((held) => held !== undefined)).toEqual([false, true])
})
