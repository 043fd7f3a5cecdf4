import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ffprobeValues, h264, makeMedia, testPicture, useFolder } from '../../test-support/sample-media.ts'
import { encodeArguments } from './encode-arguments.ts'
import { planChunks, type EncodeChunk } from '../plan/plan-chunks.ts'
import { planRenditions, type MediaPlan } from '../plan/plan-renditions.ts'
import { probeFile } from '../probe/probe-file.ts'
import type { Probe } from '../probe/probe.ts'

const inFolder = useFolder()

interface Source {
  readonly inputPath: string
  readonly probe: Probe
  readonly plan: MediaPlan
}

const framesOf = async (
  { inputPath, probe, plan }: Source,
  chunk?: EncodeChunk,
): Promise<[number, string][]> => {
  const rungs = plan.firstRung === null ? [] : [plan.firstRung]
  const args = encodeArguments({ inputPath, probe, plan, rungs, includeAudio: false, firstPipe: 3, chunk })
  const filtered = args.slice(0, args.indexOf('-map'))
  const { stdout } = await promisify(execFile)('ffmpeg', [
    ...['-v', 'fatal', ...filtered, '-map', '[v0]', '-f', 'framehash', '-hash', 'md5', '-'],
  ])
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map((cell) => cell.trim()))
    .map((cells) => [Number(cells[1]), cells.at(-1) ?? ''])
}

const seconds = 12
const small = (rate: string): string[] => testPicture('96x64', seconds, rate)
/** Uneven frame intervals and a gap of four seconds. */
const uneven = [
  ...['-vf', "setpts='PTS+if(mod(N,3),0.013/TB,0)',select='not(between(t,5,9))'"],
  ...['-fps_mode', 'vfr'],
]
const openGroups = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-x265-params',
  'log-level=none:open-gop=1:bframes=4:keyint=70',
]

test.each<[string, string[]]>([
  ['ntsc.mp4', [...small('30000/1001'), ...h264, '-bf', '2', '-g', '50']],
  ['film.mkv', [...small('24000/1001'), ...h264, '-bf', '2', '-g', '400']],
  ['uneven.mp4', [...small('25'), ...uneven, '-video_track_timescale', '90000', ...h264, '-g', '250']],
  ['uneven.mkv', [...small('25'), ...uneven, ...h264, '-g', '250']],
  ['open groups.mp4', [...small('25'), ...openGroups]],
  ['fragments.mp4', [...small('25'), ...h264, '-g', '25', '-movflags', '+empty_moov+frag_keyframe']],
  ['late.mp4', ['-itsoffset', '0.7', ...small('25'), ...h264, '-g', '100']],
])('encodes %s in chunks with the same frames and numbers as in one run', async (name, args) => {
  const inputPath = await makeMedia(inFolder(name), ...args)
  const probe = await probeFile(inputPath)
  const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [] })
  const source = { inputPath, probe, plan }
  const chunks = planChunks(
    { frameRate: plan.frameRate ?? { numerator: 1, denominator: 1 }, durationSeconds: seconds },
    { chunkSeconds: 4, segmentSeconds: 4 },
  )
  expect(chunks).toHaveLength(3)
  const whole = await framesOf(source)
  const joined: [number, string][] = []
  for (const chunk of chunks)
    for (const [number, hash] of await framesOf(source, chunk)) joined.push([chunk.startFrame + number, hash])
  expect(joined).toEqual(whole)
})

test.each<[string, string[]]>([
  ['aligned.mp4', [...small('30000/1001'), ...h264, '-bf', '2', '-g', '60']],
  ['aligned-late.mp4', ['-itsoffset', '0.7', ...small('25'), ...h264, '-bf', '2', '-g', '50']],
  ['aligned-uneven.mp4', [...small('25'), ...uneven, '-video_track_timescale', '90000', ...h264, '-g', '30']],
])('encodes chunks of %s from its key frames, without reading the seconds before', async (name, args) => {
  const inputPath = await makeMedia(inFolder(name), ...args, '-sc_threshold', '0')
  const probe = await probeFile(inputPath)
  const keyTimes = await ffprobeValues(inputPath, 'packet=pts_time,flags')
  const starts = keyTimes.flatMap((time, index) =>
    keyTimes[index + 1]?.startsWith('K') ? [Number(time) - probe.startSeconds] : [],
  )
  const plan = planRenditions(probe, {
    ...{ isVideoCopied: false, copiedAudio: [], isSourceServed: true },
    segmentStartSeconds: starts,
  })
  const whole = await framesOf({ inputPath, probe, plan })
  const cuts = plan.cutFrames ?? []
  expect(cuts.length).toBeGreaterThan(2)
  for (const [index, startFrame] of cuts.entries()) {
    const endFrame = cuts[index + 1] ?? null
    const chunk = { startFrame, endFrame, startSegment: index + 1, isAtKeyFrame: true as const }
    for (const one of [chunk, { ...chunk, beginsOnTime: true as const }]) {
      const frames = await framesOf({ inputPath, probe, plan }, one)
      expect(frames.map(([number, hash]) => [startFrame + number, hash])).toEqual(
        whole.slice(startFrame, endFrame ?? undefined),
      )
    }
  }
})

test('encodes chunks that begin within closed groups of pictures, at any distance from a key frame', async () => {
  const inputPath = await makeMedia(
    inFolder('long groups.mp4'),
    ...small('25'),
    ...h264,
    '-bf',
    '3',
    '-g',
    '90',
  )
  const probe = await probeFile(inputPath)
  const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [], isSourceServed: true })
  const whole = await framesOf({ inputPath, probe, plan })
  for (const startFrame of [50, 88, 89, 91, 100, 179]) {
    const chunk = { startFrame, endFrame: startFrame + 20, startSegment: 1, hasClosedGroups: true as const }
    const frames = await framesOf({ inputPath, probe, plan }, chunk)
    expect(frames.map(([number, hash]) => [startFrame + number, hash])).toEqual(
      whole.slice(startFrame, startFrame + 20),
    )
  }
})
