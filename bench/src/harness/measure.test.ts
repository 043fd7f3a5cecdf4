import { expect, test } from 'vitest'
import { interleave, median, pairedRatio, percentile } from './measure.ts'

test('the median is the middle value, or the mean of the two middle values', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(() => median([])).toThrow('nothing')
})

test('a percentile is a measured value', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentile(values, 50)).toBe(50)
  expect(percentile(values, 99)).toBe(99)
  expect(percentile([7], 99)).toBe(7)
})

test('a temporarily slow machine does not change the ratio of pairs', () => {
  expect(pairedRatio([50, 5, 51], [100, 10, 102])).toBe(0.5)
})

test('each round measures all sides, and none is always first', async () => {
  const order: string[] = []
  const side = (name: string) => async (round: number) => {
    order.push(`${name}${round}`)
    return round
  }
  expect(await interleave(3, { a: side('a'), b: side('b') })).toEqual({ a: [0, 1, 2], b: [0, 1, 2] })
  expect(order).toEqual(['a0', 'b0', 'b1', 'a1', 'a2', 'b2'])
})
