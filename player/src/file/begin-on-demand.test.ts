import { expect, test } from 'vitest'
import { hasOtherLadder, lineBitsPerSecond } from './begin-on-demand.ts'

const engine = {
  name: 'https://video.example.com/player/engine.js?1',
  transferSize: 180_000,
  requestStart: 1_000,
}

const level = (height: number, videoCodec: string | undefined) => ({ height, videoCodec })

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

test.each([
  [
    'a whole ladder in AV1',
    [level(720, 'avc1.64001f'), level(360, 'av01.0.01M.08'), level(720, 'av01.0.05M.08')],
    true,
  ],
  ['a ladder in AV1 that is not complete', [level(720, 'avc1.64001f'), level(360, 'av01.0.01M.08')], false],
  [
    'H.264 alone, and sound',
    [level(720, 'avc1.64001f'), level(720, 'avc1.4d401f'), level(0, undefined)],
    false,
  ],
])('knows whether %s is listed', (_name, levels, expected) => {
  expect(hasOtherLadder(levels, levels[0])).toBe(expected)
})

test('an audio file has no other ladder', () => {
  expect(hasOtherLadder([], undefined)).toBe(false)
})
