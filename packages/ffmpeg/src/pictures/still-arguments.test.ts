import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ffprobeValues, greyLevels, makeMedia, useFolder } from '../../test-support/sample-media.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'
import { stillArguments, type StillOptions } from './still-arguments.ts'

const inFolder = useFolder()

/** An image that is white in the upper left quarter and black elsewhere. */
const corner = (size: string, format = 'yuvj444p'): string[] => [
  ...['-f', 'lavfi', '-i', `color=black:size=${size},format=gray,geq=lum='255*lt(X,W/2)*lt(Y,H/2)'`],
  ...['-frames:v', '1', '-pix_fmt', format, '-strict', 'unofficial'],
]

const makeStill = async (options: Omit<StillOptions, 'posterPath' | 'thumbnailPath'>) => {
  const posterPath = inFolder(`${Math.random()}.jpg`)
  const thumbnailPath = inFolder(`${Math.random()}-small.jpg`)
  await runFfmpeg(stillArguments({ ...options, posterPath, thumbnailPath }), {
    outputPipes: 0,
    workFolder: inFolder('.'),
  }).done
  return { posterPath, thumbnailPath }
}

/** Returns the white quarter: 0 1 over 2 3. */
const whiteQuarter = async (path: string): Promise<number> => {
  const levels = await greyLevels(path)
  const quarters = [0, 2, 8, 10].map((start) => levels[start] ?? 0)
  return quarters.findIndex((level) => level > 200)
}

test.each([
  [1, 0, ['64', '32']],
  [2, 1, ['64', '32']],
  [3, 3, ['64', '32']],
  [4, 2, ['64', '32']],
  [5, 0, ['32', '64']],
  [6, 1, ['32', '64']],
  [7, 3, ['32', '64']],
  [8, 2, ['32', '64']],
  [0, 0, ['64', '32']],
  [9, 0, ['64', '32']],
])('makes orientation %i upright', async (orientation, quarter, size) => {
  const inputPath = await makeMedia(inFolder('corner.jpg'), ...corner('64x32'))
  const { posterPath } = await makeStill({
    inputPath,
    format: 'jpeg',
    widthPixels: 64,
    heightPixels: 32,
    orientation,
  })
  expect(await ffprobeValues(posterPath, 'stream=width,height')).toEqual(size)
  expect(await whiteQuarter(posterPath)).toBe(quarter)
})

test.each([
  ['jpeg', 'jpg', '3000x1000', ['1920', '640'], ['320', '106']],
  ['png', 'png', '301x201', ['302', '202'], ['320', '214']],
  ['webp', 'webp', '100x1000', ['100', '1000'], ['128', '1280']],
] as const)(
  'converts %s of any size to a poster and a thumbnail',
  async (format, extension, size, poster, thumbnail) => {
    const [widthPixels = 0, heightPixels = 0] = size.split('x').map(Number)
    const inputPath = await makeMedia(
      inFolder(`any.${extension}`),
      ...corner(size, format === 'png' ? 'rgb24' : format === 'webp' ? 'yuv420p' : 'yuvj420p'),
    )
    const made = await makeStill({ inputPath, format, widthPixels, heightPixels, orientation: 1 })
    expect(await ffprobeValues(made.posterPath, 'stream=codec_name,width,height')).toEqual([
      'mjpeg',
      ...poster,
    ])
    expect(await ffprobeValues(made.thumbnailPath, 'stream=width,height')).toEqual(thumbnail)
    expect(await whiteQuarter(made.posterPath)).toBe(0)
  },
)

test('keeps colors and draws transparent parts on black', async () => {
  const inputPath = await makeMedia(
    inFolder('alpha.png'),
    ...['-f', 'lavfi', '-i', "color=white:size=64x64,format=rgba,geq=r=255:g=128:b=0:a='255*lt(X,W/2)'"],
    ...['-frames:v', '1'],
  )
  const { posterPath } = await makeStill({
    inputPath,
    format: 'png',
    widthPixels: 64,
    heightPixels: 64,
    orientation: 1,
  })
  const rawPath = await makeMedia(
    inFolder('alpha.rgb'),
    '-i',
    posterPath,
    '-pix_fmt',
    'rgb24',
    '-f',
    'rawvideo',
  )
  const pixels = await readFile(rawPath)
  const at = (x: number): number[] => [...pixels.subarray(3 * x, 3 * x + 3)]
  for (const [index, value] of [255, 128, 0].entries())
    expect(Math.abs((at(16)[index] ?? 0) - value)).toBeLessThan(8)
  for (const value of at(48)) expect(value).toBeLessThan(8)
})

test('rejects an image of another format than declared', async () => {
  const inputPath = await makeMedia(inFolder('false.png'), ...corner('64x32', 'rgb24'))
  for (const format of ['jpeg', 'webp'] as const)
    await expect(
      makeStill({ inputPath, format, widthPixels: 64, heightPixels: 32, orientation: 1 }),
    ).rejects.toThrow(/damaged|not of an accepted|could not process/)
})
