import { expect, test } from 'vitest'
import { encodeFiles } from '../../test-support/encode-files.ts'
import {
  bt709,
  decodeRaw,
  ffprobeValues,
  firstBrightFrame,
  firstLoudSample,
  greyLevels,
  h264,
  hdr,
  makeMedia,
  plainColor,
  testPicture,
  testTone,
  useFolder,
} from '../../test-support/sample-media.ts'
import { planRenditions, type VideoRung } from '../plan/plan-renditions.ts'
import { probeFile } from '../probe/probe-file.ts'
import { turnPicture } from '../../../isobmff/test-support/turn-picture.ts'

const inFolder = useFolder()

const smallRungs = [{ heightPixels: 180 }, { heightPixels: 120 }, { heightPixels: 90 }]

const encodeToFiles = async (inputPath: string, name: string): Promise<string[]> => {
  const probe = await probeFile(inputPath)
  const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [], rungs: smallRungs })
  const rungs = plan.firstRung ? [...plan.ladder, plan.firstRung] : []
  return encodeFiles(inFolder('.'), name, { inputPath, probe, plan, rungs })
}

const firstPts = async (path: string): Promise<number> => {
  const values = await ffprobeValues(path, 'frame=pts_time', '-read_intervals', '%+#1')
  return Number(values[0])
}
const frameCount = async (path: string): Promise<number> => {
  const [count] = await ffprobeValues(path, 'stream=nb_read_frames', '-count_frames')
  return Number(count)
}
const keyFrameTimes = async (path: string): Promise<number[]> =>
  (await ffprobeValues(path, 'frame=pts_time', '-skip_frame', 'nokey')).map(Number)
const sizeOf = (path: string): Promise<string[]> => ffprobeValues(path, 'stream=width,height')

test('writes three rungs and the audio to separate pipes in one run', async () => {
  const source = await makeMedia(
    inFolder('whole.mp4'),
    ...testPicture('320x180', 5),
    ...testTone(5),
    ...['-c:v', 'mpeg4', ...bt709, '-c:a', 'aac'],
  )
  const [high = '', middle = '', low = '', audio = ''] = await encodeToFiles(source, 'whole')
  expect(await Promise.all([high, middle, low].map(sizeOf))).toEqual([
    ['320', '180'],
    ['214', '120'],
    ['160', '90'],
  ])
  expect(await Promise.all([high, middle, low].map(frameCount))).toEqual([150, 150, 150])
  // At 48 kHz, 5 s are 234.4 frames of 1024 samples, plus one of priming.
  expect(await frameCount(audio)).toBeGreaterThanOrEqual(235)
  expect(await ffprobeValues(audio, 'stream=codec_name,sample_rate,channels')).toEqual(['aac', '48000', '1'])

  const times = await Promise.all([high, middle, low].map(keyFrameTimes))
  const [start = 0] = times[0] ?? []
  expect(times[0]).toEqual([start, start + 1, start + 4])
  expect(times[1]).toEqual(times[0])
  expect(times[2]).toEqual([start, start + 1, start + 2, start + 4])
})

test('writes a key frame where each segment begins, and every two seconds in the lowest rung', async () => {
  const source = await makeMedia(inFolder('long.mkv'), ...testPicture('160x90', 9, '10'), '-c:v', 'ffv1')
  const probe = await probeFile(source)
  const tinyRungs = [{ heightPixels: 90 }, { heightPixels: 80 }, { heightPixels: 64 }]
  const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [], rungs: tinyRungs })
  const rungs = plan.firstRung ? [...plan.ladder, plan.firstRung] : []
  const secondsIn = async (paths: readonly string[]) => {
    const times = await Promise.all(paths.map(keyFrameTimes))
    return times.map((one) => one.map((time) => Number((time - one[0]!).toFixed(2))))
  }
  const whole = await encodeFiles(inFolder('.'), 'long', { inputPath: source, probe, plan, rungs })
  const starts = [0, 1, 4, 8]
  expect(await secondsIn(whole)).toEqual([starts, starts, [0, 1, 2, 4, 6, 8]])
  const chunk = { startFrame: 40, endFrame: null, startSegment: 2 }
  const rest = await encodeFiles(inFolder('.'), 'rest', { inputPath: source, probe, plan, rungs, chunk })
  expect(await secondsIn(rest)).toEqual([
    [0, 4],
    [0, 4],
    [0, 2, 4],
  ])
})

test('has the same decoder settings as rungs of an earlier plan, with which it may be joined', async () => {
  const source = await makeMedia(inFolder('joined.mkv'), ...testPicture('320x180', 1), '-c:v', 'ffv1')
  const probe = await probeFile(source)
  const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [], rungs: smallRungs })
  const settingsOf = async (name: string, rungs: readonly VideoRung[]) => {
    const paths = await encodeFiles(inFolder('.'), name, { inputPath: source, probe, plan, rungs })
    return Promise.all(
      paths.map((path) => ffprobeValues(path, 'stream=extradata_hash', '-show_data_hash', 'sha256')),
    )
  }
  const earlier = plan.ladder.map(
    ({ keyFrameSeconds: _seconds, adaptiveQuantization: _variance, ...rung }) => rung,
  )
  expect(earlier).not.toEqual(plan.ladder)
  expect(await settingsOf('later', plan.ladder)).toEqual(await settingsOf('earlier', earlier))
})

test('writes no edit list and delays the first frame only for reordering', async () => {
  const source = await makeMedia(
    inFolder('start.ts'),
    ...testPicture('320x180', 2),
    ...testTone(2),
    ...h264,
    '-c:a',
    'aac',
  )
  const [high = '', , , audio = ''] = await encodeToFiles(source, 'start')
  const [firstDts] = await ffprobeValues(high, 'packet=dts_time', '-read_intervals', '%+#1')
  expect(Number(firstDts)).toBe(0)
  // x264 reorders over two frames of 1/30 s, which the packager subtracts from the decode times.
  expect(await firstPts(high)).toBeCloseTo(2 / 30, 3)
  const [firstAudioDts] = await ffprobeValues(audio, 'packet=dts_time', '-read_intervals', '%+#1')
  expect(Number(firstAudioDts)).toBe(0)
})

test.each([
  ['29.97', '30000/1001', [0, 30, 60, 120]],
  ['12.5', '25/2', [0, 13, 25, 50]],
  // The output has 60 frames per second.
  ['120', '60', [0, 60, 120, 240]],
])(
  'writes key frames after one second and every two at %s frames per second',
  async (name, rate, expected) => {
    const source = await makeMedia(
      inFolder(`${name}.mkv`),
      ...testPicture('160x90', 5, name === '120' ? '120' : rate),
      ...['-c:v', 'ffv1', ...bt709],
    )
    const [path = ''] = await encodeToFiles(source, name)
    const times = await keyFrameTimes(path)
    const [numerator = 0, denominator = 1] = rate.split('/').map(Number)
    const frames = times.map((time) => Math.round(((time - times[0]!) * numerator) / denominator))
    expect(frames).toEqual(expected)
  },
)

test.each([
  [
    'odd',
    [...testPicture('322x182', 0.5), '-vf', 'format=yuv444p,crop=321:181', '-c:v', 'ffv1'],
    'mkv',
    ['320', '180'],
  ],
  ['portrait', [...testPicture('180x320', 0.5), '-c:v', 'mpeg4'], 'mp4', ['180', '320']],
  [
    'anamorphic',
    [...testPicture('240x180', 0.5), '-vf', 'setsar=4/3', '-c:v', 'mpeg4'],
    'mp4',
    ['320', '180'],
  ],
  [
    'interlaced',
    [...testPicture('320x180', 0.5), '-c:v', 'mpeg2video', '-flags', '+ilme+ildct', '-vf', 'setfield=tff'],
    'ts',
    ['320', '180'],
  ],
])('encodes a source that is %s as upright, even and square', async (name, args, extension, expected) => {
  const source = await makeMedia(inFolder(`${name}-source.${extension}`), ...args)
  const [path = ''] = await encodeToFiles(source, name)
  expect(await ffprobeValues(path, 'stream=width,height,sample_aspect_ratio,pix_fmt,field_order')).toEqual([
    ...expected,
    '1:1',
    'yuv420p',
    'progressive',
  ])
})

test.each([
  ['1', 'h264'],
  ['1', 'hevc'],
  ['4', 'h264'],
] as const)('decodes each frame when it is displayed at %s fps in %s', async (rate, codec) => {
  const source = await makeMedia(
    inFolder(`slow-${rate}.mkv`),
    ...testPicture('160x90', 8, rate),
    '-c:v',
    'ffv1',
  )
  const probe = await probeFile(source)
  const plan = planRenditions(probe, {
    isVideoCopied: false,
    copiedAudio: [],
    rungs: smallRungs,
    codecs: ['hevc'],
  })
  const rungs = [...plan.ladder, plan.firstRung!, ...plan.moreCodecs].filter((rung) => rung.codec === codec)
  const files = await encodeFiles(inFolder('.'), `slow-${rate}-${codec}`, {
    inputPath: source,
    probe,
    plan,
    rungs,
  })
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    const values = await ffprobeValues(file, 'packet=pts_time,dts_time')
    expect(values.filter((_value, index) => index % 2 === 0)).toEqual(
      values.filter((_value, index) => index % 2 === 1),
    )
    expect(values.length).toBe(2 * 8 * Number(rate))
  }
})

test('encodes a rotated source upright', async () => {
  const turned = await makeMedia(inFolder('turned.mp4'), ...testPicture('320x180', 0.5), ...h264)
  await turnPicture(turned, 90)
  const [path = ''] = await encodeToFiles(turned, 'turned')
  expect(await sizeOf(path)).toEqual(['180', '320'])
})

test('flips a source as its track header says', async () => {
  const above = ['-vf', 'drawbox=width=iw:height=ih/2:color=white:thickness=fill']
  const flipped = await makeMedia(inFolder('flipped.mp4'), ...plainColor('black', 0.5), ...above, ...h264)
  await turnPicture(flipped, 'flipped')
  const [path = ''] = await encodeToFiles(flipped, 'flipped')
  const [first = 255, second = 0] = await decodeRaw(
    path,
    ...['-frames:v', '1', '-vf', 'scale=1:2:flags=area,format=gray', '-f', 'rawvideo'],
  )
  // Without the filter, the output would repeat the matrix, which players ignore.
  expect(await ffprobeValues(path, 'stream_side_data=rotation')).toEqual([''])
  expect(first).toBeLessThan(50)
  expect(second).toBeGreaterThan(200)
})

test.each(['smpte2084', 'arib-std-b67'])(
  'converts HDR (%s) to SDR and keeps the brightness in range',
  async (transfer) => {
    const source = await makeMedia(inFolder(`${transfer}.mp4`), ...plainColor('gray', 0.5), ...hdr(transfer))
    const [path = ''] = await encodeToFiles(source, transfer)
    expect(await ffprobeValues(path, 'stream=pix_fmt,color_transfer,color_space,color_primaries')).toEqual([
      'yuv420p',
      'bt709',
      'bt709',
      'bt709',
    ])
    const levels = await greyLevels(path)
    expect(Math.min(...levels)).toBeGreaterThan(60)
    expect(Math.max(...levels)).toBeLessThan(220)
  },
)

test('writes audio alone to a single pipe', async () => {
  const source = await makeMedia(inFolder('tone.wav'), ...testTone(1), '-ac', '2')
  const [audio = '', ...others] = await encodeToFiles(source, 'tone')
  expect(others).toEqual([])
  expect(await ffprobeValues(audio, 'stream=codec_name,channels')).toEqual(['aac', '2'])
})

test('pads audio that starts late with silence to keep it in sync', async () => {
  const source = await makeMedia(
    inFolder('late.mkv'),
    ...testPicture('160x90', 2),
    '-itsoffset',
    '1',
    ...testTone(1),
    '-c:v',
    'mpeg4',
    '-c:a',
    'pcm_s16le',
  )
  const outputs = await encodeToFiles(source, 'late')
  // 2 s: one second of silence and one second of tone.
  expect(await frameCount(outputs.at(-1) ?? '')).toBeGreaterThanOrEqual(94)
})

/** Black and silent for the first second. */
const flashAndBeep = [
  '-vf',
  "drawbox=color=white:thickness=fill:enable='gte(t,1)'",
  '-af',
  "volume=0:enable='lt(t,1)'",
]

test.each(['mp4', 'mkv', 'ts'])('keeps a simultaneous flash and beep of a %s in sync', async (extension) => {
  const source = await makeMedia(
    inFolder(`flash.${extension}`),
    ...plainColor('black', 2),
    ...testTone(2),
    ...flashAndBeep,
    ...h264,
    '-c:a',
    'aac',
  )
  const outputs = await encodeToFiles(source, `flash-${extension}`)
  const [flashFrame, loudSample] = await Promise.all([
    firstBrightFrame(outputs[0] ?? ''),
    firstLoudSample(outputs.at(-1) ?? ''),
  ])
  // The first 1024 samples prime the decoder. A frame lasts 33 ms at 30 frames per second.
  const apartSeconds = flashFrame / 30 - (loudSample - 1024) / 48_000
  expect(flashFrame).toBeGreaterThanOrEqual(30)
  expect(Math.abs(apartSeconds)).toBeLessThan(0.025)
})

test('keeps frames at their times when a fragmented movie that is served primes its sound before 0', async () => {
  const source = await makeMedia(
    inFolder('fragmented.mp4'),
    ...plainColor('black', 2),
    ...testTone(2),
    ...flashAndBeep,
    ...h264,
    ...['-c:a', 'aac', '-movflags', '+frag_keyframe+empty_moov+delay_moov'],
  )
  const probe = await probeFile(source)
  const options = { isVideoCopied: false, copiedAudio: [], rungs: smallRungs, isSourceServed: true }
  const plan = planRenditions(probe, options)
  const [file = ''] = await encodeFiles(inFolder('.'), 'fragmented', {
    inputPath: source,
    probe,
    plan,
    rungs: [plan.firstRung!],
  })
  expect(await firstBrightFrame(file)).toBe(30)
  expect(await frameCount(file)).toBe(60)
})
