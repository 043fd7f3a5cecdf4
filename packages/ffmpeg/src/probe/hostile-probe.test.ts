import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { seededRandom, type RandomInteger } from '../../../isobmff/test-support/mutations.ts'
import { h264, makeMedia, testPicture, testTone, useFolder } from '../../test-support/sample-media.ts'
import { MediaError } from '../run/media-error.ts'
import { parseProbe } from './parse-probe.ts'
import type { Probe } from './probe.ts'

const inFolder = useFolder()

const oddValues: readonly unknown[] = [
  null,
  '',
  'N/A',
  'nan',
  '0/0',
  '1/0',
  '-1',
  '1e308',
  '99999999999999999999',
  0,
  -1,
  1e308,
  2 ** 31,
  true,
  [],
  {},
  [null],
  '\u0000',
  'unknown',
  '0:1',
  "a'b;[c]\\:d",
]

/** ffprobe counts these itself, so no file can change them. */
const isOwnCount = (name: string): boolean => name === 'index' || name === 'stream_index'

const distort = (value: unknown, random: RandomInteger): unknown => {
  if (random(40) === 0) return oddValues[random(oddValues.length)]
  if (Array.isArray(value)) return value.map((item) => distort(item, random))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      if (isOwnCount(name)) return [[name, item] as const]
      return random(60) === 0 ? [] : [[name, distort(item, random)] as const]
    }),
  )
}

const numbersIn = (value: unknown): number[] => {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

const expectUsable = (probe: Probe): void => {
  expect(numbersIn(probe).filter((number) => !Number.isFinite(number))).toEqual([])
  expect(probe.durationSeconds ?? 1).toBeGreaterThan(0)
  const { video } = probe
  if (video === null) return
  for (const size of [
    video.widthPixels,
    video.heightPixels,
    video.displayWidthPixels,
    video.displayHeightPixels,
  ])
    expect(size).toSatisfy((pixels: number) => Number.isSafeInteger(pixels) && pixels >= 1)
  const rate = video.frameRate.numerator / video.frameRate.denominator
  expect(rate).toBeGreaterThan(0)
  expect(rate).toBeLessThanOrEqual(480)
}

test.each(['1', '999', '2147483647'])('rejects audio of %s Hz before a decoder allocates memory', (rate) => {
  const stream = { index: 0, codec_type: 'audio', codec_name: 'pcm_s16le', channels: 1, sample_rate: rate }
  expect(() => parseProbe({ streams: [stream], packets: [{ stream_index: 0 }] })).toThrow(
    'The file is damaged: its tracks cannot be read.',
  )
})

test('returns finite numbers or throws a MediaError for ffprobe reports with odd values', async () => {
  const path = await makeMedia(
    inFolder('real.mp4'),
    ...testPicture('160x90', 1),
    ...testTone(1),
    ...h264,
    ...['-c:a', 'aac', '-metadata:s:a', 'language=deu'],
  )
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-show_packets'],
    ...['-read_intervals', '%+#8', path],
  ])
  const report: unknown = JSON.parse(stdout)
  const random = seededRandom(5)
  let refused = 0
  for (let round = 0; round < 2_000; round++) {
    try {
      expectUsable(parseProbe(distort(report, random)))
    } catch (error) {
      if (!(error instanceof MediaError)) throw error
      expect(error.message).toMatch(/^The .+\.$/)
      refused++
    }
  }
  expect(refused).toBeGreaterThan(20)
})
