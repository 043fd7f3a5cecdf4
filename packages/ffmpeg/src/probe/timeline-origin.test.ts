import { expect, test } from 'vitest'
import type { AudioStream, Probe, VideoStream } from './probe.ts'
import { gridOriginSeconds, movieOriginSeconds, originArguments, timelineOutput } from './timeline-origin.ts'

const probeOf = (startSeconds: number, videoStartSeconds: number, framesPerSecond: number) =>
  ({
    startSeconds,
    video: {
      startSeconds: videoStartSeconds,
      frameRate: { numerator: framesPerSecond, denominator: 1 },
    } as VideoStream,
  }) as Probe

test.each([
  ['both begin together', 0, 0, 25, 0],
  ['sound primes its decoder before the picture', 0, 0.021, 25, 0.021],
  ['on the clock of a transport stream', 36_001.4, 36_001.8, 25, 0],
  ['the picture comes frames later, between two of the grid', 0, 0.41, 25, 0.01],
  ['frames of 120 a second count as those of the 60 that are encoded', 0, 0.025, 120, 0.008333],
  ['sound comes later', 0, 0, 25, 0],
  ['a hair before its place on the grid', 0, 0.0399999, 25, 0],
])('computes the origin when %s: %d, %d at %d fps gives %d', (_name, start, videoStart, rate, origin) => {
  expect(gridOriginSeconds(probeOf(start, videoStart, rate))).toBeCloseTo(origin, 5)
})

test('returns 0 without video', () => {
  expect(gridOriginSeconds({ ...probeOf(0, 0, 25), video: null })).toBe(0)
})

test.each([
  ['a movie that begins at 0', 0, 0],
  ['a fragmented movie whose edit list hides decoder priming', -0.021333, 0.021333],
  ['a movie that begins late', 7, 0],
])('starts the timeline of %s at 0 of its clock', (_name, start, origin) => {
  expect(movieOriginSeconds(probeOf(start, 0, 25))).toBe(origin)
})

test('always sets an offset', () => {
  expect(originArguments(0)).toEqual(['-itsoffset', '0.000001'])
  expect(originArguments(0.021)).toEqual(['-itsoffset', '-0.021000'])
})

test.each([
  ['mpegts', ['-map', '0:0', '-map', '0:2', '-c', 'copy', '-f', 'null', '-']],
  ['mp4', []],
])('reads all tracks of a source in %s where its time may jump', (format, expected) => {
  const probe = { ...probeOf(0, 0, 25), formatNames: [format], audio: [{ index: 2 } as AudioStream] }
  expect(timelineOutput({ ...probe, video: { ...probe.video!, index: 0 } })).toEqual(expected)
})
