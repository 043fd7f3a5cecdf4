import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import {
  ffprobeValues,
  h264,
  makeMedia,
  testPicture,
  testTone,
  useFolder,
} from '../../test-support/sample-media.ts'
import { clipArguments, clipFormat } from './clip-arguments.ts'
import type { Probe } from '../probe/probe.ts'
import { probeFile } from '../probe/probe-file.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'

const run = promisify(execFile)
const inFolder = useFolder()

const picturesOf = async (path: string): Promise<string[]> => {
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'framemd5', '-'])
  return [...stdout.matchAll(/([0-9a-f]{32})$/gm)].map(([, hash = '']) => hash)
}

test.each([
  ['mp4', [...h264, '-g', '25', '-c:a', 'aac'], 'mp4'],
  ['flv', [...h264, '-g', '25', '-c:a', 'aac'], 'mp4'],
  [
    'webm',
    ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-g', '25', '-c:a', 'libvorbis'],
    'matroska',
  ],
  ['mov', ['-c:v', 'mjpeg', '-g', '25', '-c:a', 'pcm_s16le'], 'mov'],
])(
  'copies the frames of a %s from the key frame before the start to the end',
  async (extension, codecs, format) => {
    const inputPath = await makeMedia(
      inFolder(`source.${extension}`),
      ...[...testPicture('80x46', 3, '25'), ...testTone(3)],
      ...codecs,
    )
    const probe = await probeFile(inputPath)
    expect(clipFormat(probe)).toBe(format)
    const outputPath = inFolder(`clip-of-${extension}.${format}`)
    await runFfmpeg(clipArguments({ inputPath, outputPath, probe, startSeconds: 1.5, endSeconds: 2.4 }), {
      outputPipes: 0,
      workFolder: inFolder('.'),
    }).done
    const all = await picturesOf(inputPath)
    const cut = await picturesOf(outputPath)
    // Every Motion JPEG frame is a key frame.
    const first = extension === 'mov' ? 37 : 25
    expect(Math.abs(all.indexOf(cut[0] ?? '') - first)).toBeLessThanOrEqual(1)
    expect(cut).toEqual(all.slice(all.indexOf(cut[0] ?? ''), all.indexOf(cut[0] ?? '') + cut.length))
    expect(Math.abs(first + cut.length - 60)).toBeLessThanOrEqual(3)
    const starts = (await ffprobeValues(outputPath, 'stream=start_time')).map(Number)
    expect(Math.abs((starts[0] ?? 0) - (starts[1] ?? 0))).toBeLessThan(0.15)
  },
)

test('keeps the order of reordered frames of an AVI', async () => {
  const inputPath = await makeMedia(
    inFolder('reordered.avi'),
    ...[...testPicture('80x46', 3, '25'), ...testTone(3), '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
    ...['-g', '25', '-bf', '2', '-b_strategy', '0', '-c:a', 'mp3'],
  )
  const probe = await probeFile(inputPath)
  const outputPath = inFolder(`clip-of-reordered.${clipFormat(probe)}`)
  await runFfmpeg(clipArguments({ inputPath, outputPath, probe, startSeconds: 1.5, endSeconds: 2.4 }), {
    outputPipes: 0,
    workFolder: inFolder('.'),
  }).done
  const values = await ffprobeValues(outputPath, 'frame=best_effort_timestamp_time', '-select_streams', 'v')
  const times = values.filter((value) => value !== '').map(Number)
  expect(times.length).toBeGreaterThan(20)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
})

test('uses Matroska for codecs that MP4 does not support', () => {
  const soundOf = (format: string, codec: string) =>
    ({ formatNames: format.split(','), video: null, audio: [{ codec }] }) as unknown as Probe
  expect(clipFormat(soundOf('wav', 'pcm_s16le'))).toBe('matroska')
  expect(clipFormat(soundOf('mp3', 'mp3'))).toBe('mp4')
  expect(clipFormat(soundOf('mov,mp4,m4a', 'alac'))).toBe('mov')
})

test('writes times without exponents, which ffmpeg does not parse', () => {
  const probe = { formatNames: ['mp4'], video: null, audio: [] } as unknown as Probe
  const times = { startSeconds: 1e-7, endSeconds: 1.25 }
  const written = clipArguments({ inputPath: '/a.mp4', outputPath: '/b.mp4', probe, ...times })
  expect([written[written.indexOf('-ss') + 1], written[written.indexOf('-to') + 1]]).toEqual([
    '0.000000',
    '1.250000',
  ])
})
