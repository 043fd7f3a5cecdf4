import { expect, test } from 'vitest'
import { reloadDelayMs } from './reload-for-new-nodes.ts'

test.each([
  ['navigate', 0, 2_000],
  ['navigate', 1, 6_000],
  [undefined, 0.5, 4_000],
  ['reload', 0, 60_000],
  ['reload', 1, 180_000],
])('a page loaded by %s waits, for the random share %d, %d ms', (type, share, delayMs) => {
  expect(reloadDelayMs(type, share)).toBe(delayMs)
})
