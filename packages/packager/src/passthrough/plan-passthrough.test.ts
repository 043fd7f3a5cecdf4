import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { expect, test } from 'vitest'
import { openFileReader, readMovie } from '@zoetrope/isobmff'
import {
  createMediaFolder,
  ffmpeg,
  h264,
  hashFrames,
  probePackets,
  run,
  testSound,
  testVideo,
} from '../../../isobmff/test-support/media.ts'
import { planPassthrough, readPassthroughSegment, type PassthroughTrack } from '../index.ts'
import { turnPicture } from '../../../isobmff/test-support/turn-picture.ts'

const folder = await createMediaFolder()
const durations = { targetDurationSeconds: 4, maxDurationSeconds: 10 }
const aac = ['-c:a', 'aac', '-ac', '2']

const makeFile = async (path: string, args: readonly string[]): Promise<string> => {
  await ffmpeg([...args, path])
  return path
}

const made = new Map<string, Promise<string>>()

/** Makes a file, once for all tests that need the same one. */
const make = (name: string, ...args: readonly string[]): Promise<string> => {
  const key = JSON.stringify([extname(name), ...args])
  const file = made.get(key) ?? makeFile(folder.path(name), args)
  made.set(key, file)
  return file
}

const plan = async (path: string, track: 'video' | 'audio') => {
  await using reader = await openFileReader(path)
  return planPassthrough(await readMovie(reader), { track, ...durations })
}

const packagePassthrough = async (path: string, kind: 'video' | 'audio') => {
  await using reader = await openFileReader(path)
  const result = planPassthrough(await readMovie(reader), { track: kind, ...durations })
  if (!result.ok) throw new Error(result.reason)
  const { track } = result
  const segments = await Promise.all(
    track.segments.map((_, index) => readPassthroughSegment(reader, track, index)),
  )
  const packaged = `${path}.${kind}.mp4`
  await writeFile(packaged, Buffer.concat([track.initSegment, ...segments.flat()]))
  const sizes = segments.map((parts) => parts.reduce((sum, part) => sum + part.length, 0))
  expect(track.segments.map((segment) => segment.sizeBytes)).toEqual(sizes)
  return { track, packaged }
}

const seconds = (track: PassthroughTrack, ticks: number) => ticks / track.timescale

const presentedSeconds = async (packaged: string, track: PassthroughTrack) => {
  const packets = await probePackets(packaged, `${track.kind[0]}:0`)
  return packets.map((packet) => seconds(track, packet.pts)).sort((one, other) => one - other)
}

/**
 * Checks the central guarantee of passthrough. Every frame decodes as it does from the source, the first
 * video and audio samples have the expected times, and segments are contiguous.
 */
const expectFaithful = async (
  path: string,
  starts: { video?: number; audio?: number },
  sourceOptions: string[] = [],
) => {
  for (const kind of ['video', 'audio'] as const) {
    const start = starts[kind]
    if (start === undefined) continue
    const { track, packaged } = await packagePassthrough(path, kind)
    const stream = `${kind[0]}:0`
    const hashes = await hashFrames(packaged, stream)
    expect(hashes).toEqual(await hashFrames(path, stream, ['-ignore_editlist', '1', ...sourceOptions]))
    const times = await presentedSeconds(packaged, track)
    const startTicks = Math.round(start * track.timescale)
    expect(times[0]).toBe(seconds(track, startTicks))
    expect(track.segments[0]!.startTicks).toBe(startTicks)
    let end = track.segments[0]!.startTicks
    for (const segment of track.segments) {
      expect(segment.startTicks).toBe(end)
      end += segment.durationTicks
    }
    expect(seconds(track, end)).toBeGreaterThan(times.at(-1)!)
  }
}

const priming = 1024 / 48_000
/** Two segments. */
const source = [...testVideo('25', 5), ...testSound(5), ...h264(50), ...aac]

test('planPassthrough serves every frame of a file with B-frames and AAC, starting at exactly 1 s', async () => {
  const path = await make('source.mp4', ...source)
  await expectFaithful(path, { video: 1, audio: 1 - priming })
})

test('planPassthrough serves a file whose moov comes first', async () => {
  const path = await make('faststart.mp4', ...source, '-movflags', '+faststart')
  await expectFaithful(path, { video: 1, audio: 1 - priming })
})

/** Expected start times of video and audio: the same offset as in the source, with the earlier one at 1 s. */
const expectedStarts = async (path: string) => {
  const first = async (stream: string, timescale: number) =>
    Math.min(...(await probePackets(path, stream)).map((packet) => packet.pts)) / timescale
  const [video, audio] = [await first('v:0', 12_800), await first('a:0', 48_000)]
  const start = Math.min(video, audio)
  return { start, video: 1 + video - start, audio: 1 + audio - start }
}

test('planPassthrough serves every frame of a fragmented file with the offset between its tracks', async () => {
  const movflags = '+frag_keyframe+empty_moov+default_base_moof'
  const path = await make('fragmented.mp4', ...source, '-movflags', movflags)
  await expectFaithful(path, await expectedStarts(path))
})

test('negative composition offsets become positive without changing presentation times', async () => {
  const path = await make('negative.mp4', ...source, '-movflags', '+negative_cts_offsets')
  await expectFaithful(path, { video: 1, audio: 1 - priming })
})

test('audio that starts later than the video does so in the segments', async () => {
  const video = await make('picture.mp4', ...testVideo('25', 6), ...h264(50))
  const audio = await make('sound.m4a', ...testSound(5), ...aac)
  const path = await make('late-sound.mp4', '-i', video, '-itsoffset', '0.5', '-i', audio, '-c', 'copy')
  const firstSound = (await probePackets(path, 'a:0'))[0]!.pts / 48_000
  expect(firstSound).toBeCloseTo(0.5 - priming, 2)
  await expectFaithful(path, { video: 1, audio: 1 + firstSound })
})

test('a file that starts late starts at 1 s, with the offset between its tracks', async () => {
  const early = await make('early.mp4', ...source)
  const path = await make('late.mp4', '-i', early, '-c', 'copy', '-output_ts_offset', '7')
  const { start, ...starts } = await expectedStarts(path)
  expect(start).toBeGreaterThan(6.9)
  await expectFaithful(path, starts)
})

test('NTSC frame rates and mono audio keep their exact times', async () => {
  const media = [...testVideo('30000/1001', 9), ...testSound(9), ...h264(60), '-c:a', 'aac', '-ac', '1']
  const path = await make('ntsc.mp4', ...media)
  await expectFaithful(path, { video: 1, audio: 1 - priming })
  const { track } = await packagePassthrough(path, 'video')
  expect(track.frameRate).toBe(30_000 / 1001)
  expect(track.segments.map((segment) => segment.durationTicks)).toEqual([120_120, 120_120, 30_030])
  const audio = await packagePassthrough(path, 'audio')
  expect(audio.track).toMatchObject({ channels: 1, frameRate: 0, codec: 'mp4a.40.2' })
})

test('planPassthrough serves HEVC like H.264', async () => {
  const hevc = ['-c:v', 'libx265', '-tag:v', 'hvc1', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  const x265 = ['-x265-params', 'log-level=none:keyint=50:min-keyint=50:scenecut=0:open-gop=0']
  const path = await make('hevc.mp4', ...testVideo('25', 5), ...hevc, ...x265)
  await expectFaithful(path, { video: 1 })
  expect((await packagePassthrough(path, 'video')).track.codec).toMatch(/^hvc1\.1\.6\.L\d+/)
})

test('planPassthrough serves QuickTime files with QuickTime audio entries like MP4', async () => {
  await expectFaithful(await make('camera.mov', ...source), { video: 1, audio: 1 - priming })
})

test('planPassthrough serves a file with audio only', async () => {
  await expectFaithful(await make('sound-only.m4a', ...testSound(9), ...aac), { audio: 1 - priming })
})

test('a rotated picture has the same rotation after packaging', async () => {
  const path = await makeFile(folder.path('turned.mp4'), [...testVideo('25', 1), ...h264(25)])
  await turnPicture(path, 90)
  const { packaged } = await packagePassthrough(path, 'video')
  const matrix = async (file: string) => {
    const probe = ['-v', 'error', '-show_entries', 'stream_side_data=rotation', '-of', 'csv=p=0', file]
    return (await run('ffprobe', probe)).toString().trim()
  }
  expect(await matrix(packaged)).toBe(await matrix(path))
})

test('segments start at key frames, as close to the target as possible', async () => {
  const { track } = await packagePassthrough(
    await make('cuts.mp4', ...testVideo('25', 14), ...h264(75)),
    'video',
  )
  expect(track.segments.map((segment) => seconds(track, segment.durationTicks))).toEqual([3, 3, 3, 3, 2])
  expect(track.segments.map((segment) => track.samples.isSync[segment.firstSample])).toEqual([1, 1, 1, 1, 1])
})

test('an edit list that trims the audio is applied to the exact frame', async () => {
  const long = await make('long.m4a', ...testSound(9), ...aac)
  const path = await make('trimmed.m4a', '-ss', '3', '-i', long, '-c', 'copy')
  await using reader = await openFileReader(path)
  const movie = await readMovie(reader)
  expect(movie.tracks[0]!.mediaStartTicks).toBeGreaterThan(0)
  const { track } = await packagePassthrough(path, 'audio')
  const early = seconds(track, timelineTicks(track) - track.segments[0]!.startTicks)
  expect(early).toBeGreaterThanOrEqual(0)
  expect(early).toBeLessThan(0.1)
})

const timelineTicks = (track: PassthroughTrack) => track.timescale

test.each([
  [
    'open groups of pictures',
    ['-x264-params', 'open-gop=1:keyint=30:bframes=3:scenecut=0:b-adapt=0'],
    /open groups/,
  ],
  ['key frames more than 10 s apart', ['-g', '1000', '-sc_threshold', '0'], /cannot be cut/],
])('planPassthrough rejects %s', async (name, options, reason) => {
  const path = await make(
    `${name.replaceAll(' ', '-')}.mp4`,
    ...testVideo('25', 11),
    ...['-c:v', 'libx264', '-preset', 'superfast'],
    ...options,
  )
  expect(await plan(path, 'video')).toEqual({ ok: false, reason: expect.stringMatching(reason) })
})

test('planPassthrough rejects video whose first pictures are hidden by an edit list', async () => {
  const uncut = await make('uncut.mp4', ...testVideo('25', 6), ...h264(75))
  const path = await make('cut.mp4', '-ss', '1', '-i', uncut, '-c', 'copy')
  expect(await plan(path, 'video')).toEqual({ ok: false, reason: expect.stringMatching(/edit list/) })
})

test('planPassthrough rejects encrypted video', async () => {
  const key = '00112233445566778899aabbccddeeff'
  const encryption = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', key, '-encryption_kid', key]
  const path = await make('encrypted.mp4', ...testVideo('25', 1), ...h264(25), ...encryption)
  expect(await plan(path, 'video')).toEqual({ ok: false, reason: expect.stringMatching(/encrypted/) })
})

test.each([
  ['video', { timescale: 2 ** 31 }, /steps that are too small/],
  ['video', { widthPixels: 0 }, /how large/],
  ['video', { heightPixels: 0 }, /how large/],
  ['audio', { sampleRateHz: 0 }, /sample rate/],
  ['audio', { sampleRateHz: 44_100.5 }, /sample rate/],
] as const)('planPassthrough rejects %s with %j', async (kind, said, reason) => {
  await using reader = await openFileReader(await make('small.mp4', ...source))
  const movie = await readMovie(reader)
  const tracks = movie.tracks.map((track) => ({ ...track, ...said }))
  const planned = planPassthrough({ ...movie, tracks }, { track: kind, ...durations })
  expect(planned).toEqual({ ok: false, reason: expect.stringMatching(reason) })
})

test('planPassthrough rejects a missing track and raw audio', async () => {
  const path = await make('raw.mov', ...testVideo('25', 1), ...testSound(1), ...h264(25), '-c:a', 'pcm_s16le')
  expect(await plan(path, 'audio')).toMatchObject({ ok: false })
  const silent = await make('silent.mp4', ...testVideo('25', 1), ...h264(25))
  expect(await plan(silent, 'audio')).toEqual({ ok: false, reason: 'The source has no audio.' })
})

test('planPassthrough rejects a segment of more than 64 MiB', async () => {
  const path = await make('small.mp4', ...source)
  await using reader = await openFileReader(path)
  const movie = await readMovie(reader)
  const tracks = movie.tracks.map((track) => ({
    ...track,
    // Fifty pictures of 2 MiB each form a segment.
    samples: { ...track.samples, sizes: track.samples.sizes.map((size) => size + 2 * 1024 * 1024) },
  }))
  const planned = planPassthrough({ ...movie, tracks }, { track: 'video', ...durations })
  expect(planned).toEqual({ ok: false, reason: expect.stringMatching(/too much memory/) })
})

test('readPassthroughSegment needs one read and throws RangeError for an unknown index', async () => {
  const path = await make('reads.mp4', ...source)
  await using reader = await openFileReader(path)
  const result = planPassthrough(await readMovie(reader), { track: 'video', ...durations })
  if (!result.ok) throw new Error(result.reason)
  let reads = 0
  const counting = {
    sizeBytes: reader.sizeBytes,
    read: async (offset: number, length: number) => {
      reads++
      return reader.read(offset, length)
    },
  }
  await readPassthroughSegment(counting, result.track, 0)
  expect(reads).toBe(1)
  await expect(readPassthroughSegment(reader, result.track, 99)).rejects.toBeInstanceOf(RangeError)
})
