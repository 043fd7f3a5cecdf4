import { expect, test } from 'vitest'
import {
  ffprobeValues,
  greyLevels,
  h264,
  hdr,
  makeMedia,
  plainColor,
  testPicture,
  useFolder,
} from '../../test-support/sample-media.ts'
import { posterArguments } from './poster-arguments.ts'
import { probeFile } from '../probe/probe-file.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'
import { turnPicture } from '../../../isobmff/test-support/turn-picture.ts'

const inFolder = useFolder()

const makePoster = async (
  inputPath: string,
  name: string,
  keyFrameCount: number | null = null,
): Promise<{ poster: string; thumbnail: string }> => {
  const [poster, thumbnail] = [inFolder(`${name}.jpg`), inFolder(`${name}-small.jpg`)]
  const probe = await probeFile(inputPath)
  const paths = { posterPath: poster, thumbnailPath: thumbnail }
  const args = posterArguments({ inputPath, probe, keyFrameCount, ...paths })
  await runFfmpeg(args, { outputPipes: 0, workFolder: inFolder('.') }).done
  return { poster, thumbnail }
}

const joined = ['-filter_complex', '[0][1]concat=n=2', ...h264]

test.each([
  ['ordinary', [...testPicture('640x360', 2), ...h264], ['640', '360'], ['320', '180']],
  ['of few frames', [...testPicture('320x180', 1, '10'), ...h264], ['320', '180'], ['320', '180']],
  ['portrait', [...testPicture('180x320', 1), ...h264], ['180', '320'], ['320', '568']],
  ['a tenth of a second', [...testPicture('320x180', 0.1), ...h264], ['320', '180'], ['320', '180']],
  ['larger than the poster', [...testPicture('2560x1440', 0.2), ...h264], ['1920', '1080'], ['320', '180']],
  [
    'anamorphic',
    [...testPicture('240x180', 0.5), '-vf', 'setsar=4/3', ...h264],
    ['320', '180'],
    ['320', '180'],
  ],
  [
    'odd',
    [...testPicture('322x182', 0.5), '-vf', 'format=yuv444p,crop=321:181,format=yuv420p', '-c:v', 'mpeg4'],
    ['322', '182'],
    ['320', '180'],
  ],
])(
  'writes poster and thumbnail of the right size for a video that is %s',
  async (name, args, posterSize, thumbnailSize) => {
    const source = await makeMedia(inFolder(`${name}.mp4`), ...args)
    const { poster, thumbnail } = await makePoster(source, name)
    expect(await ffprobeValues(poster, 'stream=codec_name,width,height')).toEqual(['mjpeg', ...posterSize])
    expect(await ffprobeValues(thumbnail, 'stream=codec_name,width,height')).toEqual([
      'mjpeg',
      ...thumbnailSize,
    ])
  },
)

test('writes an upright poster for a rotated video', async () => {
  const turned = await makeMedia(inFolder('turned.mp4'), ...testPicture('320x180', 0.5), ...h264)
  await turnPicture(turned, 90)
  const { poster } = await makePoster(turned, 'turned')
  expect(await ffprobeValues(poster, 'stream=width,height')).toEqual(['180', '320'])
})

test.each([
  ['short', 3, 2, null],
  ['short with enough key frames', 3, 5, 4],
  ['long', 6, 20, null],
])('skips a black start of a video that is %s', async (name, blackSeconds, whiteSeconds, keyFrameCount) => {
  const args = [
    ...plainColor('black', blackSeconds),
    ...plainColor('white', whiteSeconds),
    ...joined,
    '-g',
    '60',
  ]
  const source = await makeMedia(inFolder(`black-${name}.mp4`), ...args)
  const { poster } = await makePoster(source, `black-${name}`, keyFrameCount)
  expect(Math.min(...(await greyLevels(poster)))).toBeGreaterThan(250)
})

test.each([
  ['a long video', 30, null, true],
  ['a short one with a key frame each four seconds', 12, 3, true],
  ['a short one with fewer', 12.5, 3, false],
  ['one of a second with two', 1, 2, false],
  ['a short one whose key frames are not known', 12, null, false],
])(
  'decodes key frames alone for %s: %d s, %s key frames',
  async (name, durationSeconds, keyFrameCount, isEnough) => {
    const source = await makeMedia(inFolder(`${name}.mp4`), ...testPicture('160x90', 0.2), ...h264)
    const probe = { ...(await probeFile(source)), durationSeconds }
    const args = posterArguments({
      inputPath: source,
      probe,
      keyFrameCount,
      posterPath: 'p',
      thumbnailPath: 't',
    })
    expect(args.includes('nokey')).toBe(isEnough)
  },
)

test('writes a black poster for an all-black video', async () => {
  const source = await makeMedia(inFolder('black.mp4'), ...plainColor('black', 1), ...h264)
  const { poster, thumbnail } = await makePoster(source, 'black')
  expect(Math.max(...(await greyLevels(poster)), ...(await greyLevels(thumbnail)))).toBeLessThan(5)
})

test('writes an SDR poster for an HDR video', async () => {
  const source = await makeMedia(inFolder('hdr.mp4'), ...plainColor('gray', 0.5), ...hdr('smpte2084'))
  const { poster } = await makePoster(source, 'hdr')
  expect(Math.min(...(await greyLevels(poster)))).toBeGreaterThan(60)
})
