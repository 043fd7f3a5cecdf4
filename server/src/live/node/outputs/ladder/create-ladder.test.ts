import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LivePackager, TrackName } from '@zoetrope/ll-hls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  av1Frames,
  cannedStream,
  framesOf,
  type CannedStream,
} from '../recording/test-support/canned-stream.ts'
import { createLadderSlots } from './ladder-slots.ts'
import { bytesOf, messagesOf, shownMs, startLadderBench } from './test-support/ladder-bench.ts'

let stream: CannedStream

beforeAll(async () => {
  stream = await cannedStream({ seconds: 6 })
})

/**
 * Returns the presentation times of all pictures in seconds, as ffprobe decodes them. Any complaint of
 * ffprobe fails the test.
 */
const decodedSeconds = (packager: LivePackager, track: TrackName, version = 1): number[] => {
  const rendition = packager.rendition(track)!
  const segments = rendition.segments.filter(({ initVersion, isGap }) => initVersion === version && !isGap)
  const input = Buffer.concat([rendition.formatOf(version)!.initSegment, ...segments.map(bytesOf)])
  const { stdout, stderr } = spawnSync(
    'ffprobe',
    ['-v', 'error', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0', 'pipe:0'],
    { input, encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  return stdout
    .split(/[\n,]+/)
    .filter(Boolean)
    .map(Number)
}

const numbersAndSpans = (packager: LivePackager, track: TrackName) =>
  packager.rendition(track)!.segments.map(({ number, startSeconds, durationSeconds, isDiscontinuity }) => ({
    number,
    startSeconds: startSeconds.toFixed(2),
    durationSeconds: durationSeconds.toFixed(2),
    isDiscontinuity,
  }))

test('rungs have the segment numbers, boundaries and timestamps of the source', async () => {
  const { packager, playlists, ladder, receive, warned } = await startLadderBench()
  messagesOf(stream, { startMs: 70_000 }).forEach(receive)
  await ladder.stop('ended')
  packager.end()
  expect(ladder.tracks()).toEqual(['v96', 'v64'])
  expect(packager.rendition('v96')!.format).toMatchObject({ widthPixels: 170, heightPixels: 96 })
  const source = decodedSeconds(packager, 'video')
  expect(source).toHaveLength(180)
  for (const track of ['v96', 'v64'] as const) {
    expect(numbersAndSpans(packager, track)).toEqual(numbersAndSpans(packager, 'video'))
    expect(packager.rendition(track)!.segments.every(({ isIndependent }) => isIndependent)).toBe(true)
    const shown = decodedSeconds(packager, track)
    expect(shown).toHaveLength(180)
    expect(Math.max(...shown.map((seconds, index) => Math.abs(seconds - source[index]!)))).toBeLessThan(0.001)
  }
  const multivariant = playlists.multivariant()!
  expect(multivariant.match(/^v?[a-z0-9]+\/live\.m3u8$/gm)).toEqual([
    'video/live.m3u8',
    'v96/live.m3u8',
    'v64/live.m3u8',
  ])
  expect(warned).toMatchObject({ raised: [], reported: [] })
})

test('HEVC with open groups and a returning publisher: segments begin with key frames and keep the numbers of the source', async () => {
  const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=30:log-level=none']
  const picture = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=30:d=4',
    '-pix_fmt',
    'yuv420p',
    '-tag:v',
    'hvc1',
  ]
  const video = await framesOf([...picture, ...hevc], 'hvcC')
  const { packager, ladder, receive, clock } = await startLadderBench({ rungs: [{ heightPixels: 96 }] })
  messagesOf({ ...stream, video }, { codec: 'hvc1', untilMs: 4_000 }).forEach(receive)
  packager.discontinue()
  ladder.onGone!()
  clock.ms += 5_000
  messagesOf(stream, { startMs: 1_000 }).forEach(receive)
  await ladder.stop('ended')
  packager.end()
  const { segments } = packager.rendition('v96')!
  const ofSource = packager.rendition('video')!.segments
  expect(segments.map(({ number }) => number)).toEqual(ofSource.map(({ number }) => number))
  for (const [index, segment] of segments.entries()) {
    const same = ofSource[index]!
    expect(segment).toMatchObject({ isIndependent: true, isDiscontinuity: same.isDiscontinuity })
    // In an open group, pictures that are decoded after the key frame are shown before it.
    expect(Math.abs(segment.startSeconds - same.startSeconds)).toBeLessThan(0.2)
  }
  expect(decodedSeconds(packager, 'v96', 1)).toHaveLength(video.units.length)
  const shown = decodedSeconds(packager, 'v96', 2)
  const source = shownMs(stream.video.units)
  expect(shown).toHaveLength(source.length)
  const offsets = shown.map((seconds, index) => seconds - source[index]! / 1_000)
  expect(Math.max(...offsets) - Math.min(...offsets)).toBeLessThan(0.001)
})

test('the encoder begins after a few frames, so that it keeps up with few frames per second', async () => {
  const { receive, warned } = await startLadderBench({ rungs: [{ heightPixels: 96 }] })
  messagesOf(stream, { untilMs: 400 }).forEach(receive)
  // The encoder has described its output.
  await expect.poll(() => warned.cleared, { timeout: 10_000 }).toContain('ladder_failed')
})

test('AV1 pictures keep their timestamps', async () => {
  const video = await av1Frames(4)
  const { packager, ladder, receive, warned } = await startLadderBench({ rungs: [{ heightPixels: 96 }] })
  messagesOf({ ...stream, video }, { codec: 'av01', startMs: 5_000, untilMs: 4_000 }).forEach(receive)
  await ladder.stop('ended')
  packager.end()
  expect(numbersAndSpans(packager, 'v96')).toEqual(numbersAndSpans(packager, 'video'))
  const [source, shown] = (['video', 'v96'] as const).map((track) => decodedSeconds(packager, track))
  expect(source).toHaveLength(video.units.length)
  expect(shown!.map((seconds) => seconds.toFixed(3))).toEqual(source!.map((seconds) => seconds.toFixed(3)))
  expect(warned).toEqual({ raised: [], reported: [], cleared: ['ladder_full', 'ladder_failed'] })
})

test.each<[string, (bench: Awaited<ReturnType<typeof startLadderBench>>) => number]>([
  [
    'another sound',
    ({ receive }) => {
      receive({ type: 'audio-configuration', codec: 'mp4a', data: Buffer.from('1188', 'hex') })
      return 0
    },
  ],
  ['a clock that leaps', () => 100_000],
])('%s in mid-stream breaks the rungs where it breaks the source', async (_name, change) => {
  const bench = await startLadderBench({ rungs: [{ heightPixels: 64 }] })
  const { packager, ladder, receive } = bench
  messagesOf(stream, { untilMs: 4_000 }).forEach(receive)
  const startMs = change(bench)
  messagesOf(stream, { startMs, fromMs: 4_000 })
    .filter(({ type }) => type.endsWith('-frame'))
    .forEach(receive)
  await ladder.stop('ended')
  packager.end()
  const spans = numbersAndSpans(packager, 'v64')
  expect(spans).toEqual(numbersAndSpans(packager, 'video'))
  expect(spans.filter(({ isDiscontinuity }) => isDiscontinuity)).toHaveLength(1)
  expect(packager.rendition('v64')!.segments.some(({ isGap }) => isGap)).toBe(false)
})

/** Writes a script that takes the place of ffmpeg. */
const program = async (script: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'program-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'ffmpeg')
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

test('an ffmpeg that ends leaves gaps until its restart, while the source continues', async () => {
  const ffmpegPath = await program('[ -e ran ] && exec ffmpeg "$@"; touch ran; head -c 90000 | ffmpeg "$@"')
  const { packager, ladder, receive, warned, clock } = await startLadderBench({
    rungs: [{ heightPixels: 64 }],
    ffmpegPath,
  })
  messagesOf(stream).forEach(receive)
  await expect.poll(() => warned.raised).toEqual(['ladder_failed'])
  const later = messagesOf(stream, { startMs: 6_000 })
  later.forEach(receive)
  clock.ms += 1_000
  messagesOf(stream, { startMs: 12_000 }).forEach(receive)
  await ladder.stop('ended')
  packager.end()
  expect(numbersAndSpans(packager, 'v64')).toEqual(numbersAndSpans(packager, 'video'))
  const isGap = packager.rendition('v64')!.segments.map((segment) => segment.isGap)
  expect(isGap).toHaveLength(10)
  expect(isGap[0]).toBe(false)
  expect(isGap.slice(4)).toEqual([true, true, true, false, false, false])
  expect(packager.rendition('video')!.segments.some((segment) => segment.isGap)).toBe(false)
  expect(warned.cleared).toContain('ladder_failed')
  // The restarted encoder has the same format: no new init segment, no discontinuity.
  expect(decodedSeconds(packager, 'v64').at(-1)).toBeCloseTo(18.967, 2)
})

test('a slow ffmpeg gets fewer frames, and a stuck one is killed', async () => {
  const ffmpegPath = await program('exec sleep 60')
  const { packager, ladder, receive, warned, clock } = await startLadderBench({ ffmpegPath })
  const memory: number[] = []
  for (let round = 0; round < 20; round++) {
    for (const message of messagesOf(stream, { startMs: round * 6_000 })) {
      if (message.type === 'video-frame') clock.ms = message.timestampMs
      receive(message)
    }
    memory.push(packager.keptBytes)
    if (round === 0) expect([warned.reported, warned.raised]).toEqual([['ladder_slow'], []])
    await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(() => warned.raised).toContain('ladder_failed')
  expect(packager.rendition('video')!.currentSegment.number).toBeGreaterThan(55)
  expect(packager.ladder.renditions).toEqual([])
  await ladder.stop('shutdown')
})

test('audio alone, or video below the lowest rung, starts no encoder', async () => {
  const ffmpegPath = await program('exit 1')
  const { packager, playlists, ladder, receive, warned } = await startLadderBench({ ffmpegPath, rungs: [] })
  messagesOf({ ...stream, video: { ...stream.video, units: [] } }).forEach(receive)
  expect(ladder.tracks()).toEqual([])
  packager.discontinue()
  ladder.onGone!()
  messagesOf(stream).forEach(receive)
  expect(ladder.tracks()).toEqual([])
  expect(playlists.multivariant()).not.toMatch(/v\d/)
  await ladder.stop('ended')
  expect(warned).toEqual({ raised: [], reported: [], cleared: [] })
})

test('plays without rungs while all encoder slots are taken, and adds them when one is free', async () => {
  const slots = createLadderSlots(1)
  slots.take()
  const { packager, ladder, receive, warned } = await startLadderBench({
    slots,
    rungs: [{ heightPixels: 64 }],
  })
  messagesOf(stream).forEach(receive)
  expect(warned.raised).toContain('ladder_full')
  slots.free()
  messagesOf(stream, { startMs: 6_000 }).forEach(receive)
  await ladder.stop('ended')
  packager.end()
  expect(warned.cleared).toContain('ladder_full')
  // The rung starts with the segment number of the source.
  expect(numbersAndSpans(packager, 'v64')).toEqual(numbersAndSpans(packager, 'video').slice(4))
  expect(slots.take()).toBe(true)
})
