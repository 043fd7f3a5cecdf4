import type { VideoRung } from '@zoetrope/ffmpeg'
import { expect, test } from 'vitest'
import { bufferSeconds, declaredBitRates, planSegments, type OnDemandPlan } from './plan-on-demand.ts'

const rung: VideoRung = {
  ...{ name: '720p', codec: 'h264', widthPixels: 1280, heightPixels: 720 },
  ...{ maxBitsPerSecond: 2_800_000, crf: 22, preset: 'veryfast' },
}

const peakRatio = (buffer: Pick<VideoRung, 'bufferSeconds'>, startFrames: readonly number[]): number => {
  const plan = {
    ...{ rung: { ...rung, ...buffer }, timescale: 30_000, startFrames, endFrame: 240 },
    plan: { frameRate: { numerator: 30, denominator: 1 } },
  } as OnDemandPlan
  return declaredBitRates(planSegments(plan), plan).peakBitsPerSecond / rung.maxBitsPerSecond
}

const even = [0, 60, 120, 180]

test.each([
  ['of two seconds', { bufferSeconds }, even, 1.375],
  ['of one second', { bufferSeconds }, [...even, 210], 1.75],
  ['of a plan with a buffer of one second', { bufferSeconds: 1 }, even, 1.5],
  ['of a plan with the buffer of an encode in one run', {}, even, 2],
])('declares what segments %s can have: the ceiling and the buffer', (_name, buffer, starts, ratio) => {
  const declared = peakRatio(buffer, starts)
  expect(declared).toBeGreaterThanOrEqual(ratio)
  expect(declared).toBeLessThan(ratio + 0.005)
})
