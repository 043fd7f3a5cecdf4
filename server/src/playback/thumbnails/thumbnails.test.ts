import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../test/support/hands.ts'
import { makeMedia } from '../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { createPictureDecoder } from './picture-decoder.ts'

const run = promisify(execFile)

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number

const frameRate = 25
const seconds = 4
const base = new Map<string, string>()

/** Video whose brightness encodes the frame number; B-frames are reordered. */
const numberedFrames = (...codec: string[]): Promise<Buffer> =>
  makeMedia([
    ...['-f', 'lavfi', '-i', `nullsrc=s=320x180:r=${frameRate}:d=${seconds},geq=lum='16+2*N':cb=128:cr=128`],
    ...['-pix_fmt', 'yuv420p', '-g', '50', '-keyint_min', '50', '-sc_threshold', '0', ...codec],
  ])

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject()
  const sources = {
    passthrough: ['-c:v', 'libx264', '-preset', 'medium', '-bf', '3', '-flags', '+cgop', '-crf', '4'],
    encoded: ['-c:v', 'mpeg4', '-q:v', '1'],
  }
  for (const [name, codec] of Object.entries(sources)) {
    const ids = await hands.upload(projectId, await numberedFrames(...codec))
    await hands.finish(ids)
    base.set(name, (await hands.get(ids)).Playouts[0].HLS.replace('/main.m3u8', ''))
  }
})

afterAll(() => server.stop())

const baseOf = (name: string): string => base.get(name)!

/** Reads the frame header of a baseline JPEG: ITU-T T.81, B.2.2. */
const sizeOf = async (uri: string): Promise<string> => {
  const jpeg = Buffer.from(await (await fetch(uri)).arrayBuffer())
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  return `${jpeg.readUInt16BE(at + 7)},${jpeg.readUInt16BE(at + 5)}`
}

/** Returns the frame number that each picture of 320x180 shows. One ffmpeg reads all: its start costs more than a picture. */
const framesOf = async (uris: readonly string[]): Promise<number[]> => {
  const pictures = uris.map((_uri, index) => `[p${index}]`)
  const chains = pictures.map((picture, index) => `[${index}:v]scale=out_range=pc,format=gray${picture}`)
  const args = [
    ...['-v', 'error', ...uris.flatMap((uri) => ['-i', uri])],
    ...['-filter_complex', `${chains.join(';')};${pictures.join('')}vstack=inputs=${uris.length}`],
    ...['-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
  ]
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 1e8 })
  expect(stdout).toHaveLength(uris.length * 320 * 180)
  return uris.map((_uri, index) => {
    const level = stdout[(index * 180 + 90) * 320 + 160] ?? 0
    return Math.round((level * 219) / 255 / 2)
  })
}

test.each([
  ['passthrough', 'jpg'],
  ['passthrough', 'webp'],
  ['encoded', 'jpg'],
])('a thumbnail of a %s source shows the exact frame (%s)', async (name, extension) => {
  const { headers } = await request(`${baseOf(name)}/thumbnail.${extension}?time=1`, 'GET')
  expect(headers.get('content-type')).toBe(extension === 'jpg' ? 'image/jpeg' : 'image/webp')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  // Covers the frame before a key frame, a key frame, a rounded time, the last frame, a time after the end,
  // and the middle.
  const expected = {
    '?time=0': 0,
    '?time=0.279': 6,
    '?time=0.28': 7,
    '?time=1.999': 49,
    '?time=2': 50,
    '?time=2.04': 51,
    '?time=3.96': 99,
    '?time=9999': 99,
    '': 50,
  }
  const queries = Object.keys(expected)
  const frames = await framesOf(queries.map((query) => `${baseOf(name)}/thumbnail.${extension}${query}`))
  expect(Object.fromEntries(queries.map((query, index) => [query, frames[index]]))).toEqual(expected)
})

test('width, height and fit choose the thumbnail size within the limits', async () => {
  for (const [query, size] of [
    ['width=160', '160,90'],
    ['height=90', '160,90'],
    ['width=100&height=100', '100,56'],
    ['width=100&height=100&fit=contain', '100,56'],
    ['width=100&height=100&fit=cover', '100,100'],
    ['width=400&height=400&fit=cover', '400,400'],
    // A picture is enlarged only when `cover` requires it.
    ['width=5000', '320,180'],
    ['width=1', '16,9'],
  ] as const)
    expect([query, await sizeOf(`${baseOf('passthrough')}/thumbnail.jpg?time=1&${query}`)]).toEqual([
      query,
      size,
    ])
})

test('an animation starts with the frame at its start and lasts until its end', async () => {
  const uri = `${baseOf('passthrough')}/animated.webp?start=1.5&end=3&width=160`
  const answer = await fetch(uri)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
  // WebP container specification: VP8X holds the canvas, and each ANMF chunk a frame with its duration.
  const at = bytes.indexOf('VP8X')
  expect([bytes.readUIntLE(at + 12, 3) + 1, bytes.readUIntLE(at + 15, 3) + 1]).toEqual([160, 90])
  let [frames, durationMs] = [0, 0]
  for (let chunk = bytes.indexOf('ANMF'); chunk !== -1; chunk = bytes.indexOf('ANMF', chunk + 4)) {
    frames++
    durationMs += bytes.readUIntLE(chunk + 20, 3)
  }
  // The encoder merges frames that look alike.
  expect(frames).toBeGreaterThan(4)
  expect(durationMs).toBeGreaterThanOrEqual(1_400)
  expect(durationMs).toBeLessThanOrEqual(1_600)
})

test.each([
  ['thumbnail.jpg?time=x', 'time'],
  ['thumbnail.jpg?time=-1', 'time'],
  ['thumbnail.jpg?time=1e3', 'time'],
  ['thumbnail.jpg?width=0', 'width'],
  ['thumbnail.jpg?width=1.5', 'width'],
  ['thumbnail.webp?height=big', 'height'],
  ['thumbnail.jpg?fit=fill', 'fit'],
  ['thumbnail.jpg?fit=cover&width=100', 'fit'],
  ['animated.webp?start=x', 'start'],
  ['animated.webp?start=2&end=2', 'end'],
  ['animated.webp?end=11', 'end'],
  ['animated.webp?width=-1', 'width'],
])('%s answers 400 and names %s', async (path, field) => {
  const answer = await request(`${baseOf('passthrough')}/${path}`, 'GET')
  expectProblem(answer, 'invalid')
  expect(answer.body.error.details).toMatchObject([{ field }])
})

test('times that show the same frame share one picture and one ETag', async () => {
  const uri = `${baseOf('passthrough')}/thumbnail.jpg?width=200`
  const first = await request(`${uri}&time=1.001`, 'GET')
  const second = await request(`${uri}&time=1.03`, 'GET')
  const etag = first.headers.get('etag') ?? ''
  expect(second.headers.get('etag')).toBe(etag)
  expect((await request(`${uri}&time=1.04`, 'GET')).headers.get('etag')).not.toBe(etag)
  expect((await request(`${uri}&time=1.02`, 'GET', { headers: { 'If-None-Match': etag } })).status).toBe(304)
})

test('thumbnails obey release status and signed links', async () => {
  const secured = await hands.newProject({ TokenSecurity: true })
  const ids = await hands.upload(secured, await hands.smallSample())
  await hands.finish(ids)
  const path = `/projects/${secured}/files/${ids.fileId}`
  const open = (await hands.get(ids)).Playouts[0]
  const signed = (await server.call('POST', `${path}/playouts/sign`, { body: {} })).body
  for (const field of ['ThumbnailURI', 'AnimatedURI'] as const) {
    expectProblem(await request(open[field], 'GET'), 'forbidden')
    expect((await request(signed[field], 'GET')).status).toBe(200)
  }
  await server.call('PUT', `${path}/metadata`, { body: { ReleaseStatus: 'unpublished' } })
  expectProblem(await request(signed.ThumbnailURI, 'GET'), 'not_found')
  const { body } = await server.call('GET', `${path}/playouts`)
  expect((await request(body.Playouts[0].Preview.ThumbnailURI, 'GET')).status).toBe(200)
})

test('a file with audio only has no thumbnails but an M4A download', async () => {
  const bytes = await makeMedia(['-f', 'lavfi', '-i', 'sine=duration=3', '-c:a', 'libmp3lame'], 'mp3')
  const ids = await hands.upload(projectId, bytes, { FileName: 'Morning show.mp3' })
  await hands.finish(ids)
  const [playout] = (await hands.get(ids)).Playouts
  expect(playout).toMatchObject({ MP4: null, ThumbnailURI: null, AnimatedURI: null })
  expect(playout.M4A).toBe(playout.HLS.replace('main.m3u8', 'download.m4a'))
  for (const name of ['thumbnail.jpg', 'animated.webp', 'download.mp4'])
    expectProblem(await request(playout.HLS.replace('main.m3u8', name), 'GET'), 'not_found')
  const answer = await fetch(playout.M4A)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mp4'])
  expect(answer.headers.get('content-disposition')).toContain('Morning show.m4a')
  const probe = [
    '-v',
    'error',
    '-show_entries',
    'format=duration:stream=codec_name',
    '-of',
    'csv=p=0',
    playout.M4A,
  ]
  const [codec, duration] = (await run('ffprobe', probe)).stdout.trim().split('\n')
  expect(codec).toBe('aac')
  expect(Number(duration)).toBeCloseTo(3, 0)
  expect(baseOf('passthrough')).toBeDefined()
  expectProblem(await request(`${baseOf('passthrough')}/download.m4a`, 'GET'), 'not_found')
})

const pictureOf = (stream: () => Promise<Buffer[]>) => ({
  arguments: ['-version'],
  header: async () => Buffer.alloc(0),
  stream,
  videoKey: null,
})

test('thumbnail requests beyond the limit answer 429 with Retry-After', async () => {
  const decoder = createPictureDecoder({ slots: 1 })
  const { promise, resolve } = Promise.withResolvers<Buffer[]>()
  const first = decoder.picture(
    'first',
    pictureOf(() => promise),
  )
  first.catch(() => {})
  await expect(
    decoder.picture(
      'second',
      pictureOf(() => promise),
    ),
  ).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'Retry-After': '1' },
  })
  resolve([])
  await expect(first).rejects.toMatchObject({ code: 'not_found' })
})

test.each([
  ['without ffmpeg', { slots: 1, ffmpegPath: '/no/such/ffmpeg' }],
  ['without decoders', { slots: 0 }],
])('a server %s answers 503 with an explanation', async (_what, options) => {
  const decoder = createPictureDecoder(options)
  await expect(
    decoder.picture(
      'one',
      pictureOf(async () => []),
    ),
  ).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('ffmpeg'),
  })
})

test('migration 0050 adds thumbnail links to older records', async () => {
  const migration = await readFile(
    new URL('../../../migrations/0050_thumbnail_links.sql', import.meta.url),
    'utf8',
  )
  const sound = await makeMedia(['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'libmp3lame'], 'mp3')
  const files = [
    await hands.upload(projectId, await hands.smallSample()),
    await hands.upload(projectId, sound),
    // Not playable before a worker has seen it.
    await hands.upload(projectId, sound),
  ] as const
  await hands.finish(files[0])
  await hands.finish(files[1])
  const before = await Promise.all(files.map((ids) => hands.get(ids)))
  const { kysely } = server.services.database
  for (const [index, ids] of files.entries()) {
    const { M4A, ThumbnailURI, AnimatedURI, ...playout } = before[index].Playouts[0]
    expect([M4A, ThumbnailURI, AnimatedURI].filter((uri) => uri !== null)).toHaveLength([2, 1, 0][index]!)
    const record = JSON.stringify({ ...before[index], Playouts: [playout] })
    await kysely.updateTable('media_files').set({ record }).where('id', '=', ids.fileId).execute()
  }
  await sql.raw(migration).execute(kysely)
  expect(await Promise.all(files.map((ids) => hands.get(ids)))).toEqual(before)
})
