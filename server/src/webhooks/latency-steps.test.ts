import { expect, test } from 'vitest'
import { percentileMs, stepCount, stepOf } from './latency-steps.ts'

const countsOf = (durations: readonly number[]): number[] => {
  const counts = Array.from({ length: stepCount }, () => 0)
  for (const duration of durations) counts[stepOf(duration)] = (counts[stepOf(duration)] ?? 0) + 1
  return counts
}

test.each([0, 1, 2, 3, 7, 10, 48, 99, 100, 250, 333, 1_000, 4_999, 15_000, 60_000])(
  'a percentile of requests of %i ms is right to within a tenth, or a millisecond',
  (durationMs) => {
    const read = percentileMs(countsOf([durationMs, durationMs, durationMs]), 0.95) ?? Number.NaN
    expect(Math.abs(read - durationMs)).toBeLessThanOrEqual(Math.max(1, durationMs / 10))
  },
)

test('half of the requests are faster than the median, and all but one in twenty than the 95th percentile', () => {
  const counts = countsOf([
    ...Array.from({ length: 94 }, () => 20),
    ...Array.from({ length: 6 }, () => 9_000),
  ])
  expect(percentileMs(counts, 0.5)).toBeLessThan(23)
  expect(percentileMs(counts, 0.95)).toBeGreaterThan(8_000)
})

test('what was never asked has no percentile, and what took too long counts in the last step', () => {
  expect(percentileMs(countsOf([]), 0.5)).toBeNull()
  expect([0, 1, 1e9, Number.MAX_VALUE].map(stepOf)).toEqual([0, 0, stepCount - 1, stepCount - 1])
})
