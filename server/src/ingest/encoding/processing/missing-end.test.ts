import type { Probe } from '@zoetrope/ffmpeg'
import { timelineStartSeconds } from '@zoetrope/packager'
import { expect, test } from 'vitest'
import { claimedSeconds, missingEndMessage } from './missing-end.ts'

const rendition = (seconds: number, state: 'complete' | 'growing' = 'complete') => ({
  timescale: 1000,
  segments: JSON.stringify([[1000 * timelineStartSeconds, 1000 * seconds, 1]]),
  state,
})

test.each([
  ['nothing is claimed', null, [rendition(3)], null],
  ['complete renditions', 9, [rendition(9)], null],
  ['a header is a little wrong', 100, [rendition(91)], null],
  ['less than a second is missing', 2, [rendition(1.1)], null],
  ['audio longer than video', 60, [rendition(10), rendition(60)], null],
  [
    'two thirds are missing',
    9,
    [rendition(3)],
    'The file is incomplete: it says that it lasts 9 s, but only the first 3 s could be played.',
  ],
  [
    'there is one frame',
    9,
    [rendition(0.04)],
    'The file is incomplete: it says that it lasts 9 s, but only the first 0.1 s could be played.',
  ],
  [
    'what still grows does not count',
    4_000,
    [rendition(90), rendition(4_000, 'growing')],
    'The file is incomplete: it says that it lasts 01:06:40, but only the first 00:01:30 could be played.',
  ],
])('missingEndMessage: %s', (_name, claimed, renditions, message) => {
  expect(missingEndMessage(claimed, renditions)?.text ?? null).toBe(message)
})

test.each([
  ['matroska', 9],
  ['mpegts', null],
  ['mpeg', null],
])('a source in the format %s claims a duration of %s', (format, claimed) => {
  const probe = { formatNames: [format], durationSeconds: 9 } as Probe
  expect(claimedSeconds(probe, null)).toBe(claimed)
})
