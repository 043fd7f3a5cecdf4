import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ageOfPicture, burnInClock, clockCells, clockPicture } from './burnt-in-clock.ts'

const run = promisify(execFile)

test('a frame reveals its creation time to the millisecond', async () => {
  const { width, height, cellPixels } = clockPicture
  const startedMs = Date.now()
  const { stdout } = await run(
    'ffmpeg',
    [
      ...['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=30`],
      ...['-vf', burnInClock(), '-frames:v', '20', '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'],
    ],
    { encoding: 'buffer', maxBuffer: 2 ** 24 },
  )
  const elapsedMs = Date.now() - startedMs
  const middle = cellPixels / 2
  const ages = Array.from({ length: 20 }, (_, index) => {
    const cells = Array.from(
      { length: clockCells },
      (_cell, cell) => stdout[index * width * height + middle * width + cell * cellPixels + middle] ?? 0,
    )
    return ageOfPicture(cells, startedMs + elapsedMs) ?? Number.NaN
  })
  expect(ages).toEqual(ages.toSorted((a, b) => b - a))
  for (const age of ages) {
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThanOrEqual(elapsedMs)
  }
})

test('a frame without a clock has no age', () => {
  expect(
    ageOfPicture(
      Array.from({ length: clockCells }, () => 0),
      1_000,
    ),
  ).toBeNull()
  expect(ageOfPicture([], 1_000)).toBeNull()
})
