import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { encodeFiles } from '../../test-support/encode-files.ts'
import {
  ffprobeValues,
  firstBrightFrame,
  makeMedia,
  plainColor,
  testTone,
  useFolder,
} from '../../test-support/sample-media.ts'
import { encodeArguments } from './encode-arguments.ts'
import { loudnessArguments } from './measure-loudness.ts'
import { isEncoded, planRenditions } from '../plan/plan-renditions.ts'
import { probeFile } from '../probe/probe-file.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'

const inFolder = useFolder()

const encode = async (inputPath: string, name: string) => {
  const probe = await probeFile(inputPath)
  const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [] })
  const rungs = plan.firstRung === null ? [] : [plan.firstRung]
  return { plan, outputs: await encodeFiles(inFolder('.'), name, { inputPath, probe, plan, rungs }) }
}

const frameCount = async (path: string): Promise<number> =>
  Number((await ffprobeValues(path, 'stream=nb_read_frames', '-count_frames'))[0])

const joined = async (name: string, first: string[], second: string[]): Promise<string> => {
  const parts = [
    await makeMedia(inFolder(`${name} 1.ts`), ...first),
    await makeMedia(inFolder(`${name} 2.ts`), ...second, '-output_ts_offset', '2'),
  ]
  const path = inFolder(`${name}.ts`)
  await writeFile(path, Buffer.concat(await Promise.all(parts.map((part) => readFile(part)))))
  return path
}

test.each([
  ['progressive', []],
  ['interlaced', ['-flags', '+ilme+ildct', '-top', '1']],
])('keeps the timing of a %s video that changes its size midway', async (name, flags) => {
  const size = (text: string) => ['-vf', `scale=${text},setsar=1`, '-c:v', 'mpeg2video', ...flags]
  const source = await joined(
    name,
    [...plainColor('black', 2), ...size('160:96')],
    [...plainColor('white', 2), ...size('320:192')],
  )
  expect((await probeFile(source)).video?.isInterlaced).toBe(name === 'interlaced')
  const { outputs } = await encode(source, name)
  const [video = ''] = outputs
  // A decoder may lose one frame where the streams meet.
  expect([59, 60]).toContain(await firstBrightFrame(video))
  expect([119, 120]).toContain(await frameCount(video))
  expect(await ffprobeValues(video, 'stream=width,height')).toEqual(['160', '96'])
})

test('holds one frame in memory when a frame lasts for minutes', async () => {
  const inputPath = await makeMedia(
    inFolder('cover.mp4'),
    ...['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=1/120:duration=120', '-c:v', 'mpeg4'],
  )
  const probe = await probeFile(inputPath)
  const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [] })
  const rungs = plan.firstRung === null ? [] : [plan.firstRung]
  const args = encodeArguments({ inputPath, probe, plan, rungs, includeAudio: false, firstPipe: 3 })
  const outputPath = inFolder('cover-out.mp4')
  const { stderr } = await promisify(execFile)('ffmpeg', [
    ...['-benchmark', '-y'],
    ...args.map((argument) => (argument === 'pipe:3' ? outputPath : argument)),
  ])
  expect(await frameCount(outputPath)).toBe(3_000)
  // All 3,000 frames at once would take a gigabyte.
  expect(Number(/maxrss=(\d+)Ki?B/i.exec(stderr)?.[1])).toBeLessThan(400_000)
})

test('adds no silence when audio changes its channel count midway', async () => {
  const ac3 = (channels: string) => [...testTone(2), '-c:a', 'ac3', '-ac', channels]
  const { outputs } = await encode(await joined('broadcast', ac3('2'), ac3('6')), 'broadcast')
  const [audio = ''] = outputs
  // At 48 kHz, 4 s are 187.5 frames of 1024 samples, plus one of priming.
  const count = await frameCount(audio)
  expect(count).toBeGreaterThan(186)
  expect(count).toBeLessThan(191)
})

/**
 * Returns one second of noise per channel, like a field recorder: one microphone per channel and no speaker
 * positions.
 */
const manyChannels = (channels: number): Buffer => {
  const samples = Buffer.alloc(48_000 * channels * 2)
  for (let at = 0; at < samples.length; at += 2) samples.writeInt16LE(((at * 7919) % 20_000) - 10_000, at)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(48_000, 24)
  header.writeUInt32LE(48_000 * channels * 2, 28)
  header.writeUInt16LE(channels * 2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

test('uses the first two of more channels than a speaker layout can describe', async () => {
  const path = inFolder('recorder.wav')
  await writeFile(path, manyChannels(10))
  const { plan, outputs } = await encode(path, 'recorder')
  expect(await frameCount(outputs[0] ?? '')).toBeGreaterThan(46)
  expect(await ffprobeValues(outputs[0] ?? '', 'stream=channels')).toEqual(['2'])
  const audio = plan.audio.find(isEncoded)!
  await runFfmpeg(loudnessArguments(path, audio), { outputPipes: 0, workFolder: inFolder('.') }).done
})
