import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  createMediaFolder,
  ffmpeg,
  h264,
  probePackets,
  testVideo,
} from '../../../isobmff/test-support/media.ts'
import {
  joinTracks,
  packageStream,
  type PrecedingSegments,
  type StreamedSegment,
  type TrackPiece,
} from '../index.ts'

const folder = await createMediaFolder()
const movflags = [
  '-movflags',
  '+empty_moov+default_base_moof+frag_keyframe+skip_trailer',
  '-use_editlist',
  '0',
]
const encoder = [...h264(60), '-threads', '1', ...movflags, '-f', 'mp4', 'pipe:1']

const packageVideo = async (args: readonly string[], preceding?: PrecedingSegments) => {
  const bytes = await ffmpeg(args)
  const segments: StreamedSegment[] = []
  const track = await packageStream(once(bytes), {
    targetDurationSeconds: 4,
    ...(preceding === undefined ? {} : { preceding }),
    onInit: async () => undefined,
    onSegment: async (segment) => void segments.push(segment),
  })
  return { track, segments, data: segments.flatMap(({ data }) => data) }
}

async function* once(bytes: Buffer) {
  yield bytes
}

test.each([
  ['29.97', 30_000, 1001],
  ['23.976', 24_000, 1001],
])(
  'at %s frames a second, joined pieces have the same cuts as a single run, without gap or overlap',
  async (name, numerator, denominator) => {
    const rate = `${numerator}/${denominator}`
    const cut = 120
    const whole = await packageVideo([...testVideo(rate, 9), ...encoder])
    const first = await packageVideo([...testVideo(rate, 9), '-frames:v', String(cut), ...encoder])
    const rest = await packageVideo(
      [...testVideo(rate, 9), '-vf', `trim=start_pts=${cut},setpts=PTS-${cut}`, ...encoder],
      { count: first.segments.length, seconds: { numerator: cut * denominator, denominator: numerator } },
    )
    const pieceOf = ({ track }: typeof whole): TrackPiece => ({
      track,
      initSegmentHash: 'same',
      segments: track.segments,
    })
    const joined = joinTracks([pieceOf(first), pieceOf(rest), null])
    const times = ({ startTicks, durationTicks }: { startTicks: number; durationTicks: number }) => [
      startTicks,
      durationTicks,
    ]
    expect(first.track.initSegment).toEqual(rest.track.initSegment)
    expect(joined.segments.map(times)).toEqual(whole.track.segments.map(times))
    expect([...first.segments, ...rest.segments].map(({ index }) => index)).toEqual(
      whole.segments.map(({ index }) => index),
    )
    expect(joined).toMatchObject({ frameRate: whole.track.frameRate, timescale: whole.track.timescale })

    const write = async (file: string, init: Buffer, data: Buffer[]) => {
      await writeFile(folder.path(file), Buffer.concat([init, ...data]))
      return folder.path(file)
    }
    const wholePath = await write(`${name} whole.mp4`, whole.track.initSegment, whole.data)
    const joinedPath = await write(`${name} joined.mp4`, first.track.initSegment, [
      ...first.data,
      ...rest.data,
    ])
    const timesOf = async (path: string) =>
      (await probePackets(path, 'v:0')).map(({ pts, dts, isKey }) => [pts, dts, isKey])
    // The encoder may place B-frames differently, but decode and presentation times must match.
    const [ofWhole, ofJoined] = [await timesOf(wholePath), await timesOf(joinedPath)]
    expect(ofJoined.map(([, dts, isKey]) => [dts, isKey])).toEqual(
      ofWhole.map(([, dts, isKey]) => [dts, isKey]),
    )
    const shown = (packets: typeof ofWhole) =>
      packets.map(([pts]) => pts).toSorted((a, b) => Number(a) - Number(b))
    expect(shown(ofJoined)).toEqual(shown(ofWhole))
  },
)

const description = {
  kind: 'video',
  codec: 'avc1.64001f',
  timescale: 1000,
  widthPixels: 320,
  heightPixels: 180,
  frameRate: 25,
  channels: 0,
  sampleRateHz: 0,
  language: 'und',
} as const
const piece = (startTicks: number, more: Partial<TrackPiece> = {}): TrackPiece => ({
  track: description,
  initSegmentHash: 'a',
  segments: [{ startTicks, durationTicks: 4_000, sizeBytes: 500 }],
  ...more,
})

test('joinTracks measures bit rates over all pieces', () => {
  expect(joinTracks([piece(1_000), piece(5_000), null, null])).toMatchObject({
    segments: [{ startTicks: 1_000 }, { startTicks: 5_000 }],
    peakBitsPerSecond: 1_000,
    averageBitsPerSecond: 1_000,
  })
})

test.each<[string, (TrackPiece | null)[]]>([
  ['without tracks', [null, null]],
  ['that begins late', [piece(1_040)]],
  ['with a gap', [piece(1_000), piece(5_040)]],
  ['with an overlap', [piece(1_000), piece(4_960)]],
  ['with a hole', [piece(1_000), null, piece(5_000)]],
  ['of two encoders', [piece(1_000), piece(5_000, { initSegmentHash: 'b' })]],
])('joinTracks rejects a track %s', (_name, pieces) => {
  expect(() => joinTracks(pieces)).toThrow(expect.objectContaining({ code: 'malformed' }))
})

test('packageStream rejects preceding segments that do not end on a tick', async () => {
  const preceding = { count: 1, seconds: { numerator: 1, denominator: 7 } }
  await expect(packageVideo([...testVideo('25', 1), ...encoder], preceding)).rejects.toMatchObject({
    code: 'malformed',
  })
})
