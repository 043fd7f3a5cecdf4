import { expect, test } from 'vitest'
import { createServerClock } from './clock.ts'

test('a clock that is right to the second is believed, one that is wrong is not', () => {
  const own = 1_000_000
  const right = createServerClock(() => own)
  expect(right.now()).toBe(own)
  right.onDate(own - 900)
  expect(right.now()).toBe(own)
  const wrong = createServerClock(() => own)
  // Cut to the second, and late by what the way takes: the largest is the nearest.
  for (const date of [own + 59_300, own + 59_900, own + 59_000]) wrong.onDate(date)
  expect(wrong.now()).toBe(own + 59_900)
})
