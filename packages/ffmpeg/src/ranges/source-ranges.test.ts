import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { readMovie } from '@zoetrope/isobmff'
import { expect, test } from 'vitest'
import { h264, makeMedia, testPicture, testTone, useFolder } from '../../test-support/sample-media.ts'
import { encodeArguments } from '../encode/encode-arguments.ts'
import { planChunks, type EncodeChunk } from '../plan/plan-chunks.ts'
import { planRenditions, type MediaPlan } from '../plan/plan-renditions.ts'
import { probeFile } from '../probe/probe-file.ts'
import type { Probe } from '../probe/probe.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'
import type { SourceChunk, SourceRange } from './chunk-times.ts'
import { sourceRanges } from './source-ranges.ts'

const inFolder = useFolder()

const readerOf = (bytes: Buffer, ranges: SourceRange[] = []) => ({
  sizeBytes: bytes.length,
  read: async (offset: number, length: number): Promise<Buffer> => {
    ranges.push({ start: offset, end: Math.min(offset + length, bytes.length) })
    return bytes.subarray(offset, offset + length)
  },
})

/** Copies the planned bytes of a file, with zeros for the others. Returns null when all are planned. */
const copyRanges = async (
  path: string,
  part: SourceChunk | null,
): Promise<{ readonly path: string; readonly share: number } | null> => {
  const bytes = await readFile(path)
  const ranges: SourceRange[] = []
  const planned = await sourceRanges(readerOf(bytes, ranges), part)
  if (planned === null) return null
  const copy = Buffer.alloc(bytes.length)
  const isCopied = new Uint8Array(bytes.length)
  for (const { start, end } of [...ranges, ...planned]) {
    bytes.copy(copy, start, start, end)
    isCopied.fill(1, start, end)
  }
  const copyPath = path.replace(/\./, '.part.')
  await writeFile(copyPath, copy)
  return { path: copyPath, share: isCopied.reduce((sum, one) => sum + one, 0) / bytes.length }
}

/** Returns the hashes of the encoder's input. Fails when ffmpeg logs an error. */
const framesOf = async (
  inputPath: string,
  { probe, plan, chunk }: { probe: Probe; plan: MediaPlan; chunk?: EncodeChunk },
): Promise<string[]> => {
  const rungs = plan.firstRung === null ? [] : [plan.firstRung]
  const args = encodeArguments({ inputPath, probe, plan, rungs, includeAudio: false, firstPipe: 3, chunk })
  const { stdout, stderr } = await promisify(execFile)(
    'ffmpeg',
    [
      ...['-v', 'error', ...args.slice(0, args.indexOf('-map'))],
      ...['-map', '[v0]', '-f', 'framehash', '-hash', 'md5', '-'],
    ],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  expect(stderr).toBe('')
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '')
}

const seconds = 40
const inputs = (rate: string): string[] => [...testPicture('96x64', seconds, rate), ...testTone(seconds)]
const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params']
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']
const uneven = [
  ...['-vf', "setpts='PTS+if(mod(N,3),0.013/TB,0)',select='not(between(t,17,21))'", '-fps_mode', 'vfr'],
]
const srt = '1\n00:00:03,000 --> 00:00:35,000\nA long line\n'
const withText = ['-i', `data:text/plain;base64,${Buffer.from(srt).toString('base64')}`, '-c:s', 'srt']

test.each<[name: string, args: string[], mostShare: number]>([
  ['ntsc.mp4', [...inputs('30000/1001'), ...h264, '-bf', '2', '-g', '50'], 0.65],
  [
    'late, index first.mp4',
    ['-itsoffset', '0.7', ...inputs('25'), ...h264, '-bf', '3', '-g', '250', '-movflags', '+faststart'],
    0.85,
  ],
  ['open groups.mp4', [...inputs('15'), ...h265, 'log-level=none:open-gop=1:bframes=4:keyint=70'], 0.75],
  ['uneven.mp4', [...inputs('25'), ...uneven, '-video_track_timescale', '90000', ...h264, '-g', '75'], 0.75],
  ['raw sound.mov', [...inputs('24'), '-c:v', 'mpeg4', '-g', '12', '-c:a', 'pcm_s16le'], 0.75],
  ['subtitled.mkv', [...inputs('25'), ...withText, ...h264, '-bf', '2', '-g', '50'], 0.7],
  ['uneven, index first.mkv', [...inputs('25'), ...uneven, ...h264, '-g', '75', '-cues_to_front', '1'], 0.75],
  ['small.webm', [...inputs('15'), ...vp9, '-g', '50'], 0.75],
])('plans the ranges of %s that give the same frames as the whole file', async (name, args, mostShare) => {
  const path = await makeMedia(inFolder(name), ...args)
  const opening = await copyRanges(path, null)
  const probe = await probeFile(path)
  expect(await probeFile(opening!.path)).toEqual(probe)
  const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [] })
  const chunks = planChunks(
    { frameRate: plan.frameRate!, durationSeconds: seconds },
    { chunkSeconds: 8, segmentSeconds: 4 },
  )
  const whole = await framesOf(path, { probe, plan })
  for (const number of [2, chunks.length - 1]) {
    const chunk = chunks[number]!
    const copy = await copyRanges(path, { probe, plan, chunk })
    expect.soft(copy?.share).toBeLessThan(mostShare)
    const frames = await framesOf(copy!.path, { probe, plan, chunk })
    expect.soft(frames).toEqual(whole.slice(chunk.startFrame, chunk.endFrame ?? undefined))
  }
})

const zeroSamples = async (path: string): Promise<void> => {
  const bytes = await readFile(path)
  const { tracks } = await readMovie(readerOf(bytes))
  const { offsets, sizes } = tracks[0]!.samples
  for (let index = 3; index < 6; index++) bytes.fill(0, offsets[index], offsets[index]! + sizes[index]!)
  await writeFile(path, bytes)
}

test.each<[codec: string, args: string[]]>([
  ['h264', [...h264]],
  ['hevc', [...h265, 'log-level=none']],
  ['vp9', vp9],
  ['av1', ['-c:v', 'libsvtav1', '-preset', '12']],
  ['mpeg4', ['-c:v', 'mpeg4']],
  ['prores', ['-c:v', 'prores_ks']],
  ['mjpeg', ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p']],
  ['dnxhd', ['-c:v', 'dnxhd', '-profile:v', 'dnxhr_lb', '-pix_fmt', 'yuv422p']],
])('ffmpeg logs an error when frames of %s are missing', async (codec, args) => {
  const name = `zeros-${codec}.${codec === 'vp9' || codec === 'av1' ? 'mp4' : 'mov'}`
  const path = await makeMedia(inFolder(name), ...testPicture('256x144', 1, '10'), ...args)
  await zeroSamples(path)
  const { done } = runFfmpeg(['-i', path, '-f', 'null', '-'], { outputPipes: 0 })
  expect(await done).toMatchObject({ hasLoggedErrors: true })
})
