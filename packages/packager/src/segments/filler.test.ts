import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { readFragmentStream } from '@zoetrope/isobmff'
import { expect, test } from 'vitest'
import { createMediaFolder, ffmpeg, run } from '../../../isobmff/test-support/media.ts'
import { blackVideo, silence, type Filler } from './filler.ts'

const { path } = await createMediaFolder()

const write = async (name: string, filler: Filler, ...segments: [number, number][]): Promise<string> => {
  const file = path(name)
  await writeFile(
    file,
    Buffer.concat([filler.initSegment, ...segments.map(([start, ticks]) => filler.segment(start, ticks))]),
  )
  return file
}

const probe = async (file: string, ...args: string[]): Promise<string> =>
  (await run('ffprobe', ['-v', 'error', ...args, '-of', 'csv=p=0', file])).toString().trim()

test.each([
  [48_000, 2],
  [44_100, 2],
  [48_000, 1],
  [24_000, 1],
])('silence at %i Hz with %i channels decodes without errors to zero samples', async (rate, channels) => {
  const filler = silence(rate, channels)
  const file = await write('silence.mp4', filler, [rate, 10 * 1024], [rate + 10 * 1024, 10 * 1024])
  expect(await probe(file, '-show_entries', 'stream=codec_name,profile,sample_rate,channels')).toBe(
    `aac,LC,${rate},${channels}`,
  )
  const samples = await ffmpeg(['-i', file, '-f', 's16le', '-'])
  expect(samples.length).toBe(20 * 1024 * 2 * channels)
  expect(samples.every((byte) => byte === 0)).toBe(true)
})

test('silence consists of whole frames', async () => {
  const file = await write('frames.mp4', silence(48_000, 2), [48_000, 1_500])
  expect(await probe(file, '-count_packets', '-show_entries', 'stream=nb_read_packets')).toBe('2')
})

test('blackVideo decodes without errors to black pictures of the requested duration', async () => {
  const file = await write('black.mp4', blackVideo, [1_000, 2_000], [3_000, 1_300])
  // Newer versions of ffprobe write more flags.
  const packets = (await probe(file, '-show_entries', 'packet=pts_time,flags')).replaceAll(/_+/g, '')
  expect(packets).toBe(['1.000000,K', '2.000000,K', '3.000000,K', '4.000000,K'].join('\n'))
  const [, , last] = await Array.fromAsync(readFragmentStream(createReadStream(file)))
  expect(last?.type === 'fragment' && [...last.samples.durations]).toEqual([1_000, 300])
  const pixels = await ffmpeg([
    '-i',
    file,
    '-vf',
    'format=gray',
    '-fps_mode',
    'passthrough',
    '-f',
    'rawvideo',
    '-',
  ])
  expect(pixels.length).toBe(4 * 640 * 360)
  expect(pixels.every((pixel) => pixel <= 16)).toBe(true)
})

test('silence rejects sample rates and channel counts that AAC-LC does not support', () => {
  expect(() => silence(47_999, 2)).toThrow(RangeError)
  expect(() => silence(48_000, 6)).toThrow(RangeError)
})
