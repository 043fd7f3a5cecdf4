import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  ffprobeValues,
  greyLevels,
  h264,
  hdr,
  makeMedia,
  testPicture,
  useFolder,
} from '../../test-support/sample-media.ts'
import { frameArguments } from './frame-arguments.ts'
import { probeFile } from '../probe/probe-file.ts'
import type { Probe } from '../probe/probe.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'
import { turnPicture } from '../../../isobmff/test-support/turn-picture.ts'

const inFolder = useFolder()

interface Source {
  readonly inputPath: string
  readonly probe: Probe
}

const probed = async (inputPath: string): Promise<Source> => ({
  inputPath,
  probe: await probeFile(inputPath),
})

const takeFrame = async ({ inputPath, probe }: Source, positionSeconds: number): Promise<string | null> => {
  const name = `${positionSeconds}-${Math.random()}`
  const posterPath = inFolder(`${name}.jpg`)
  const args = frameArguments({
    inputPath,
    probe,
    positionSeconds,
    posterPath,
    thumbnailPath: inFolder(`${name}-small.jpg`),
  })
  await runFfmpeg(args, { outputPipes: 0, workFolder: inFolder('.') }).done
  return existsSync(posterPath) ? posterPath : null
}

/** Ten frames per second, each four levels brighter than the previous one. */
const steps = (seconds: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `color=black:size=64x64:rate=10:duration=${seconds},geq=lum='16+4*N':cb=128:cr=128`,
]
const step = 4 * (255 / 219)

const frameNumber = async (path: string | null): Promise<number | null> => {
  if (path === null) return null
  const [level = 0] = await greyLevels(path)
  return Math.round(level / step)
}

const precise = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '1', '-pix_fmt', 'yuv420p', '-g', '25']

test.each([
  ['B-frames', 'mp4', [...precise, '-bf', '3', '-b_strategy', '0']],
  [
    'open groups of pictures',
    'mp4',
    ['-c:v', 'libx264', '-qp', '1', '-pix_fmt', 'yuv420p', '-x264-params', 'open-gop=1:keyint=12:bframes=3'],
  ],
  ['the container mkv', 'mkv', precise],
  ['the container ts', 'ts', precise],
  ['the container flv', 'flv', precise],
])('takes the frame displayed at the position in a file with %s', async (name, container, codec) => {
  const source = await probed(await makeMedia(inFolder(`${name}.${container}`), ...steps(5), ...codec))
  const frames = await Promise.all(
    [0, 0.05, 0.1, 0.19, 0.2, 1.23, 2.5, 3.7, 4.89, 4.9, 4.95].map(async (position) =>
      frameNumber(await takeFrame(source, position)),
    ),
  )
  expect(frames).toEqual([0, 0, 1, 1, 2, 12, 25, 37, 48, 49, 49])
})

test('writes nothing for a position after the end', async () => {
  const source = await probed(await makeMedia(inFolder('short.mp4'), ...steps(5), ...precise))
  for (const position of [5.1, 6, 100, 1_000_000])
    expect(await takeFrame(source, position), `at ${position} s`).toBeNull()
})

test('takes the frame still displayed when frames last long', async () => {
  const source = await probed(
    await makeMedia(
      inFolder('slow.mp4'),
      ...steps(5),
      ...['-vf', "select='not(mod(n,15))'", '-fps_mode', 'vfr'],
      ...precise,
    ),
  )
  const frames = await Promise.all(
    [0.2, 1.4, 1.5, 2.9, 3].map(async (position) => frameNumber(await takeFrame(source, position))),
  )
  expect(frames).toEqual([0, 0, 15, 15, 30])
})

test.each([
  ['turned', [...testPicture('320x180', 1), ...h264], ['180', '320']],
  ['HDR', [...testPicture('320x180', 1), ...hdr('smpte2084')], ['320', '180']],
  [
    'interlaced',
    [...testPicture('320x180', 1), ...h264, '-flags', '+ilme+ildct', '-x264-params', 'interlaced=1'],
    ['320', '180'],
  ],
])('takes upright frames of the right size from a video that is %s', async (name, args, size) => {
  const source = await makeMedia(inFolder(`${name}.mp4`), ...args)
  if (name === 'turned') await turnPicture(source, 90)
  const path = await takeFrame(await probed(source), 0.5)
  expect(await ffprobeValues(path ?? '', 'stream=codec_name,width,height')).toEqual(['mjpeg', ...size])
})
