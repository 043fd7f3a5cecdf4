import { expect, test } from 'vitest'
import { lineBitsPerSecond } from './begin-on-demand.ts'

const engine = {
  name: 'https://video.example.com/player/engine.js?1',
  transferSize: 180_000,
  requestStart: 1_000,
}

test.each([
  ['a line of 1 Mbit/s', 1_040, 2_480, 1_090_909],
  // The slow start of TCP, not the line.
  ['a fast line with long round trips', 1_300, 2_200, Infinity],
])('measures %s by the engine', (_name, responseStart, responseEnd, bitsPerSecond) => {
  const rate = lineBitsPerSecond([{ ...engine, responseStart, responseEnd }])
  expect(rate).toBeCloseTo(bitsPerSecond, 0)
})

test('has no measurement when the browser had the engine, or nothing is known of it', () => {
  const cached = { ...engine, transferSize: 0, responseStart: 1_001, responseEnd: 1_002 }
  expect(lineBitsPerSecond([cached])).toBeNull()
  expect(lineBitsPerSecond([])).toBeNull()
})
