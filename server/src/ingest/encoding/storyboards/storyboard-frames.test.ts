import { describe, expect, test } from 'vitest'
import type { RenditionRow } from '../../../library/files/record/parts/rendition-record.ts'
import { chooseRendition, durationOf, planStoryboard, segmentsAt } from './storyboard-frames.ts'

describe('planStoryboard plans a tile every two seconds, a hundred at most', () => {
  test.each([
    ['a video without length', 0, 2_000, 1],
    ['a tenth of a second', 0.1, 2_000, 1],
    ['exactly one tile', 2, 2_000, 1],
    ['a remainder from rounding is not a frame', 2.04, 2_000, 1],
    ['a little more is one', 2.1, 2_000, 2],
    ['ten minutes', 600, 6_000, 100],
    ['twelve hours', 43_200, 432_000, 100],
    ['a length that does not divide', 600.3333, 6_004, 100],
  ])('%s', (_what, seconds, intervalMs, tileCount) => {
    expect(planStoryboard(seconds)).toEqual({ intervalMs, tileCount })
  })

  test('never exceeds a hundred tiles', () => {
    for (let seconds = 190; seconds < 2_000; seconds += 0.37)
      expect(planStoryboard(seconds).tileCount).toBeLessThanOrEqual(100)
  })
})

const rendition = (fields: Partial<RenditionRow>): RenditionRow =>
  ({
    kind: 'video',
    state: 'complete',
    delivery: 'packaged',
    codec: 'avc1.64001f',
    height_pixels: 360,
    timescale: 1_000,
    segments: '[[1000,4000,10],[5000,4000,10],[9000,2500,10]]',
    ...fields,
  }) as RenditionRow

test('selects only the segments that contain the times, each once', () => {
  expect(segmentsAt(rendition({}), [1, 3, 5, 7, 9])).toEqual([0, 1, 2])
  expect(segmentsAt(rendition({}), [1, 9.5, 11])).toEqual([0, 2])
  expect(segmentsAt(rendition({}), [0.5, 99])).toEqual([0, 2])
  expect(durationOf(rendition({}))).toBe(10.5)
  expect(durationOf(rendition({ segments: '[]' }))).toBe(0)
})

test('prefers the smallest packaged H.264, then other packaged video, then the source', () => {
  const small = rendition({ id: 1, height_pixels: 360 })
  const others = [
    rendition({ id: 2, height_pixels: 720 }),
    rendition({ id: 3, codec: 'av01.0.04M.08', height_pixels: 240 }),
    rendition({ id: 4, delivery: 'in_place', height_pixels: 1_080 }),
    rendition({ id: 5, kind: 'audio', height_pixels: null }),
    rendition({ id: 6, state: 'growing', height_pixels: 120 }),
  ]
  expect(chooseRendition([...others, small])?.id).toBe(1)
  expect(chooseRendition(others)?.id).toBe(2)
  expect(chooseRendition(others.slice(1))?.id).toBe(3)
  expect(chooseRendition(others.slice(2))?.id).toBe(4)
  expect(chooseRendition(others.slice(3))).toBeNull()
})
