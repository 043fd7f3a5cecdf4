import { expect, test } from 'vitest'
import { canBeCut, planChunks } from './plan-chunks.ts'
import type { Probe } from '../probe/probe.ts'

const target = { chunkSeconds: 30, segmentSeconds: 4 }

test.each([
  ['25', 25, 1, 100, 300, 8],
  ['24', 24, 1, 96, 300, 8],
  ['29.97', 30_000, 1001, 120, 300, 7],
  ['23.976', 24_000, 1001, 96, 300, 7],
  ['59.94', 60_000, 1001, 240, 300, 7],
  ['an odd average', 24_533, 1000, 98, 300, 8],
  // A group of three frames lasts 2.3 s, so two groups are closest to four seconds.
  ['slides', 1300, 1000, 6, 300, 7],
  ['one picture a second', 1, 1, 4, 300, 8],
])(
  'plans contiguous chunks of whole segments at %s frames per second',
  (_name, numerator, denominator, segmentFrames, durationSeconds, chunkSegments) => {
    const chunks = planChunks({ frameRate: { numerator, denominator }, durationSeconds }, target)
    expect(chunks[0]).toEqual({ startFrame: 0, endFrame: chunkSegments * segmentFrames, startSegment: 0 })
    for (const [index, chunk] of chunks.entries()) {
      // The first segment is split in two.
      expect(chunk.startSegment).toBe(index === 0 ? 0 : chunk.startFrame / segmentFrames + 1)
      expect(chunk.endFrame).toBe(chunks[index + 1]?.startFrame ?? null)
    }
  },
)

test.each([
  [10, 1],
  [47, 1],
  [49, 2],
  [79, 2],
  [81, 3],
  [3_600, 113],
])('cuts %i s into %i chunks without a short last one', (durationSeconds, count) => {
  expect(planChunks({ frameRate: { numerator: 25, denominator: 1 }, durationSeconds }, target)).toHaveLength(
    count,
  )
})

test.each([
  [['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2'], true],
  [['matroska', 'webm'], true],
  [['mpegts'], false],
  [['flv'], false],
  [['avi'], false],
])('returns for a source in %j whether it can be cut: %s', (formatNames, expected) => {
  expect(canBeCut({ formatNames, video: {} } as unknown as Probe)).toBe(expected)
})
