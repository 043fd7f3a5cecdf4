import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  createMediaFolder,
  ffmpeg,
  h264,
  hashFrames,
  probePackets,
  testSound,
  testVideo,
} from '../../../isobmff/test-support/media.ts'
import { packageStream, type PackagedTrack, type StreamedSegment, type TrackDescription } from '../index.ts'

const folder = await createMediaFolder()
const movflags = '+empty_moov+default_base_moof+frag_keyframe+skip_trailer'
const toPipe = ['-movflags', movflags, '-use_editlist', '0', '-f', 'mp4', 'pipe:1']
const soundToPipe = [
  '-frag_duration',
  '4000000',
  '-movflags',
  movflags.replace('+frag_keyframe', ''),
  ...toPipe.slice(2),
]

interface Packaged {
  readonly described: TrackDescription
  readonly segments: StreamedSegment[]
  readonly track: PackagedTrack
  readonly path: string
}

const packageOutput = async (
  name: string,
  args: readonly string[],
  options: { targetDurationSeconds: number; firstSegmentMaxSeconds?: number },
): Promise<Packaged> => {
  const child = spawn('ffmpeg', ['-nostdin', '-v', 'error', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const described: TrackDescription[] = []
  const segments: StreamedSegment[] = []
  const track = await packageStream(child.stdout, {
    ...options,
    onInit: async (description) => void described.push(description),
    onSegment: async (segment) => void segments.push(segment),
  })
  expect(described).toHaveLength(1)
  const path = folder.path(name)
  await writeFile(path, Buffer.concat([track.initSegment, ...segments.flatMap((segment) => segment.data)]))
  return { described: described[0]!, segments, track, path }
}

const target = { targetDurationSeconds: 4 }

test('encoded video starts at exactly 1 s, and its segments decode to every frame', async () => {
  const video = [...testVideo('25', 9), ...h264(50), '-threads', '1']
  const { described, segments, track, path } = await packageOutput('video.mp4', [...video, ...toPipe], target)
  await ffmpeg([...video, folder.path('reference.mp4')])
  expect(await hashFrames(path, 'v:0')).toEqual(await hashFrames(folder.path('reference.mp4'), 'v:0'))
  expect(track.segments.map((segment) => segment.durationTicks / track.timescale)).toEqual([4, 4, 1])
  expect(segments.map(({ index, startTicks }) => [index, startTicks / track.timescale])).toEqual([
    [0, 1],
    [1, 5],
    [2, 9],
  ])
  const packets = await probePackets(path, 'v:0')
  expect(Math.min(...packets.map((packet) => packet.pts))).toBe(track.timescale)
  expect(track).toMatchObject({ kind: 'video', frameRate: 25, widthPixels: 320, heightPixels: 180 })
  expect(described).toMatchObject({ codec: track.codec, frameRate: 25, timescale: track.timescale })
  const sizes = segments.map(({ data }) => data.reduce((sum, part) => sum + part.length, 0))
  expect(track.segments.map((segment) => segment.sizeBytes)).toEqual(sizes)
})

test('the first audio sample after priming is at exactly 1 s', async () => {
  const sound = [...testSound(9), '-c:a', 'aac', '-ac', '2']
  const { track, path } = await packageOutput('sound.mp4', [...sound, ...soundToPipe], target)
  await ffmpeg([...sound, folder.path('reference.m4a')])
  const reference = await hashFrames(folder.path('reference.m4a'), 'a:0', ['-ignore_editlist', '1'])
  expect(await hashFrames(path, 'a:0')).toEqual(reference)
  expect((await probePackets(path, 'a:0'))[0]!.pts).toBe(48_000 - 1024)
  expect(track).toMatchObject({ kind: 'audio', codec: 'mp4a.40.2', channels: 2, sampleRateHz: 48_000 })
  expect(track.segments.length).toBe(3)
})

test('NTSC durations are exact', async () => {
  const video = [...testVideo('30000/1001', 9), ...h264(60)]
  const { track } = await packageOutput('ntsc.mp4', [...video, ...toPipe], target)
  expect(track.frameRate).toBe(30_000 / 1001)
  const durations = track.segments.map((segment) => (segment.durationTicks * 30_000) / track.timescale)
  expect(durations).toEqual([120_120, 120_120, 30_030])
})

test('segments of a variable frame rate are contiguous', async () => {
  const jitter = [
    '-vf',
    "setpts='PTS+if(mod(N,3),0.013/TB,0)'",
    '-fps_mode',
    'vfr',
    '-video_track_timescale',
    '90000',
  ]
  const video = [...testVideo('25', 9), ...jitter, ...h264(50)]
  const { track, path } = await packageOutput('variable.mp4', [...video, ...toPipe], target)
  const keys = (await probePackets(path, 'v:0')).filter((packet) => packet.isKey).map((packet) => packet.pts)
  for (const [index, segment] of track.segments.entries()) {
    expect(keys).toContain(segment.startTicks)
    const next = track.segments[index + 1]
    if (next) expect(segment.startTicks + segment.durationTicks).toBe(next.startTicks)
  }
})

test('a short first segment does not move the later cuts', async () => {
  const video = [...testVideo('25', 9), ...h264(25)]
  const { track } = await packageOutput('early.mp4', [...video, ...toPipe], {
    ...target,
    firstSegmentMaxSeconds: 1,
  })
  expect(track.segments.map((segment) => segment.durationTicks / track.timescale)).toEqual([1, 3, 4, 1])
})

test('the peak bit rate is the rate of the busiest segment', async () => {
  const busyMiddle = ['-vf', "noise=alls=80:allf=t:enable='between(t,4,8)'"]
  const { track } = await packageOutput(
    'peak.mp4',
    [...testVideo('25', 12), ...busyMiddle, ...h264(50), ...toPipe],
    target,
  )
  const rates = track.segments.map(
    (segment) => (segment.sizeBytes * 8 * track.timescale) / segment.durationTicks,
  )
  expect(track.peakBitsPerSecond).toBe(Math.ceil(rates[1]!))
  expect(track.averageBitsPerSecond).toBe(Math.ceil(rates.reduce((sum, rate) => sum + rate, 0) / 3))
})

async function* once(bytes: Buffer) {
  yield bytes
}

test('packageStream rejects a pipe that ends inside a fragment or before the first one', async () => {
  const bytes = await ffmpeg([...testVideo('25', 2), ...h264(25), ...toPipe])
  const nothing = async () => undefined
  const options = { ...target, onInit: nothing, onSegment: nothing }
  for (const length of [bytes.length - 10, bytes.length / 2, 1000, 0]) {
    await expect(packageStream(once(bytes.subarray(0, length)), options)).rejects.toMatchObject({
      code: 'truncated',
    })
  }
})

test('packageStream does not read ahead while a segment is being stored', async () => {
  const bytes = await ffmpeg([...testVideo('25', 4), ...h264(25), ...toPipe])
  let isStoring = false
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 500) {
      expect(isStoring).toBe(false)
      yield bytes.subarray(at, at + 500)
    }
  }
  const onSegment = async () => {
    isStoring = true
    await new Promise(setImmediate)
    isStoring = false
  }
  const options = { targetDurationSeconds: 1, onInit: async () => undefined, onSegment }
  const track = await packageStream(pieces(), options)
  expect(track.segments).toHaveLength(4)
})
