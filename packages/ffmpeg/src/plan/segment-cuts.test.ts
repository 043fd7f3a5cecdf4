import { expect, test } from 'vitest'
import type { MediaPlan, VideoRung } from './plan-renditions.ts'
import { segmentStartFrame } from './plan-chunks.ts'
import { forcedKeyFrames, keyFrameInterval } from './segment-cuts.ts'

const rung = { codec: 'h264', keyFrameSeconds: 4 } as VideoRung
const planOf = (numerator: number, denominator: number, cutFrames?: readonly number[]): MediaPlan =>
  ({ frameRate: { numerator, denominator }, ...(cutFrames && { cutFrames }) }) as MediaPlan

test.each([
  ['25', 25, 1, 100, [25, 100]],
  ['29.97', 30_000, 1001, 120, [30, 120]],
  ['23.976', 24_000, 1001, 96, [24, 96]],
  ['59.94', 60_000, 1001, 240, [60, 240]],
  ['an odd average', 24_533, 1000, 98, [25, 98]],
  ['slides', 1300, 1000, 6, [2, 6]],
  ['a picture every five seconds', 1, 5, 1, []],
])(
  'a key frame begins each segment at %s frames per second',
  (_name, numerator, denominator, interval, forced) => {
    const frameRate = { numerator, denominator }
    expect(keyFrameInterval(rung, frameRate)).toBe(interval)
    expect(forcedKeyFrames(planOf(numerator, denominator), rung)).toEqual(forced)
    const starts = [0, 1, 2, 3, 4].map((index) => segmentStartFrame({ codec: 'h264', frameRate }, 4, index))
    for (const start of starts) expect(start % interval === 0 || forced.includes(start)).toBe(true)
  },
)

test('rungs of an earlier plan keep a key frame in each group', () => {
  const earlier = { codec: 'h264' } as VideoRung
  expect(keyFrameInterval(earlier, { numerator: 30, denominator: 1 })).toBe(60)
  expect(forcedKeyFrames(planOf(30, 1), earlier)).toEqual([30, 60])
})

test('AV1 has key frames only at the regular interval of its encoder', () => {
  expect(forcedKeyFrames(planOf(30, 1), { codec: 'av1' } as VideoRung)).toEqual([])
})

test('rungs that are cut where the source is have key frames there', () => {
  expect(forcedKeyFrames(planOf(30, 1, [75, 190]), rung)).toEqual([75, 190])
})
