import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { makeLiveStream } from '../playback/test-support/live-stream.ts'
import type { PlayableFile } from '../playback/test-support/playable-file.ts'
import { createScriptedViewers, type ScriptedViewers } from './test-support/scripted-viewers.ts'

let server: TestServer
let viewers: ScriptedViewers
beforeAll(async () => {
  server = await startTestServer()
  viewers = createScriptedViewers(server)
})
afterAll(() => server.stop())

/** A file with `h264 360p` (800 kbit/s) and `hevc 1080p` (4,000 kbit/s). */
const newFile = async (): Promise<PlayableFile> => {
  const file = await viewers.newFile()
  const { kysely } = server.services.database
  const { id: _id, ...row } = await kysely
    .selectFrom('renditions')
    .selectAll()
    .where('id', '=', file.renditionId)
    .executeTakeFirstOrThrow()
  await kysely
    .insertInto('renditions')
    .values({
      ...row,
      ...{ chunk_folders: null, name: 'large', codec: 'hvc1.1.6.L120.90', width_pixels: 1920 },
      ...{ height_pixels: 1080, peak_bits_per_second: 4_000_000, average_bits_per_second: 3_000_000 },
    })
    .execute()
  return file
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

type Step = readonly [atMs: number, state: string, keys?: string]

const report = async (path: string, steps: readonly Step[], userAgent = browser): Promise<void> => {
  const [sid, nowMs] = [crypto.randomUUID(), Date.now()]
  const body = steps.map(
    ([at, sta, keys = ''], sn) => `${keys}e=ps,sid="${sid}",sn=${sn},sta=${sta},ts=${nowMs + at},v=2`,
  )
  const answer = await request(`${server.url}${path}/cmcd`, 'POST', {
    body: body.join('\n'),
    headers: {
      'content-type': 'application/cmcd',
      'user-agent': userAgent,
    },
  })
  expect(answer.status).toBe(204)
}

const values = async (projectId: number, groupBy: string, metric: string) => {
  const { Buckets } = await viewers.read(`/analytics/${metric}?projectId=${projectId}&groupBy=${groupBy}`)
  return Object.fromEntries(Buckets.map(({ Key, Value }: { Key: string; Value: number }) => [Key, Value]))
}
const added = (projectId: number, views: number) =>
  viewers
    .settle(async () => (await viewers.read(`/analytics/views?projectId=${projectId}`)).Total)
    .toBe(views)
const recordsOf = async (projectId: number, count: number, kind = 'viewer') => {
  const path = `/analytics/sessions?projectId=${projectId}&kind=${kind}`
  await viewers.settle(async () => (await viewers.read(path)).TotalCount).toBe(count)
  return (await viewers.read(path)).Views as { Codec: string; Rendition: string }[]
}

test('figures count for the codec and rendition that played meanwhile, and the record has the longest', async () => {
  const file = await newFile()
  await report(file.path, [
    [-30_500, 's'],
    [-30_000, 'p', 'br=(800),'],
    [-20_000, 'p', 'br=(4000),'],
    [-2_000, 'r', 'br=(4000),'],
    [-1_000, 'p', 'br=(4000),'],
    [0, 'q'],
  ])
  await added(file.projectId, 1)
  const { projectId } = file
  expect(await values(projectId, 'rendition', 'watchtime')).toEqual({ '360p': 10, '1080p': 19 })
  expect(await values(projectId, 'codec', 'watchtime')).toEqual({ h264: 10, hevc: 19 })
  expect(await values(projectId, 'rendition', 'views')).toMatchObject({ '360p': 1 })
  expect(await values(projectId, 'rendition', 'startuptime')).toMatchObject({ '360p': 500 })
  expect(await values(projectId, 'rendition', 'rebuffering')).toMatchObject({ '1080p': 1 / 20 })
  const total = async (query: string) =>
    (await viewers.read(`/analytics/watchtime?projectId=${projectId}&${query}`)).Total
  expect(await total('rendition=1080p')).toBe(19)
  expect(await total('codec=h264')).toBe(10)
  expect(await recordsOf(projectId, 1)).toMatchObject([{ Codec: 'hevc', Rendition: '1080p' }])
  const breakdown = await viewers.read(`/analytics/breakdown?by=rendition&projectId=${projectId}`)
  // One view is too few to be shown by rendition.
  expect(breakdown.Groups).toEqual([])
})

test('players name their rendition with custom keys, and the file completes the codec', async () => {
  const file = await newFile()
  const watch = (keys: string) =>
    report(file.path, [
      [-11_000, 's', keys],
      [-10_000, 'p', keys],
      [0, 'q', keys],
    ])
  await watch('com.zoetrope-codec="av01.0.08M.08",com.zoetrope-height=720,')
  await watch('com.zoetrope-height=1080,')
  await watch('com.zoetrope-height=2160,')
  await watch('com.zoetrope-height=0,br=(12345),')
  const found = (await recordsOf(file.projectId, 4)).map(({ Codec, Rendition }) => `${Codec} ${Rendition}`)
  expect(found.toSorted()).toEqual(['av1 720p', 'hevc 1080p', 'unknown 2160p', 'unknown unknown'])
  const watched = await values(file.projectId, 'rendition', 'watchtime')
  expect(watched).toEqual({ '720p': 10, '1080p': 10, '2160p': 10, unknown: 10 })
})

test('players of live streams name theirs, and those that report no states have the one they load', async () => {
  const stream = await makeLiveStream(server)
  await report(`/l/${stream.playoutId}`, [
    [-11_000, 's'],
    [-10_000, 'p', 'com.zoetrope-codec="avc1.640028",com.zoetrope-height=720,'],
    [0, 'q'],
  ])
  await added(stream.projectId, 1)
  expect(await values(stream.projectId, 'rendition', 'watchtime')).toEqual({ '720p': 10 })

  const file = await newFile()
  const sid = crypto.randomUUID()
  const load = async (number: number) => {
    const keys = encodeURIComponent(`d=4000,ot=v,sid="${sid}"`)
    const url = `${server.url}${file.path}/${file.renditionId}/${number}.m4s?CMCD=${keys}`
    expect((await request(url, 'GET', { headers: { 'user-agent': browser } })).status).toBe(200)
  }
  await load(0)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  await load(1)
  await added(file.projectId, 1)
  expect(Object.keys(await values(file.projectId, 'codec', 'watchtime'))).toEqual(['h264'])
})

test('viewers of this moment are counted by country and rendition', async () => {
  const stream = await makeLiveStream(server)
  for (const keys of [
    'com.zoetrope-height=720,',
    'com.zoetrope-height=720,',
    'com.zoetrope-height=1080,',
    '',
  ])
    await report(`/l/${stream.playoutId}`, [
      [-5_000, 'p', keys],
      [0, 'p', keys],
    ])
  const now = () => viewers.read(`/analytics/realtime?projectId=${stream.projectId}`)
  await viewers.settle(async () => (await now()).Viewers).toBe(4)
  const { Countries, Renditions } = await now()
  expect(Countries).toEqual([{ Value: 'unknown', Viewers: 4 }])
  expect(Renditions).toEqual([
    { Value: '720p', Viewers: 2 },
    { Value: '1080p', Viewers: 1 },
    { Value: 'unknown', Viewers: 1 },
  ])
  const ofStream = (name: string) =>
    viewers.read(`/analytics/realtime?projectId=${stream.projectId}&stream=${name}`)
  expect(await ofStream('live')).toMatchObject({ Viewers: 4, Countries, Renditions, Minutes: [] })
  expect(await ofStream('vod')).toMatchObject({ Viewers: 0, Playouts: [], Countries: [], Renditions: [] })
  expect((await server.call('GET', '/analytics/realtime?stream=radio')).status).toBe(400)
})

test('bots count by rendition only as bots', async () => {
  const file = await newFile()
  const steps: Step[] = [
    [-10_000, 'p', 'br=(800),'],
    [0, 'q', 'br=(800),'],
  ]
  await report(file.path, steps, 'Googlebot/2.1 (+http://www.google.com/bot.html)')
  await recordsOf(file.projectId, 1, 'bot')
  const path = `/analytics/watchtime?projectId=${file.projectId}&groupBy=rendition`
  expect((await viewers.read(path)).Total).toBe(0)
})
