import { expect, test } from 'vitest'
import { measureBitRates } from './bit-rates.ts'

const segment = (durationTicks: number, sizeBytes: number) => ({ durationTicks, sizeBytes })

test('a segment shorter than half the target duration does not set the peak alone (RFC 8216, 4.1)', () => {
  const segments = [segment(4000, 500_000), segment(4000, 500_000), segment(40, 50_000)]
  const { peakBitsPerSecond, averageBitsPerSecond } = measureBitRates(segments, 1000)
  expect(averageBitsPerSecond).toBe(Math.ceil((1_050_000 * 8) / 8.04))
  expect(peakBitsPerSecond).toBe(Math.ceil((550_000 * 8) / 4.04))
})

test('measureBitRates combines consecutive short segments', () => {
  const segments = [
    segment(4000, 400_000),
    segment(1000, 400_000),
    segment(1000, 200_000),
    segment(4000, 400_000),
  ]
  expect(measureBitRates(segments, 1000).peakBitsPerSecond).toBe(2_400_000)
})

test('measureBitRates uses the rate of a single short segment', () => {
  expect(measureBitRates([segment(400, 50_000)], 1000)).toEqual({
    peakBitsPerSecond: 1_000_000,
    averageBitsPerSecond: 1_000_000,
  })
})

test('measureBitRates accepts more segments than a call accepts arguments', () => {
  const segments = Array.from({ length: 300_000 }, () => segment(1000, 1_000))
  expect(measureBitRates(segments, 1000).peakBitsPerSecond).toBe(8_000)
})
