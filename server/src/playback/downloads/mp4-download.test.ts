import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrames, makeSample, type SampleOptions } from '../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'

const run = promisify(execFile)

let server: TestServer
let filesPath: string

const seconds = 5
const soundDelaySeconds = 0.4

/** Sources for every way in which renditions are stored; the MP4 is built differently for each. */
const samples = {
  // B-frames, the index at the end, and audio that starts later than the video.
  passthrough: {
    seconds,
    extra: ['-bf', '2', '-flags', '+cgop', '-af', `asetpts=PTS+${soundDelaySeconds}/TB`],
  },
  encoded: { seconds, videoCodec: 'mpeg4', format: 'mkv' },
  mute: { seconds, extra: ['-an'] },
  'sound alone': { seconds, format: 'm4a', extra: ['-vn'] },
} satisfies Record<string, SampleOptions>

type Name = keyof typeof samples

interface MadeFile {
  readonly path: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly record: any
  readonly source: Buffer
}

const files = new Map<Name, MadeFile>()

const fileOf = (name: Name): MadeFile => files.get(name)!
const urlOf = (name: Name): string => fileOf(name).record.Playouts[0].MP4

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  const project = await server.call('POST', '/projects', {
    body: {
      Name: 'Downloads',
      DefaultReleaseStatus: 'published',
      EncoderSettings: { LadderMode: 'eager', Renditions: [{ Height: 180 }, { Height: 144 }] },
    },
  })
  filesPath = `/projects/${project.body.Id}/files`
  for (const [name, options] of Object.entries(samples) as [Name, SampleOptions][]) {
    const source = await makeSample(options)
    const created = await server.call('POST', filesPath, {
      body: { FileName: `Übung "${name}" 100%.${options.format ?? 'mp4'}` },
    })
    await request(created.body.Upload.URI, 'PUT', { body: source })
    files.set(name, { path: `${filesPath}/${created.body.Id}`, record: created.body, source })
  }
  for (const [name, file] of files) {
    const { body } = await waitFor(
      () => server.call('GET', file.path),
      ({ body: record }) => record.IsFinished,
    )
    files.set(name, { ...file, record: body })
  }
})

afterAll(() => server.stop())

const load = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

interface ProbedStream {
  readonly codec_type: string
  readonly start_time: string
  readonly duration: string
  readonly nb_read_frames: string
  readonly width?: number
}

const probe = async (bytes: Buffer): Promise<{ streams: ProbedStream[]; format: { duration: string } }> => {
  const path = join(server.dataFolder, 'download.mp4')
  await writeFile(path, bytes)
  // A warning of a decoder or demuxer fails the test.
  const { stdout, stderr } = await run('ffprobe', [
    ...['-v', 'warning', '-count_frames', '-show_streams', '-show_format', '-of', 'json', path],
  ])
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const framesOfHls = (name: Name): Promise<number> => {
  const { Playouts, Renditions } = fileOf(name).record
  const largest = Renditions.find(({ Width }: { Width: number | null }) => Width === 320)
  return countFrames(Playouts[0].HLS.replace('main', `${largest.Id}/playlist`))
}

test.each(['passthrough', 'encoded', 'mute'] as const)(
  'a file that is %s downloads as one MP4, index first, with every frame, from 0 s',
  async (name) => {
    const delaySeconds = name === 'passthrough' ? soundDelaySeconds : 0
    const { status, headers, bytes } = await load(urlOf(name))
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('video/mp4')
    expect(headers.get('content-length')).toBe(String(bytes.length))
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
    const { streams, format } = await probe(bytes)
    const [video, audio] = streams
    const frames = await framesOfHls(name)
    expect(video).toMatchObject({
      codec_type: 'video',
      nb_read_frames: String(frames),
      width: 320,
    })
    expect(Number(video?.start_time)).toBe(0)
    expect(Number(video?.duration)).toBeCloseTo(frames / 30, 3)
    expect(Number(format.duration)).toBeCloseTo(seconds + delaySeconds, 1)
    expect(streams).toHaveLength(name === 'mute' ? 1 : 2)
    // A passthrough rendition includes the frame that primes the decoder before the first audio sample.
    const primingSeconds = name === 'passthrough' ? 1_024 / 44_100 : 0
    if (audio !== undefined)
      expect(Math.abs(Number(audio.start_time) + primingSeconds - delaySeconds)).toBeLessThan(0.002)
  },
)

test('the frames of a passthrough download are those of the source', async () => {
  const hashes = async (path: string) =>
    (await run('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'framemd5', '-'])).stdout
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.split(',').at(-1))
  const paths = ['source.mp4', 'downloaded.mp4'].map((name) => join(server.dataFolder, name)) as [
    string,
    string,
  ]
  await writeFile(paths[0], fileOf('passthrough').source)
  await writeFile(paths[1], (await load(urlOf('passthrough'))).bytes)
  expect(await hashes(paths[1])).toEqual(await hashes(paths[0]))
})

test('ranges of a download are parts of the same bytes', async () => {
  for (const name of ['passthrough', 'encoded'] as const) {
    const { bytes, headers } = await load(urlOf(name))
    const size = bytes.length
    const ranges = [0, 1, 40, 3_000, Math.floor(size / 2), size - 5_000, size - 1].flatMap((start) =>
      [1, 777, 40_000, size].map((length) => [start, Math.min(size, start + length)] as const),
    )
    for (const [start, end] of ranges) {
      const part = await load(urlOf(name), { Range: `bytes=${start}-${end - 1}` })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`)
      expect(part.bytes.equals(bytes.subarray(start, end))).toBe(true)
    }
    const last = await load(urlOf(name), { Range: 'bytes=-100', 'If-Range': headers.get('etag') ?? '' })
    expect(last.bytes.equals(bytes.subarray(-100))).toBe(true)
    const stale = await load(urlOf(name), { Range: 'bytes=-100', 'If-Range': '"another"' })
    expect([stale.status, stale.bytes.length]).toEqual([200, size])
    const beyond = await load(urlOf(name), { Range: `bytes=${size}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
  }
})

test('HEAD of a download returns the size and file name without a body', async () => {
  const whole = await load(urlOf('encoded'))
  const head = await fetch(urlOf('encoded'), { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.headers.get('content-length')).toBe(String(whole.bytes.length))
  expect(head.headers.get('accept-ranges')).toBe('bytes')
  expect(head.headers.get('etag')).toBe(whole.headers.get('etag'))
  expect(head.headers.get('content-disposition')).toBe(
    `attachment; filename="_bung _encoded_ 100_.mp4"; filename*=UTF-8''%C3%9Cbung%20%22encoded%22%20100%25.mp4`,
  )
  expect((await load(urlOf('encoded'), { 'If-None-Match': head.headers.get('etag') ?? '' })).status).toBe(304)
})

test('a download contains the largest rendition or the requested one', async () => {
  const { record } = fileOf('encoded')
  const small = record.Renditions.find(({ Height }: { Height: number }) => Height === 144)
  const { streams } = await probe((await load(`${urlOf('encoded')}?rendition=${small.Id}`)).bytes)
  expect(streams.map(({ width, codec_type }) => [codec_type, width])).toEqual([
    ['video', 256],
    ['audio', undefined],
  ])
  const sound = record.Renditions.find(({ Type }: { Type: string }) => Type === 'audio')
  const foreign = fileOf('mute').record.Renditions[0]
  for (const id of [sound.Id, foreign.Id, Number.MAX_SAFE_INTEGER])
    expect((await load(`${urlOf('encoded')}?rendition=${id}`)).status).toBe(404)
  for (const id of [0, -1, 1.5, '99999999999999999999', 'x', '%00', '1&rendition=2'])
    expect((await load(`${urlOf('encoded')}?rendition=${id}`)).status).toBe(400)
})

test('a file with audio only has no MP4 download', async () => {
  const { record } = fileOf('sound alone')
  expect(record.Playouts[0]).toMatchObject({ HLS: expect.any(String), MP4: null })
  const url = urlOf('encoded').replace(fileOf('encoded').record.Playouts[0].Id, record.Playouts[0].Id)
  expect((await load(url)).status).toBe(404)
})

test('downloads obey the release rules, and preview links open drafts', async () => {
  const { path } = fileOf('mute')
  await server.call('PUT', path, { body: { Metadata: { ReleaseStatus: 'draft' } } })
  expect((await load(urlOf('mute'))).status).toBe(404)
  const { body } = await server.call('GET', `${path}/playouts`)
  const preview: string = body.Playouts[0].Preview.MP4
  expect((await load(preview)).status).toBe(200)
  expect((await load(preview.replace(/\/s\/[^/]+/, '/s/kp1.zzz.AAAA'))).status).toBe(403)
})

test('a download answers 304 without opening its media', async () => {
  const { record } = fileOf('passthrough')
  const { Id: id } = record.Renditions.find(({ Height }: { Height: number }) => Height === 144)
  const { media_blob: mediaBlob } = await server.services.database.kysely
    .selectFrom('renditions')
    .select('media_blob')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await server.services.blobs.deletePrefix(`${mediaBlob}/`)
  const url = `${urlOf('passthrough')}?rendition=${id}`
  expect((await load(url)).status).toBe(404)
  const { status, headers } = await load(url, { 'If-None-Match': '*' })
  expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([
    304,
    expect.stringMatching(/^"/),
    'no-cache',
  ])
})

test('a download breaks the connection when its media is deleted, and others continue', async () => {
  const { kysely } = server.services.database
  const { record } = fileOf('encoded')
  const { media_blob: mediaBlob } = await kysely
    .selectFrom('renditions')
    .select('media_blob')
    .where('id', '=', record.Renditions[0].Id)
    .executeTakeFirstOrThrow()
  await server.services.blobs.deletePrefix(`${mediaBlob}/`)
  const broken = load(`${urlOf('encoded')}?rendition=${record.Renditions[0].Id}`)
  expect(
    await broken.then(
      ({ bytes }) => bytes.length,
      () => 'broken',
    ),
  ).toBe('broken')
  expect((await load(urlOf('passthrough'))).status).toBe(200)
})
