import { execFile } from 'node:child_process'
import { mkdtemp, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openFileReader, readMovie, type Movie } from '@zoetrope/isobmff'
import { defaultPackaging, LivePackager, type TrackFormat } from '@zoetrope/ll-hls'
import { planPassthrough } from '@zoetrope/packager'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { passthroughOptions } from '../../../../library/files/media/media-blobs.ts'
import { finishFile } from './finish-file/finish-file.ts'
import { createRecorder } from './recorder.ts'
import { createRecordingFile } from './recording-file.ts'
import { cannedStream, send } from './test-support/canned-stream.ts'

const run = promisify(execFile)

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-recording-'))
})

afterEach(() => rm(folder, { recursive: true }))

const startRecording = ({ longestSeconds = 3_600 } = {}) => {
  const paths: string[] = []
  const faults: unknown[] = []
  const recorder = createRecorder({
    longestSeconds,
    onUnreadable: (error) => void faults.push(error),
    begin: (formats) => {
      const path = join(folder, `${paths.length}.mp4`)
      paths.push(path)
      const file = createRecordingFile(path, formats, (error) => void faults.push(error))
      return {
        file,
        leave: null,
        end: () => {
          const closed = file.close()
          return { closed, saved: closed }
        },
      }
    },
  })
  const packager = new LivePackager({ ...defaultPackaging, now: () => 0, sink: recorder.sink! })
  recorder.start()
  const end = async () => {
    packager.end()
    await recorder.stop('ended')
    expect(faults).toEqual([])
  }
  return { recorder, packager, paths, end }
}

const readAt = async (path: string): Promise<Movie> => {
  await using reader = await openFileReader(path)
  return await readMovie(reader)
}

/** Decodes the file, and counts the packets of each track. Any warning of the decoder fails the test. */
const decode = async (path: string) => {
  const { stderr } = await run('ffmpeg', ['-nostdin', '-v', 'warning', '-i', path, '-f', 'null', '-'])
  expect(stderr).toBe('')
  const { stdout } = await run('ffprobe', [
    ...['-v', 'error', '-of', 'json', '-count_packets'],
    ...['-show_entries', 'stream=codec_type,nb_read_packets,start_time,duration', path],
  ])
  const { streams } = JSON.parse(stdout) as {
    streams: { codec_type: string; nb_read_packets: string; start_time: string; duration: string }[]
  }
  return Object.fromEntries(
    streams.map(({ codec_type: kind, ...stream }) => [
      kind,
      {
        packets: Number(stream.nb_read_packets),
        startSeconds: Number(stream.start_time),
        seconds: Number(stream.duration),
      },
    ]),
  )
}

const planBoth = (movie: Movie) =>
  (['video', 'audio'] as const).map((track) =>
    planPassthrough(movie, { ...passthroughOptions, track, startSeconds: null }),
  )

test('records a broadcast as one progressive MP4 with all pictures and exact times, fit for passthrough', async () => {
  const stream = await cannedStream()
  const { packager, paths, end } = startRecording()
  send(packager, stream)
  await end()
  expect(paths).toHaveLength(1)
  const growing = await readAt(paths[0]!)
  expect(growing.isFragmented).toBe(true)
  const before = await decode(paths[0]!)

  expect(await finishFile(paths[0]!)).toBe(true)
  const movie = await readAt(paths[0]!)
  expect(movie.isFragmented).toBe(false)
  const [video, audio] = movie.tracks
  expect(video!.samples.count).toBe(stream.video.units.length)
  expect(video!.samples.isSync.filter(Boolean)).toHaveLength(6)
  for (const column of ['offsets', 'sizes', 'durations', 'compositionOffsets', 'isSync'] as const)
    for (const [index, track] of movie.tracks.entries())
      expect(track.samples[column]).toEqual(growing.tracks[index]!.samples[column])
  // Audio from before the first picture is left out.
  expect(stream.audio.units.length - audio!.samples.count).toBeLessThanOrEqual(4)
  expect(movie.durationSeconds).toBeCloseTo(6, 1)
  for (const plan of planBoth(movie)) expect(plan.ok).toBe(true)

  const decoded = await decode(paths[0]!)
  expect(decoded.video!.packets).toBe(before.video!.packets)
  expect(decoded.video!.startSeconds).toBe(0)
  expect(Math.abs(decoded.video!.seconds - 6)).toBeLessThan(0.002)
  // Finishing again changes nothing.
  const bytes = await readFile(paths[0]!)
  expect(await finishFile(paths[0]!)).toBe(true)
  expect((await readFile(paths[0]!)).equals(bytes)).toBe(true)
})

test('a file cut off at any byte loses only the fragment that was being written', async () => {
  const { packager, paths, end } = startRecording()
  send(packager, await cannedStream())
  await end()
  const whole = await readAt(paths[0]!)
  const { size } = await stat(paths[0]!)
  const samplesBelow = (bytes: number) =>
    whole.tracks[0]!.samples.offsets.filter(
      (offset, index) => offset + whole.tracks[0]!.samples.sizes[index]! <= bytes,
    ).length
  for (const bytes of [size - 1, size - 30_000, Math.floor(size / 2)]) {
    await truncate(paths[0]!, bytes)
    const path = join(folder, `cut-${bytes}.mp4`)
    await run('cp', [paths[0]!, path])
    expect(await finishFile(path)).toBe(true)
    const { tracks } = await readAt(path)
    // A segment has at most sixty pictures.
    expect(samplesBelow(bytes) - tracks[0]!.samples.count).toBeLessThanOrEqual(60)
    await decode(path)
  }
  await truncate(paths[0]!, 600)
  expect(await finishFile(paths[0]!).catch(() => false)).toBe(false)
})

test('writes an interrupted end again', async () => {
  const { packager, paths, end } = startRecording()
  send(packager, await cannedStream())
  await end()
  const [path] = paths as [string]
  const grown = await readFile(path)
  await finishFile(path)
  const finished = await readFile(path)
  // The index is present, in part or as a whole, but the cover is missing.
  for (const length of [finished.length, finished.length - 500, grown.length + 4]) {
    await using handle = await open(path, 'w')
    await handle.write(Buffer.concat([grown, finished.subarray(grown.length, length)]))
    expect(await finishFile(path)).toBe(true)
    expect((await readFile(path)).equals(finished)).toBe(true)
  }
})

test('a publisher that returns three times makes one file without a gap', async () => {
  const stream = await cannedStream()
  const { packager, paths, end } = startRecording()
  for (const startMs of [0, 90_000, 5_000, 400_000]) {
    send(packager, stream, { startMs })
    packager.discontinue()
  }
  await end()
  expect(paths).toHaveLength(1)
  await finishFile(paths[0]!)
  const movie = await readAt(paths[0]!)
  expect(movie.tracks[0]!.samples.count).toBe(4 * stream.video.units.length)
  expect(movie.durationSeconds).toBeCloseTo(24, 0)
  for (const plan of planBoth(movie)) expect(plan.ok).toBe(true)
  await decode(paths[0]!)
})

test('another picture size begins another file', async () => {
  const { packager, paths, end } = startRecording()
  send(packager, await cannedStream())
  packager.discontinue()
  send(packager, await cannedStream({ size: '256x144' }))
  await end()
  const sizes: number[] = []
  for (const path of paths) {
    await finishFile(path)
    const { tracks } = await readAt(path)
    sizes.push(tracks[0]!.heightPixels)
    expect(tracks[0]!.samples.count).toBe(180)
    await decode(path)
  }
  expect(sizes).toEqual([180, 144])
})

test('audio that begins late or ends early stays in sync with the video', async () => {
  const stream = await cannedStream()
  const { packager, paths, end } = startRecording()
  send(packager, stream, { withAudio: (ms) => ms > 1_300 && ms < 4_000 })
  await end()
  expect(paths).toHaveLength(1)
  await finishFile(paths[0]!)
  const { audio, video } = await decode(paths[0]!)
  expect(video!.startSeconds).toBe(0)
  // Audio starts from 1,301 ms on, so it is later than the first picture by the difference of their
  // timestamps.
  const firstMs = stream.audio.units.find(({ timestampMs }) => timestampMs > 1_300)!.timestampMs
  const { decodeMs, compositionMs } = stream.video.units[0]!
  expect(Math.abs(audio!.startSeconds - (firstMs - decodeMs - compositionMs) / 1_000)).toBeLessThan(0.0011)
})

test('a file ends at the longest duration, and the next one begins with the next picture', async () => {
  const stream = await cannedStream()
  const { packager, paths, end } = startRecording({ longestSeconds: 4 })
  send(packager, stream)
  await end()
  expect(paths).toHaveLength(2)
  let pictures = 0
  for (const path of paths) {
    await finishFile(path)
    pictures += (await readAt(path)).tracks[0]!.samples.count
    await decode(path)
  }
  expect(pictures).toBe(stream.video.units.length)
})

test('recording can start and end in the middle of a broadcast', async () => {
  const stream = await cannedStream()
  const { packager, recorder, paths, end } = startRecording()
  await recorder.finish()
  send(packager, stream, { untilMs: 3_000 })
  expect(paths).toEqual([])
  recorder.start()
  send(packager, stream, { fromMs: 3_000 })
  expect(recorder.state()).toMatchObject({ state: 'recording' })
  await end()
  expect(recorder.state()).toBeNull()
  await finishFile(paths[0]!)
  const { video } = await decode(paths[0]!)
  expect(video!.startSeconds).toBe(0)
  expect(video!.seconds).toBeGreaterThan(2)
  expect(video!.seconds).toBeLessThan(5)
})

const formatsOf = async (): Promise<TrackFormat[]> => {
  const formats: TrackFormat[] = []
  const sink = {
    onInit: (_kind: unknown, _version: number, format: TrackFormat) => void formats.push(format),
  }
  send(new LivePackager({ ...defaultPackaging, now: () => 0, sink }), await cannedStream())
  return formats
}

test('writes a fragment larger than the queue; a disk that is too slow ends the file', async () => {
  const [path, slow] = [join(folder, 'large.mp4'), join(folder, 'slow.mp4')]
  const formats = await formatsOf()
  const faults: unknown[] = []
  const fragment = [Buffer.alloc(40 * 2 ** 20)]
  const large = createRecordingFile(path, formats, (error) => void faults.push(error))
  large.append(fragment)
  large.append([Buffer.alloc(1_000)])
  await large.close()
  expect(faults).toEqual([])
  expect((await stat(path)).size).toBeGreaterThan(large.sizeBytes())
  const behind = createRecordingFile(slow, formats, (error) => void faults.push(error))
  for (let count = 0; count < 3; count++) behind.append(fragment)
  await behind.close()
  expect(faults).toHaveLength(1)
})
