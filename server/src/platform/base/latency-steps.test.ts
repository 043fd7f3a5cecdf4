import { expect, test } from 'vitest'
import { percentileMs, stepCount, stepOf } from './latency-steps.ts'

const countsOf = (durations: readonly number[]): number[] => {
  const counts = Array.from({ length: stepCount }, () => 0)
  for (const duration of durations) counts[stepOf(duration)] = (counts[stepOf(duration)] ?? 0) + 1
  return counts
}

test.each([0, 1, 2, 3, 7, 10, 48, 99, 100, 250, 333, 1_000, 4_999, 15_000, 60_000])(
  'percentileMs is accurate to a tenth or one millisecond for requests of %i ms',
  (durationMs) => {
    const read = percentileMs(countsOf([durationMs, durationMs, durationMs]), 0.95) ?? Number.NaN
    expect(Math.abs(read - durationMs)).toBeLessThanOrEqual(Math.max(1, durationMs / 10))
  },
)

test('percentileMs returns the median and the 95th percentile of mixed durations', () => {
  const counts = countsOf([
    ...Array.from({ length: 94 }, () => 20),
    ...Array.from({ length: 6 }, () => 9_000),
  ])
  expect(percentileMs(counts, 0.5)).toBeLessThan(23)
  expect(percentileMs(counts, 0.95)).toBeGreaterThan(8_000)
})

test('percentileMs returns null without requests, and stepOf puts very long durations in the last step', () => {
  expect(percentileMs(countsOf([]), 0.5)).toBeNull()
  expect([0, 1, 1e9, Number.MAX_VALUE].map(stepOf)).toEqual([0, 0, stepCount - 1, stepCount - 1])
})
