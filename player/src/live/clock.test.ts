import { expect, test } from 'vitest'
import { createServerClock } from './clock.ts'

test('the clock of the viewer is used when it is accurate to a second, and corrected otherwise', () => {
  const own = 1_000_000
  const right = createServerClock(() => own)
  expect(right.now()).toBe(own)
  right.onDate(own - 900)
  expect(right.now()).toBe(own)
  const wrong = createServerClock(() => own)
  // Date headers are truncated to the second and delayed by the network: the largest difference is the most
  // accurate.
  for (const date of [own + 59_300, own + 59_900, own + 59_000]) wrong.onDate(date)
  expect(wrong.now()).toBe(own + 59_900)
})
