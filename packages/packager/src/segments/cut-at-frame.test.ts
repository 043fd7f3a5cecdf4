import { createSampleTable } from '@zoetrope/isobmff'
import { expect, test } from 'vitest'
import { reorderDepth } from './cut-at-frame.ts'

/** A segment whose frames, in the order of decoding, are displayed at these places. */
const displayedAt = (...places: number[]) => {
  const table = createSampleTable(places.length)
  for (const [sample, place] of places.entries()) {
    table.decodeTimes[sample] = sample
    table.compositionOffsets[sample] = place - sample
  }
  return { bytes: Buffer.alloc(0), table }
}

test.each([
  ['frames in order', [0, 1, 2, 3], 0],
  ['one B-frame between two others', [0, 2, 1, 4, 3], 1],
  ['a pyramid of B-frames', [0, 4, 2, 1, 3, 8, 6, 5, 7], 2],
  ['a single frame', [0], 0],
])('the reorder depth of %s', (_name, places, depth) => {
  expect(reorderDepth(displayedAt(...places))).toBe(depth)
})
