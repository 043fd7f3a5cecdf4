import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type Answer, type TestServer } from '../../test/support/test-server.ts'
import { expectProblem } from '../platform/http/test-support/expect-problem.ts'
import { makeLiveStream } from '../playback/test-support/live-stream.ts'
import { makePlayableFile, type PlayableFile } from '../playback/test-support/playable-file.ts'
import { addUpReports } from './store/add-up-reports.ts'
import { analyticsHousekeeping } from './store/housekeeping.ts'
import { mostValues } from './store/limit-values.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    environment: { ZOETROPE_TRUST_PROXY: '127.0.0.1/32', ZOETROPE_ANALYTICS_PAGES: '1' },
  })
})
afterAll(() => server.stop())

/** The registries name a country for some addresses that are reserved for documentation. */
const addresses = { AU: '198.51.100.7', JP: '2001:db8::7', unknown: '192.0.2.7' }

const agents = {
  desktop: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  tablet:
    'Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  tv: 'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/7.0 TV Safari/537.36',
}

interface Watched {
  readonly file: Pick<PlayableFile, 'path'>
  readonly address?: string
  readonly agent?: string
  readonly query?: string
  readonly keys?: string
  readonly headers?: Record<string, string>
  readonly sid?: string
}

const post = (
  { file, address = addresses.AU, agent = agents.desktop, query = '', headers = {} }: Watched,
  body: string,
): Promise<Answer> =>
  request(`${server.url}${file.path}/cmcd${query}`, 'POST', {
    body,
    headers: {
      'content-type': 'application/cmcd',
      'user-agent': agent,
      'x-forwarded-for': address,
      ...headers,
    },
  })

/** One viewer plays for ten seconds and leaves. */
const watch = async (watched: Watched): Promise<void> => {
  const nowMs = Date.now()
  const { keys = '', sid = crypto.randomUUID() } = watched
  const states = [
    [-10_500, 's'],
    [-10_000, 'p'],
    [0, 'q'],
  ] as const
  const lines = states.map(
    ([at, sta], sn) => `e=ps,${keys}sid="${sid}",sn=${sn},sta=${sta},ts=${nowMs + at},v=2`,
  )
  expect((await post(watched, lines.join('\n'))).status).toBe(204)
}

const newFile = (project: object = {}): Promise<PlayableFile> => makePlayableFile(server, { project })

const read = async (path: string): Promise<Answer['body']> => (await server.call('GET', path)).body

const settle = (path: () => string, field: string, value: unknown): Promise<void> =>
  expect
    .poll(
      async () => {
        await addUpReports(server.services.database, { held: 0 })
        return (await read(path()))[field]
      },
      { interval: 100 },
    )
    .toEqual(value)

const ofProject = (file: PlayableFile, metric: string, query: string): string =>
  `/analytics/${metric}?projectId=${file.projectId}&${query}`

const values = async (file: PlayableFile, groupBy: string, metric = 'views') => {
  const { Buckets } = await read(ofProject(file, metric, `groupBy=${groupBy}`))
  return Object.fromEntries(Buckets.map(({ Key, Value }: { Key: string; Value: number }) => [Key, Value]))
}

const repeat = async (count: number, watched: Watched): Promise<void> => {
  for (let index = 0; index < count; index++) await watch(watched)
}

describe('views of known viewers', () => {
  test('are counted by every dimension, and the values add up to the total', async () => {
    const file = await newFile({ AnalyticsDimensions: ['campaign', 'tariff'] })
    await repeat(12, {
      file,
      keys: 'sf=h,',
      query: '?player=hls.js&page=/articles/5%3Fuser%3D7&data-campaign=spring&data-unnamed=1',
      headers: { origin: 'https://www.example.com' },
    })
    await repeat(11, {
      ...{ file, address: addresses.JP, agent: agents.phone, keys: 'sf=d,' },
      query: '?data-campaign=Fr%C3%BChling',
    })
    await repeat(10, { file, address: addresses.unknown, agent: agents.tv })
    await settle(() => ofProject(file, 'views', ''), 'Total', 33)
    await settle(() => ofProject(file, 'views', 'groupBy=country'), 'Total', 33)
    expect(await values(file, 'country')).toEqual({ AU: 12, JP: 11, unknown: 10 })
    expect(await values(file, 'device')).toEqual({ desktop: 12, phone: 11, tv: 10 })
    expect(await values(file, 'browser')).toMatchObject({ Firefox: 12, Safari: 11 })
    expect(await values(file, 'os')).toEqual({ Linux: 12, iOS: 11, Tizen: 10 })
    expect(await values(file, 'player')).toEqual({ 'hls.js': 12, unknown: 21 })
    expect(await values(file, 'format')).toEqual({ hls: 12, dash: 11, unknown: 10 })
    expect(await values(file, 'stream')).toEqual({ vod: 33 })
    expect(await values(file, 'site')).toEqual({ 'www.example.com': 12, direct: 21 })
    expect(await values(file, 'page')).toEqual({ 'www.example.com/articles/5': 12, unknown: 21 })
    expect(await values(file, 'data-campaign')).toEqual({ spring: 12, Frühling: 11, unknown: 10 })
    expect(await values(file, 'data-tariff')).toEqual({ unknown: 33 })
    expect(await values(file, 'data-unnamed')).toEqual({})
    expect(await values(file, 'country', 'watchtime')).toEqual({ AU: 120, JP: 110, unknown: 100 })
    expect(await values(file, 'device', 'startuptime')).toEqual({ desktop: 500, phone: 500, tv: 500 })
    const total = async (metric: string, query: string) => (await read(ofProject(file, metric, query))).Total
    expect(await total('views', 'country=JP')).toBe(11)
    expect(await total('watchtime', 'device=phone&interval=month')).toBe(110)
    expect(await total('views', 'data=campaign:Fr%C3%BChling')).toBe(11)
    expect(await total('views', 'page=www.example.com/articles/5&groupBy=project')).toBe(12)
    expect(await total('views', 'site=nowhere.example')).toBe(0)
  })

  test('of a live stream have its kind', async () => {
    const stream = await makeLiveStream(server)
    await watch({ file: { path: `/l/${stream.playoutId}` } })
    await settle(() => `/analytics/views?projectId=${stream.projectId}&groupBy=stream`, 'Buckets', [
      { Start: null, Key: 'live', Value: 1 },
    ])
  })

  test('have the dimensions of later reports that arrive before the view counts', async () => {
    const file = await newFile({ AnalyticsDimensions: ['campaign'] })
    const sid = crypto.randomUUID()
    const nowMs = Date.now()
    await post({ file }, `e=ps,sid="${sid}",sn=0,sta=s,ts=${nowMs - 500},v=2`)
    await addUpReports(server.services.database, { held: 0 })
    expect((await values(file, 'device', 'startuptime')).desktop).toBeUndefined()
    await post(
      { file, query: '?data-campaign=late' },
      `e=ps,sf=h,sid="${sid}",sn=1,sta=p,ts=${nowMs},v=2\ne=t,sid="${sid}",sn=2,sta=p,ts=${nowMs + 3_000},v=2`,
    )
    await settle(() => ofProject(file, 'views', 'groupBy=format'), 'Buckets', [
      { Start: null, Key: 'hls', Value: 1 },
    ])
    expect(await values(file, 'device', 'startuptime')).toEqual({ desktop: 500 })
    // What has counted does not move.
    await post(
      { file, query: '?data-campaign=later' },
      `e=ps,sid="${sid}",sn=3,sta=q,ts=${nowMs + 4_000},v=2`,
    )
    await settle(() => `/analytics/sessions?projectId=${file.projectId}`, 'TotalCount', 1)
    const [view] = (await read(`/analytics/sessions?projectId=${file.projectId}`)).Views
    expect(view).toMatchObject({ Data: { campaign: 'late' }, Format: 'hls', Country: 'AU' })
  })

  test('show their dimensions in their record, but neither viewer nor address', async () => {
    const file = await newFile({ AnalyticsDimensions: ['campaign'] })
    await watch({
      ...{ file, address: addresses.JP, agent: agents.tablet, query: '?player=hls.js&data-campaign=spring' },
      ...{ keys: 'sf=h,', headers: { referer: 'https://www.example.com/spring?user=7' } },
    })
    const path = `/analytics/sessions?projectId=${file.projectId}`
    await settle(() => path, 'TotalCount', 1)
    const answer = await read(path)
    expect(answer.Views[0]).toMatchObject({
      ...{ Country: 'JP', Device: 'tablet', Browser: 'Chrome', Os: 'Android', Player: 'hls.js' },
      ...{ Format: 'hls', Stream: 'vod', Site: 'www.example.com', Page: 'www.example.com/spring' },
      Data: { campaign: 'spring' },
    })
    const { rows } = await sessionRows(file)
    for (const text of [JSON.stringify(answer), rows]) {
      expect(text).not.toContain(addresses.JP)
      expect(text).not.toContain('Mozilla')
      expect(text).not.toContain('user=7')
    }
  })

  test('are counted when the name of their page is cut within a letter', async () => {
    const file = await makePlayableFile(server)
    const page = `/${'a'.repeat(198)}\u{1f600}`
    await watch({ file, query: `?page=${encodeURIComponent(page)}` })
    await settle(() => ofProject(file, 'views', ''), 'Total', 1)
  })

  test('name the site around the player of Zoetrope, and its page only if it says so', async () => {
    const file = await newFile()
    const own = { origin: server.url, referer: `${server.url}/embed/${file.playoutId}` }
    for (const page of ['https://www.example.com', 'https://www.example.com/spring', '/alone'])
      await watch({ file, headers: own, query: `?player=zoetrope&page=${encodeURIComponent(page)}` })
    await settle(() => `/analytics/sessions?projectId=${file.projectId}`, 'TotalCount', 3)
    const { Views } = await read(`/analytics/sessions?projectId=${file.projectId}&sort=asc`)
    expect(Views.map(({ Site, Page }: { Site: string; Page: string }) => [Site, Page])).toEqual([
      ['www.example.com', 'unknown'],
      ['www.example.com', 'www.example.com/spring'],
      ['direct', '/alone'],
    ])
  })

  test.each([{ dnt: '1' }, { 'sec-gpc': '1' }])('of browsers with %j have no dimensions', async (headers) => {
    const file = await newFile()
    await watch({ file, headers })
    await watch({ file, agent: agents.phone })
    await settle(() => ofProject(file, 'views', 'groupBy=device'), 'Buckets', [
      { Start: null, Key: 'phone', Value: 1 },
    ])
  })

  test('of bots and previews count in no dimension', async () => {
    const file = await newFile()
    await watch({ file, agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' })
    await settle(() => `/analytics/sessions?projectId=${file.projectId}&kind=bot`, 'TotalCount', 1)
    expect((await read(ofProject(file, 'views', 'groupBy=device'))).Total).toBe(0)
  })
})

/** All that is stored about the views of a project, as text. */
const sessionRows = async ({ projectId }: PlayableFile): Promise<{ readonly rows: string }> => {
  const { kysely } = server.services.database
  const views = await kysely.selectFrom('views').selectAll().where('project_id', '=', projectId).execute()
  const days = await kysely
    .selectFrom('view_dimension_days')
    .selectAll()
    .where('project_id', '=', projectId)
    .execute()
  return { rows: JSON.stringify([views, days]) }
}

describe('values with few views', () => {
  test('are added up as other, and the total stays', async () => {
    const file = await newFile()
    await repeat(10, { file })
    await repeat(3, { file, address: addresses.JP, agent: agents.phone })
    await settle(() => ofProject(file, 'views', 'groupBy=country'), 'Total', 13)
    expect(await values(file, 'country')).toEqual({ AU: 10, other: 3 })
    expect(await values(file, 'browser', 'watchtime')).toEqual({ Firefox: 100, other: 30 })
    expect(await values(file, 'country', 'startuptime')).toEqual({ AU: 500, other: 500 })
    // Few values, which do not point to a person.
    expect(await values(file, 'device')).toEqual({ desktop: 10, phone: 3 })
  })

  test('are hidden if a filter asks for them', async () => {
    const file = await newFile()
    await repeat(9, { file })
    await settle(() => ofProject(file, 'views', 'device=desktop'), 'Total', 9)
    const hidden = await read(ofProject(file, 'views', 'country=AU'))
    expect(hidden.Total).toBe(null)
    expect(new Set(hidden.Buckets.map(({ Value }: { Value: number | null }) => Value))).toEqual(
      new Set([0, null]),
    )
    await watch({ file })
    await settle(() => ofProject(file, 'views', 'country=AU'), 'Total', 10)
    expect((await read(ofProject(file, 'views', 'country=XX'))).Total).toBe(0)
  })
})

describe('forged values', () => {
  test('beyond 500 a day are added up as other', async () => {
    const file = await newFile({ AnalyticsDimensions: ['campaign'] })
    const { services } = server
    const nowMs = Date.now()
    const { account_id } = await services.database.kysely
      .selectFrom('media_files')
      .select('account_id')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow()
    for (let batch = 0; batch < 13; batch++) {
      const reports = Array.from({ length: 50 }, (_, index) => {
        const sid = crypto.randomUUID()
        return {
          ...{ playoutId: file.playoutId, sessionId: sid, arrivedAtMs: nowMs, kind: 'viewer' },
          ...{ viewer: 'a'.repeat(16), lengthMs: null, loads: [] },
          dimensions: { 'data-campaign': `value ${batch * 50 + index}`, device: 'desktop' },
          lines: ['p', 'q'].map((sta, sn) => ({
            ...{ sta, sn, ts: nowMs + sn * 5_000, playheadMs: null },
            ...{ startupMs: null, latencyMs: null, errorCode: null },
          })),
        }
      })
      await services.database.kysely
        .insertInto('view_reports')
        .values(
          reports.map((report) => ({
            ...{ account_id, project_id: file.projectId, file_id: file.id },
            report: JSON.stringify({ report }),
          })),
        )
        .execute()
      await addUpReports(services.database, { held: 0 })
    }
    const { rows } = await dimensionRows(file, 'data-campaign')
    expect(rows).toHaveLength(mostValues)
    expect(rows.find(({ value }) => value === 'other')?.views).toBe(650 - (mostValues - 1))
    expect(await values(file, 'device')).toEqual({ desktop: 650 })
    expect(await values(file, 'data-campaign')).toEqual({ other: 650 })
  })

  test('are cut, and lose characters that cannot be stored', async () => {
    const file = await newFile({ AnalyticsDimensions: ['campaign'] })
    const value = encodeURIComponent(`\0a\u202e\n${'b'.repeat(100)}`)
    await watch({
      file,
      query: `?player=${'p'.repeat(5_000)}&page=/${'x'.repeat(1_000)}&data-campaign=${value}`,
    })
    await watch({ file, query: '?data-campaign=%ED%A0%80%00&player=%00' })
    await settle(() => ofProject(file, 'views', ''), 'Total', 2)
    const { rows } = await dimensionRows(file)
    for (const { value: stored } of rows) expect(stored.length).toBeLessThanOrEqual(200)
    const stored = rows.filter(({ dimension }) => dimension === 'data-campaign').map((row) => row.value)
    expect(stored.some((one) => /^ab+$/.test(one) && one.length <= 64)).toBe(true)
  })
})

const dimensionRows = async ({ projectId }: PlayableFile, dimension?: string) => ({
  rows: await server.services.database.kysely
    .selectFrom('view_dimension_days')
    .select(['dimension', 'value', 'views'])
    .where('project_id', '=', projectId)
    .$if(dimension !== undefined, (rows) => rows.where('dimension', '=', dimension ?? ''))
    .execute(),
})

test('bytes are counted by country', async () => {
  const file = await newFile()
  const path = `${server.url}${file.path}/${file.renditionId}/0.m4s`
  for (const address of [addresses.AU, addresses.JP, addresses.JP])
    await request(path, 'GET', { headers: { 'x-forwarded-for': address } })
  await request(path, 'GET', { headers: { 'x-forwarded-for': addresses.JP, dnt: '1' } })
  const bytes = async () =>
    Object.fromEntries(
      (
        await server.services.database.kysely
          .selectFrom('view_dimension_days')
          .select(['value', 'bytes'])
          .where('project_id', '=', file.projectId)
          .where('dimension', '=', 'country')
          .execute()
      ).map((row) => [row.value, row.bytes]),
    )
  const length = file.segments[0]?.length ?? 0
  await settle(
    () => ofProject(file, 'bytes', ''),
    'Total',
    expect.toSatisfy((sum) => sum > 4 * length),
  )
  const { AU = 0, JP = 0, unknown = 0 } = await bytes()
  expect(AU).toBeGreaterThan(length)
  expect(JP).toBeGreaterThan(2 * length)
  expect(unknown).toBeGreaterThan(length)
  const { Total } = await read(ofProject(file, 'bytes', ''))
  expect(AU + JP + unknown).toBe(Total)
  // Without ten views, the countries are not shown.
  expect(await values(file, 'country', 'bytes')).toMatchObject({ unknown, other: AU + JP })
})

describe('questions about dimensions', () => {
  test.each([
    ['/analytics/views?groupBy=town', 'groupBy'],
    ['/analytics/views?groupBy=data-', 'groupBy'],
    ['/analytics/views?groupBy=country&device=phone', 'device'],
    ['/analytics/views?groupBy=country&country=DE', 'country'],
    ['/analytics/views?country=DE&device=phone', 'device'],
    ['/analytics/views?country=DE&data=campaign:a', 'data'],
    ['/analytics/views?data=campaign', 'data'],
    ['/analytics/views?groupBy=country&fileId=5', 'groupBy'],
    ['/analytics/views?country=DE&fileId=5', 'country'],
    ['/analytics/views?country=DE&groupBy=file', 'country'],
    ['/analytics/views?country=DE&interval=hour', 'interval'],
    ['/analytics/uniqueviewers?groupBy=country', 'groupBy'],
    ['/analytics/uniqueviewers?os=Linux', 'os'],
    ['/analytics/concurrentviewers?groupBy=data-campaign', 'groupBy'],
    ['/analytics/bytes?groupBy=device', 'groupBy'],
  ])('GET %s answers 400 and names %s', async (path, field) => {
    const answer = await server.call('GET', path)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.details[0].field).toBe(field)
  })

  test('are answered for the account and the projects of the key only', async () => {
    const [own, other] = [await newFile(), await newFile()]
    await watch({ file: own })
    await watch({ file: other, agent: agents.phone })
    for (const file of [own, other])
      await settle(() => ofProject(file, 'views', 'groupBy=device'), 'Total', 1)
    const apiKey = await server.newKey({ projectIds: [own.projectId] })
    const ask = async (query: string, key = apiKey) =>
      (await server.call('GET', `/analytics/views?${query}`, { apiKey: key })).body
    expect((await ask('groupBy=device')).Buckets).toEqual([{ Start: null, Key: 'desktop', Value: 1 }])
    expect((await ask('device=phone')).Total).toBe(0)
    expect((await ask(`device=phone&projectId=${other.projectId}`)).Total).toBe(0)
    const stranger = await server.newKey({ inNewAccount: true })
    expect((await ask('groupBy=device', stranger)).Buckets).toEqual([])
    const noRight = await server.newKey({ scopes: ['files:read'] })
    expectProblem(
      await server.call('GET', '/analytics/views?groupBy=country', { apiKey: noRight }),
      'forbidden',
    )
  })
})

test('sums by dimension are deleted after 400 days, and with their project', async () => {
  const { kysely } = server.services.database
  const [old, purged, kept] = [await newFile(), await newFile(), await newFile()]
  for (const file of [old, purged, kept]) {
    await watch({ file })
    await settle(() => ofProject(file, 'views', 'groupBy=device'), 'Total', 1)
  }
  await kysely
    .updateTable('view_dimension_days')
    .set({ day: '2020-01-01' })
    .where('project_id', '=', old.projectId)
    .execute()
  await kysely
    .updateTable('projects')
    .set({ deleted_at: new Date(), purged_at: new Date() })
    .where('id', '=', purged.projectId)
    .execute()
  for (const task of analyticsHousekeeping(server.workerDatabase, { analyticsViewDays: 30 })) await task()
  expect((await dimensionRows(old)).rows).toEqual([])
  expect((await dimensionRows(purged)).rows).toEqual([])
  expect((await dimensionRows(kept)).rows.length).toBeGreaterThan(0)
})
