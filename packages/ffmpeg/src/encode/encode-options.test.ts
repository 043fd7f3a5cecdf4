import { execFile } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { encodeFiles } from '../../test-support/encode-files.ts'
import {
  ffprobeValues,
  makeMedia,
  plainColor,
  testPicture,
  testTone,
  useFolder,
} from '../../test-support/sample-media.ts'
import { gainOf, measureLoudness, parseLoudness } from './measure-loudness.ts'
import { isEncoded, planRenditions, type PlanOptions } from '../plan/plan-renditions.ts'
import { probeFile } from '../probe/probe-file.ts'
import { watermarkFileName } from '../filters/watermark.ts'

const run = promisify(execFile)
const inFolder = useFolder()

const encodeAll = { isVideoCopied: false, copiedAudio: [] }

const encode = async (inputPath: string, name: string, options: Partial<PlanOptions>): Promise<string[]> => {
  const probe = await probeFile(inputPath)
  const plan = planRenditions(probe, { ...encodeAll, ...options })
  const rungs = [...plan.ladder, ...(plan.firstRung ? [plan.firstRung] : []), ...plan.moreCodecs]
  return encodeFiles(inFolder('.'), name, { inputPath, probe, plan, rungs })
}

const keyFrames = async (path: string): Promise<number[]> => {
  const values = await ffprobeValues(path, 'packet=pts_time,flags')
  return values.filter((_, index) => values[index + 1]?.startsWith('K')).map(Number)
}

test('H.264, HEVC and AV1 have the same frames, and key frames at the same segments, tagged BT.709', async () => {
  const source = await makeMedia(inFolder('three.mp4'), ...testPicture('160x90', 5), '-c:v', 'mpeg4')
  const paths = await encode(source, 'three', { rungs: [{ heightPixels: 90 }], codecs: ['av1', 'hevc'] })
  const facts = await Promise.all(
    paths.map(async (path) => {
      const [first = 0, ...others] = await keyFrames(path)
      return [
        await ffprobeValues(path, 'stream=codec_name,codec_tag_string,nb_read_frames', '-count_frames'),
        await ffprobeValues(path, 'stream=pix_fmt,color_range,color_space,color_transfer,color_primaries'),
        others.map((time) => (time - first).toFixed(3)),
      ]
    }),
  )
  const colours = ['yuv420p', 'tv', 'bt709', 'bt709', 'bt709']
  expect(facts).toEqual([
    [['h264', 'avc1', '150'], colours, ['1.000', '2.000', '4.000']],
    [['hevc', 'hvc1', '150'], colours, ['1.000', '2.000', '4.000']],
    // SVT-AV1 does not close a group of pictures early.
    [['av1', 'av01', '150'], colours, ['2.000', '4.000']],
  ])
})

/** Returns red, green and blue of the video, decoded according to its tags. */
const colourOf = async (path: string, filter = 'null'): Promise<number[]> => {
  const { stdout } = await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-i',
      path,
      '-vf',
      `${filter},format=gbrp,scale=1:1:flags=area`,
      '-frames:v',
      '1',
      '-f',
      'rawvideo',
      '-',
    ],
    { encoding: 'buffer' },
  )
  const [green = 0, blue = 0, red = 0] = stdout
  return [red, green, blue]
}

describe('color conversion', () => {
  test.each([
    ['SD television', 'out_color_matrix=smpte170m', ['-colorspace', 'smpte170m'], 'yuv420p'],
    ['SD television that does not say so', 'out_color_matrix=smpte170m', [], 'yuv420p'],
    ['HD television', 'out_color_matrix=bt709', ['-colorspace', 'bt709'], 'yuv420p'],
    [
      'full range',
      'out_color_matrix=bt709:out_range=pc',
      ['-colorspace', 'bt709', '-color_range', 'pc'],
      'yuv420p',
    ],
    ['RGB', 'out_color_matrix=bt709', [], 'gbrp'],
  ])('keeps the colors of %s', async (name, scale, tags, format) => {
    const source = await makeMedia(
      inFolder(`${name}.mkv`),
      ...plainColor('0xb03010', 0.2),
      '-vf',
      `format=gbrp,scale=${scale},format=${format}`,
      ...['-c:v', 'ffv1', ...tags],
    )
    const [path = ''] = await encode(source, name, {})
    const [red = 0, green = 0, blue = 0] = await colourOf(path)
    expect(Math.abs(red - 0xb0)).toBeLessThan(8)
    expect(Math.abs(green - 0x30)).toBeLessThan(8)
    expect(Math.abs(blue - 0x10)).toBeLessThan(8)
  })
})

describe('watermark', () => {
  test.each([
    ['top-left', 1, 'crop=60:30:14:14', [235, 255]],
    ['bottom-right', 0.5, 'crop=60:30:246:136', [100, 155]],
  ] as const)(
    'draws %s in every rung with its opacity and leaves other pixels unchanged',
    async (position, opacityRatio, corner, [least, most]) => {
      const source = await makeMedia(
        inFolder(`plain-${position}.mp4`),
        ...plainColor('black', 2),
        '-c:v',
        'mpeg4',
      )
      await makeMedia(
        inFolder('mark.png'),
        ...['-f', 'lavfi', '-i', 'color=white:size=100x50', '-frames:v', '1'],
      )
      await copyFile(inFolder('mark.png'), inFolder(watermarkFileName))
      const paths = await encode(source, `marked-${position}`, {
        rungs: [{ heightPixels: 180 }, { heightPixels: 90 }],
        watermark: { picture: '', position, opacityRatio, widthRatio: 0.25 },
      })
      expect(paths).toHaveLength(2)
      for (const path of paths) {
        const scale = 'scale=320:180'
        const colours = await colourOf(path, `${scale},${corner}`)
        expect(Math.min(...colours)).toBeGreaterThanOrEqual(least)
        expect(Math.max(...colours)).toBeLessThanOrEqual(most)
        expect(Math.max(...(await colourOf(path, `${scale},crop=200:60:60:60`)))).toBeLessThan(20)
        expect(await ffprobeValues(path, 'stream=nb_read_frames', '-count_frames')).toEqual(['60'])
      }
    },
  )
})

describe('loudness normalization', () => {
  const measure = async (path: string, maxSeconds = 60) => {
    const [audio] = planRenditions(await probeFile(path), encodeAll).audio.filter(isEncoded)
    if (!audio) throw new Error('There is no audio.')
    const signal = new AbortController().signal
    return measureLoudness(path, audio, { workFolder: inFolder('.'), signal, niceness: 0, maxSeconds })
  }

  test('raises a quiet track to −16 LUFS without shifting samples', async () => {
    const source = await makeMedia(inFolder('soft.wav'), ...testTone(4), '-af', 'volume=-5dB', '-ac', '2')
    const loudness = await measure(source)
    const gainDecibels = gainOf(loudness ?? { integratedLufs: 0, peakDecibels: 0 })
    expect(gainDecibels).toBeGreaterThan(5)
    const probe = await probeFile(source)
    const plan = planRenditions(probe, encodeAll)
    const audio = plan.audio.map((track) => ({ ...track, gainDecibels }))
    const options = { inputPath: source, probe, rungs: [] }
    const [asItWas = ''] = await encodeFiles(inFolder('.'), 'as-it-was', { ...options, plan })
    const [path = ''] = await encodeFiles(inFolder('.'), 'louder', { ...options, plan: { ...plan, audio } })
    expect((await measure(path))?.integratedLufs).toBeCloseTo(-16, 0)
    const packets = (one: string) => ffprobeValues(one, 'packet=pts,duration')
    expect(await packets(path)).toEqual(await packets(asItWas))
  })

  test('stops measuring when the audio exceeds its limit', async () => {
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '1200', '-c:a', 'pcm_u8']
    const source = await makeMedia(inFolder('long.wav'), ...silence)
    await expect(measure(source, 10)).rejects.toMatchObject({ code: 'too_long' })
  })

  test.each([
    ['a soft one is raised', -30, -20, 14],
    ['a loud one is lowered', -9, -0.1, -7],
    ['peaks are not cut off', -30, -6, 4],
    ['near silence is not raised to noise', -65, -60, 20],
  ])('computes the gain: %s', (_name, integratedLufs, peakDecibels, expected) => {
    expect(gainOf({ integratedLufs, peakDecibels })).toBe(expected)
  })

  test('measures no loudness for silence', async () => {
    const source = await makeMedia(inFolder('silent.wav'), ...testTone(1), '-af', 'volume=0')
    expect(await measure(source)).toBeNull()
    expect(parseLoudness('')).toBeNull()
  })
})
