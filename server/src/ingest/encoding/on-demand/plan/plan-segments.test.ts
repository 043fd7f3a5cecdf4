import type { Probe } from '@zoetrope/ffmpeg'
import { expect, test } from 'vitest'
import { mostDecodedFrames, planSegmentGrid, type PlayedVideo } from './plan-segments.ts'

const frameRate = { numerator: 25, denominator: 1 }
const probe = { formatNames: ['mov', 'mp4'], video: { isSparse: false } } as unknown as Probe
const seconds = (length: number, step: number) => Array.from({ length }, (_, index) => index * step)

const grid = (played: Partial<PlayedVideo>) =>
  planSegmentGrid(
    probe,
    { frameRate },
    { segmentStartSeconds: [0, 4], endSeconds: 8, keyFrameSeconds: [], ...played },
  )

test('segments begin where those of the source do, and at its key frames about every two seconds', () => {
  expect(grid({ keyFrameSeconds: seconds(16, 0.5) })).toEqual({
    startFrames: [0, 50, 100, 150],
    endFrame: 200,
    hasClosedGroups: true,
    withinGroup: [],
  })
  const uneven = grid({
    ...{ segmentStartSeconds: [0, 3.84, 7.68], endSeconds: 9 },
    keyFrameSeconds: [0, 1.92, 3.84, 5.76, 7.68, 8.6],
  })
  expect(uneven).toMatchObject({ startFrames: [0, 48, 96, 144, 192], withinGroup: [] })
})

test('a long group of pictures is divided into equal parts', () => {
  const long = grid({ segmentStartSeconds: [0, 10], endSeconds: 12, keyFrameSeconds: [0, 10] })
  expect(long).toMatchObject({ startFrames: [0, 50, 100, 150, 200, 250], withinGroup: [1, 2, 3, 4] })
  expect(mostDecodedFrames(long!, frameRate)).toBe(250)
})

test('the rungs of a source that needs encoding begin segments where its first rung does, after its first second', () => {
  const encoded = grid({ segmentStartSeconds: [0, 1, 4, 8], endSeconds: 9.2, keyFrameSeconds: null })
  expect(encoded).toMatchObject({
    startFrames: [0, 50, 100, 150, 200],
    endFrame: 230,
    hasClosedGroups: false,
  })
  // Four seconds are decoded before each segment.
  expect(mostDecodedFrames(encoded!, frameRate)).toBe(150)
})

test('a source that cannot be read from the middle has no grid', () => {
  const stream = { ...probe, formatNames: ['mpegts'] }
  const played = { segmentStartSeconds: [0], endSeconds: 4, keyFrameSeconds: null }
  expect(planSegmentGrid(stream, { frameRate }, played)).toBeNull()
  expect(planSegmentGrid(probe, { frameRate: null }, played)).toBeNull()
  expect(planSegmentGrid(probe, { frameRate }, { ...played, endSeconds: 0 })).toBeNull()
})
