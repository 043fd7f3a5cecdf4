import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { addViewers, countViewers } from './viewer-sketch.ts'

const viewers = (count: number, seed = 'a'): string[] =>
  Array.from({ length: count }, (_, index) => hash('sha256', `${seed}${index}`, 'hex').slice(0, 16))

test('counts up to 1,024 viewers exactly, however often each is added', () => {
  const all = viewers(1_024)
  let sketch = addViewers(null, all.slice(0, 500))
  sketch = addViewers(sketch, all)
  expect(countViewers(addViewers(sketch, all))).toBe(1_024)
})

test.each([1_025, 5_000, 40_000])('counts %i viewers within 2.5 %', (count) => {
  const errors = ['a', 'b', 'c'].map(
    (seed) => Math.abs(countViewers(addViewers(null, viewers(count, seed))) - count) / count,
  )
  expect(Math.max(...errors)).toBeLessThan(0.025)
})

test('adds the same viewers in parts as at once', () => {
  const all = viewers(4_000)
  const parts = addViewers(addViewers(addViewers(null, all.slice(0, 900)), all.slice(900, 1_100)), all)
  expect(parts.equals(addViewers(null, all))).toBe(true)
  expect(parts).toHaveLength(16_384)
})
