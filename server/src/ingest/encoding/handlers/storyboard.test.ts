import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { MediaError, mediaMessage } from '@zoetrope/ffmpeg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { makeMedia } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { runFileJob } from '../processing/run-file-job.ts'

const run = promisify(execFile)

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject()
})

afterAll(() => server.stop())

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

/** Makes a video that brightens by 10 of 219 levels per second, with a key frame every three seconds. */
const brightening = (seconds: number, ...codec: string[]): Promise<Buffer> =>
  makeMedia([
    ...['-f', 'lavfi', '-i', `nullsrc=s=160x90:r=10:d=${seconds},geq=lum='10*T+16':cb=128:cr=128`],
    ...['-pix_fmt', 'yuv420p', '-g', '30', '-keyint_min', '30', '-sc_threshold', '0', ...codec],
  ])
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast']

const playoutOf = async (ids: Ids) => (await hands.get(ids)).Playouts[0]
const get = (uri: string) => request(uri, 'GET')

const bytesOf = async (uri: string): Promise<Buffer> => {
  const answer = await fetch(uri)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  return Buffer.from(await answer.arrayBuffer())
}

interface Picture {
  readonly widthPixels: number
  readonly heightPixels: number
  readonly levels: Buffer
}

const decode = async (uri: string): Promise<Picture> => {
  const probe = await run('ffprobe', [
    ...['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', uri],
  ])
  const [widthPixels = 0, heightPixels = 0] = probe.stdout.trim().split(',').map(Number)
  const raw = ['-v', 'error', '-i', uri, '-f', 'rawvideo', '-pix_fmt', 'yuvj420p', '-']
  const { stdout } = await run('ffmpeg', raw, { encoding: 'buffer', maxBuffer: 1e8 })
  return { widthPixels, heightPixels, levels: stdout }
}

const secondOf = ({ widthPixels, levels }: Picture, x: number, y: number): number =>
  Math.round(((levels[y * widthPixels + x] ?? 0) * 219) / 255 / 10)

const cueLines = (text: string): string[] => text.split('\n').filter((line) => line.includes('-->'))
const tiles = (text: string): { uri: string; x: number; y: number }[] =>
  [...text.matchAll(/^(storyboard\/\S+)#xywh=(\d+),(\d+),160,90$/gm)].map(([, uri = '', x, y]) => ({
    uri,
    x: Number(x),
    y: Number(y),
  }))

const storedBytes = async ({ fileId }: Ids): Promise<number> => {
  const folder = `${server.dataFolder}/media/blobs/a1/p${projectId}/f${fileId}`
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => (await stat(`${parentPath}/${name}`)).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

test.each([
  ['the source, where it is served from where it lies', h264, [0, 0, 3, 6, 6, 9, 12, 12]],
  // The encoder writes a key frame every two seconds.
  ['a rendition, where it was encoded', ['-c:v', 'mpeg4'], [0, 2, 4, 6, 8, 10, 12, 14]],
])('each tile shows the last key frame before its time, taken from %s', async (_what, codec, seconds) => {
  const ids = await hands.upload(projectId, await brightening(15.5, ...codec))
  await hands.finish(ids)
  const { Storyboard, HLS } = await playoutOf(ids)
  expect(Storyboard).toBe(HLS.replace('main.m3u8', 'storyboard.vtt'))

  const { status, headers, body } = await get(Storyboard)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/vtt; charset=utf-8'])
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(body).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:02\.000\nstoryboard\//)
  expect(cueLines(body)).toHaveLength(8)
  expect(cueLines(body).at(-1)).toMatch(/^00:00:14\.000 --> 00:00:15\.[45]\d\d$/)

  const sheet = new URL(tiles(body)[0]?.uri ?? '', Storyboard).href
  const picture = await decode(sheet)
  expect(picture).toMatchObject({ widthPixels: 8 * 160, heightPixels: 90 })
  expect(tiles(body).map(({ x, y }) => secondOf(picture, x + 80, y + 45))).toEqual(seconds)

  const json = await get(Storyboard.replace('.vtt', '.json'))
  expect(json.body).toMatchObject({
    url: sheet,
    tile_width: 160,
    tile_height: 90,
    duration: expect.closeTo(15.5, 1),
    tiles: tiles(body).map(({ x, y }, index) => ({ start: 2 * index, x, y })),
  })
})

test('keeps the ETag of file.new valid, with the storyboard in the record and no job left', async () => {
  const ids = await hands.upload(projectId, await brightening(3, ...h264))
  await hands.process(ids)
  await hands.ladder(ids)
  const { database } = server.services
  const announced = await database.kysely
    .selectFrom('events')
    .select('record')
    .where('file_id', '=', ids.fileId)
    .where('name', '=', 'file.new')
    .executeTakeFirstOrThrow()
  const record = await hands.get(ids)
  expect(record.Playouts[0].Storyboard).toContain('storyboard.vtt')
  expect(JSON.parse(announced.record)).toEqual(record)
  const jobs = await database.sql`
    select name from pgboss.job where name = 'file.storyboard' and data->>'fileId' = ${String(ids.fileId)}`
  expect(jobs).toEqual([])
  const path = `/projects/${projectId}/files/${ids.fileId}`
  const etag = (await server.call('GET', path)).headers.get('etag') ?? ''
  await hands.storyboard(ids)
  expect((await server.call('GET', path, { headers: { 'If-None-Match': etag } })).status).toBe(304)
  expect((await hands.eventsOf(ids.fileId)).at(-1)).toBe('file.new')
})

test('includes the storyboard of a degraded file in the record of file.new', async () => {
  const ids = await hands.upload(projectId, await hands.sample())
  await hands.process(ids)
  const attempt = { number: 1, isLast: false }
  await runFileJob(hands.dependencies, await hands.jobOf(ids), new AbortController().signal, attempt, () =>
    Promise.reject(new MediaError('unsupported_codec', mediaMessage('file_codec_not_supported'))),
  )
  const record = await hands.get(ids)
  expect(record).toMatchObject({ Status: 'degraded', HasErrors: true })
  expect(record.Playouts[0].Storyboard).toContain('storyboard.vtt')
  expect(await hands.eventsOf(ids.fileId)).toEqual(expect.arrayContaining(['file.failed', 'file.new']))
  expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(await storedBytes(ids))
})

test('replaces a storyboard with its source, makes it once and counts its bytes', async () => {
  const ids = await hands.upload(projectId, await brightening(3, ...h264))
  await hands.finish(ids)
  const before = await hands.eventsOf(ids.fileId)
  const first = await playoutOf(ids)
  const text: string = (await get(first.Storyboard)).body
  await hands.storyboard(ids)
  expect((await get(first.Storyboard)).body).toBe(text)
  expect(await hands.eventsOf(ids.fileId)).toEqual(before)
  expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(await storedBytes(ids))

  const path = `/projects/${projectId}/files/${ids.fileId}`
  await server.call('POST', `${path}/retry?force=true`)
  await hands.finish(ids)
  expect((await get(first.Storyboard)).body).toBe(text)

  for (const [Language, Content] of [
    ['en', 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n'],
    ['de', '1\n00:00:00,000 --> 00:00:01,000\nHallo\n'],
    ['pt-BR', 'WEBVTT\n\n00:00.000 --> 00:01.000\nOlá\n'],
  ])
    expect((await server.call('POST', `${path}/captions`, { body: { Language, Content } })).status).toBe(201)
  await server.call('PUT', `${path}/replace`, {
    body: await brightening(5, ...h264),
    headers: { 'Content-Type': 'video/mp4' },
  })
  expect(await playoutOf(ids)).toMatchObject({ Storyboard: first.Storyboard })
  await hands.finish(ids)
  const second: string = (await get((await playoutOf(ids)).Storyboard)).body
  expect(cueLines(second)).toHaveLength(3)
  expect(tiles(second)[0]?.uri).not.toBe(tiles(text)[0]?.uri)
  expectProblem(await get(new URL(tiles(text)[0]?.uri ?? '', first.Storyboard).href), 'not_found')
  await server.services.database.kysely
    .updateTable('discarded_media')
    .set({ remove_after: new Date(0) })
    .execute()
  await hands.housekeeping()
  expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(await storedBytes(ids))

  // Captions added by users outlive the source: the new one has them in each manifest and language.
  const hls: string = (await get(first.HLS)).body
  const dash: string = (await get(first.DASH)).body
  expect([...hls.matchAll(/TYPE=SUBTITLES.*LANGUAGE="([^"]+)"/g)].map(([, language]) => language)).toEqual([
    'de',
    'en',
    'pt-BR',
  ])
  expect([...dash.matchAll(/mimeType="text\/vtt" lang="([^"]+)"/g)].map(([, language]) => language)).toEqual([
    'de',
    'en',
    'pt-BR',
  ])
  const texts = [...dash.matchAll(/<BaseURL>(captions\/[^<]+)<\/BaseURL>/g)].map(([, uri = '']) => uri)
  const spoken = await Promise.all(texts.map(async (uri) => (await get(new URL(uri, first.DASH).href)).body))
  expect(spoken.map((one: string) => one.trim().split('\n').at(-1))).toEqual(['Hallo', 'Hello', 'Olá'])

  await server.call('DELETE', path)
  for (const uri of ['storyboard.vtt', 'storyboard.json', 'thumbnail.jpg', tiles(second)[0]?.uri ?? ''])
    expectProblem(await get(new URL(uri, first.Storyboard).href), 'not_found')
  // A late job changes nothing.
  await hands.storyboard(ids)
})

test('leaves nothing of a storyboard that is superseded while being drawn', async () => {
  const ids = await hands.upload(projectId, await brightening(3, ...h264))
  await hands.finish(ids)
  const job = await hands.jobOf(ids)
  const { kysely } = server.services.database
  await kysely.updateTable('media_files').set({ generation: 2 }).where('id', '=', ids.fileId).execute()
  await kysely.updateTable('renditions').set({ generation: 2 }).where('file_id', '=', ids.fileId).execute()
  await kysely.updateTable('media_files').set({ storyboard: null }).where('id', '=', ids.fileId).execute()
  const before = await storedBytes(ids)
  await hands.storyboardJob(job)
  expect(await storedBytes(ids)).toBe(before)
  expect(await hands.rowOf(ids.fileId)).toMatchObject({ storyboard: null })
})

test('makes no storyboard for audio and returns 404 for its URLs', async () => {
  const bytes = await makeMedia(['-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', 'aac'])
  const ids = await hands.upload(projectId, bytes)
  await hands.finish(ids)
  await hands.storyboard(ids)
  const { Storyboard, HLS } = await playoutOf(ids)
  expect(Storyboard).toBeNull()
  for (const name of ['storyboard.vtt', 'storyboard.json'])
    expectProblem(await get(HLS.replace('main.m3u8', name)), 'not_found')
})

test('applies the release rules to storyboards and includes their images in signed links', async () => {
  const secured = await hands.newProject({ TokenSecurity: true })
  const ids = await hands.upload(secured, await brightening(3, ...h264))
  await hands.finish(ids)
  const { Storyboard } = await playoutOf(ids)
  const path = `/projects/${secured}/files/${ids.fileId}`
  const signed = (await server.call('POST', `${path}/playouts/sign`, { body: {} })).body
  const uris = (vtt: string, tile: string) => [
    vtt,
    vtt.replace('.vtt', '.json'),
    new URL(tile, vtt).href,
    new URL(tile.replace('.jpg', '/0.jpg'), vtt).href,
  ]
  const tile = tiles((await get(signed.Storyboard)).body)[0]?.uri ?? ''
  for (const uri of uris(Storyboard, tile)) expectProblem(await get(uri), 'forbidden')
  for (const uri of uris(signed.Storyboard, tile)) expect((await get(uri)).status).toBe(200)
  expect((await get(signed.Storyboard.replace('.vtt', '.json'))).body.url).toMatch(/\/s\/k[^/]+\/v\//)
  expect((await bytesOf(new URL(tile, signed.Storyboard).href)).length).toBeGreaterThan(100)
  for (const rest of ['2.jpg', '00.jpg', '-1.jpg', 'x.jpg', '99.jpg'])
    expectProblem(await get(new URL(tile.replace('.jpg', `/${rest}`), signed.Storyboard).href), 'not_found')

  await server.call('PUT', `${path}/metadata`, { body: { ReleaseStatus: 'unpublished' } })
  for (const uri of uris(signed.Storyboard, tile)) expectProblem(await get(uri), 'not_found')
  const { body } = await server.call('GET', `${path}/playouts`)
  for (const uri of uris(body.Playouts[0].Preview.Storyboard, tile)) expect((await get(uri)).status).toBe(200)
})
