import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type Answer, type TestServer } from '../../test/support/test-server.ts'
import { expectProblem } from '../platform/http/test-support/expect-problem.ts'
import { makeLiveStream } from '../playback/test-support/live-stream.ts'
import { makePlayableFile, type PlayableFile } from '../playback/test-support/playable-file.ts'
import { analyticsHousekeeping } from './store/housekeeping.ts'
import { addUpReports, viewEndsAfterMs } from './store/add-up-reports.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_METRICS_TOKEN: 'of-the-monitoring' } })
})
afterAll(() => server.stop())

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  request(server.url + path, 'POST', {
    body,
    headers: { 'content-type': 'application/cmcd', 'user-agent': browser, ...headers },
  })

const newSession = (): string => crypto.randomUUID()

/** Lines of a session that began 35 seconds ago and played for 30 seconds, from the start of the file. */
const playedLines = (sid = newSession()): string => {
  const nowMs = Date.now()
  return [
    [-31_000, 's', 0],
    [-30_500, 'p', 0],
    [-20_500, 'p', 10_000],
    [-10_500, 'r', 20_000],
    [-10_000, 'p', 20_000],
    [0, 'a', 30_000],
  ]
    .map(([at, sta, pt], sn) => `e=ps,pt=${pt},sid="${sid}",sn=${sn},sta=${sta},ts=${nowMs + Number(at)},v=2`)
    .join('\n')
}

/** Repeats the run that an api process makes every three seconds, until the answer fits. */
const settle = (read: () => Promise<unknown>) =>
  expect.poll(
    async () => {
      await addUpReports(server.services.database, { held: 0 })
      return read()
    },
    { interval: 100 },
  )

const analyticsOf = (file: PlayableFile) => `/projects/${file.projectId}/files/${file.id}/analytics`
const read = async (path: string): Promise<Answer['body']> => (await server.call('GET', path)).body
const summary = (file: PlayableFile) => () => read(analyticsOf(file))
const total = async (metric: string, query: string): Promise<number | null> =>
  (await read(`/analytics/${metric}?${query}`)).Total

const newFile = async (options: Parameters<typeof makePlayableFile>[1] = {}): Promise<PlayableFile> => {
  const file = await makePlayableFile(server, options)
  await server.services.database.kysely
    .updateTable('media_files')
    .set({ properties: JSON.stringify({ Length: 100 }) })
    .where('id', '=', file.id)
    .execute()
  return file
}

const countDropped = async (reason: string): Promise<number> => {
  const { body } = await request(`${server.url}/metrics`, 'GET', { apiKey: 'of-the-monitoring' })
  const line = String(body).match(
    new RegExp(`^zoetrope_view_reports_dropped_total\\{reason="${reason}"\\} (\\d+)`, 'm'),
  )
  return Number(line?.[1] ?? 0)
}

describe('reports of players', () => {
  test('are counted in every figure of the file, the project and the site', async () => {
    const file = await newFile()
    const sites = { origin: 'https://www.example.com' }
    expect((await post(`${file.path}/cmcd`, playedLines(), sites)).status).toBe(204)
    expect((await post(`${file.path}/cmcd`, playedLines(), { 'content-type': 'text/plain' })).status).toBe(
      204,
    )
    await settle(summary(file)).toMatchObject({
      ...{ Views: 2, UniqueViewers: 1, WatchSeconds: 60, AverageViewSeconds: 30, StartupMs: 500 },
      ...{
        Rebuffers: 2,
        RebufferRatio: 1 / 61,
        Failures: 0,
        Errors: 0,
        Exits: 0,
        BotViews: 0,
        PreviewViews: 0,
      },
    })
    const ofProject = `projectId=${file.projectId}`
    expect(await total('views', ofProject)).toBe(2)
    expect(await total('watchtime', `${ofProject}&interval=hour&from=${dayAgo()}`)).toBe(60)
    expect(await total('uniqueviewers', `${ofProject}&groupBy=project`)).toBe(1)
    expect(await total('uniqueviewers', `fileId=${file.id}`)).toBe(1)
    expect(await total('concurrentviewers', `${ofProject}&from=${dayAgo()}`)).toBe(2)
    expect((await read(`/analytics/views?${ofProject}&groupBy=site`)).Buckets).toEqual([
      { Start: null, Key: 'direct', Value: 1 },
      { Start: null, Key: 'www.example.com', Value: 1 },
    ])
    expect((await read(`/analytics/startuptime?${ofProject}&groupBy=file`)).Buckets).toEqual([
      { Start: null, Key: String(file.id), Value: 500 },
    ])
    const { Parts } = await read(`${analyticsOf(file)}/retention`)
    expect(Parts).toHaveLength(100)
    expect([Parts[0], Parts[29], Parts[30]]).toMatchObject([
      { Start: 0, End: 1, Viewers: 2, Share: 1 },
      { Viewers: 2, Share: 1 },
      { Viewers: 0, Share: 0 },
    ])
    expect((await read(`${analyticsOf(file)}/heatmap`)).Parts[12]).toEqual({ Start: 12, End: 13, Plays: 2 })
    expect((await read(`${analyticsOf(file)}/hotspots`)).Hotspots).toEqual([{ Start: 0, End: 30, Plays: 2 }])
  })

  test('of one session in two requests, in the wrong order, are one view', async () => {
    const file = await newFile()
    const lines = playedLines().split('\n')
    await post(`${file.path}/cmcd`, lines.slice(3).join('\n'))
    await post(`${file.path}/cmcd`, lines.slice(0, 3).toReversed().join('\n'))
    await settle(summary(file)).toMatchObject({ Views: 1, WatchSeconds: 30, StartupMs: 500 })
    await post(`${file.path}/cmcd`, lines.join('\n'))
    const late = await countDropped('late')
    await settle(() => countDropped('late')).toBe(late + lines.length)
    expect(await summary(file)()).toMatchObject({ Views: 1, WatchSeconds: 30 })
  })

  test('with more watch time than has passed are dropped, and counted in /metrics', async () => {
    const file = await newFile()
    const impossible = await countDropped('impossible')
    const sid = newSession()
    const forged = Array.from(
      { length: 50 },
      (_, sn) => `e=t,sid="${sid}",sn=${sn},sta=p,ts=${1_764_000_000_000 + sn * 30_000},v=2`,
    )
    await post(`${file.path}/cmcd`, forged.join('\n'))
    await settle(() => countDropped('impossible')).toBe(impossible + 48)
    expect((await summary(file)()).WatchSeconds).toBe(30)
  })

  test('of bots and previews count apart', async () => {
    const file = await newFile()
    const { body } = await server.call('GET', `/projects/${file.projectId}/files/${file.id}`)
    const preview = String(body.Playouts[0].PreviewURI ?? '')
    const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
    await post(`${file.path}/cmcd`, playedLines(), { 'user-agent': bot })
    const token = server.services.tokens.issuePreview(file.playoutId, new Date(Date.now() + 60_000))
    await post(`/s/${token}${file.path}/cmcd`, playedLines())
    expect(preview).toBeTypeOf('string')
    await settle(summary(file)).toMatchObject({
      ...{ Views: 0, WatchSeconds: 0, UniqueViewers: 0, StartupMs: null, BotViews: 1, PreviewViews: 1 },
    })
  })

  test.each([
    ['DNT', { dnt: '1' }],
    ['Global Privacy Control', { 'sec-gpc': '1' }],
  ])('of browsers with %s are not kept', async (_name, headers) => {
    const file = await newFile()
    expect((await post(`${file.path}/cmcd`, playedLines(), headers)).status).toBe(204)
    await post(`${file.path}/cmcd`, playedLines())
    await settle(summary(file)).toMatchObject({ Views: 1 })
  })

  test('belong to the playout: unknown, unpublished and protected ones refuse them', async () => {
    const unknown = `/v/${crypto.randomUUID()}/cmcd`
    expectProblem(await post(unknown, playedLines()), 'not_found')
    expectProblem(await post(`/l/${crypto.randomUUID()}/cmcd`, playedLines()), 'not_found')
    const hidden = await newFile({ metadata: { ReleaseStatus: 'unpublished' } })
    expectProblem(await post(`${hidden.path}/cmcd`, playedLines()), 'not_found')
    const file = await newFile({ project: { TokenSecurity: true } })
    expectProblem(await post(`${file.path}/cmcd`, playedLines()), 'forbidden')
    const token = server.services.tokens.issueViewer(file.playoutId, new Date(Date.now() + 60_000))
    expect((await post(`/s/${token}${file.path}/cmcd`, playedLines())).status).toBe(204)
    const other = await newFile({ project: { TokenSecurity: true } })
    expectProblem(await post(`/s/${token}${other.path}/cmcd`, playedLines()), 'forbidden')
  })

  test('come only from the sites that the project allows', async () => {
    const file = await newFile({ project: { AllowedDomains: ['good.example'] } })
    const from = (origin: string) => post(`${file.path}/cmcd`, playedLines(), { origin })
    expectProblem(await from('https://evil.example'), 'forbidden')
    expect((await from('https://good.example')).status).toBe(204)
  })

  test('are refused when no line can be read, or when they are too long', async () => {
    const { path } = await newFile()
    for (const body of ['', 'hello', '{"Session":"aaaaaaaa"}', 'e=t,ts=1'])
      expectProblem(await post(`${path}/cmcd`, body), 'invalid')
    expectProblem(await post(`${path}/cmcd`, 'a'.repeat(8_193)), 'too_large')
  })

  test('of more than two a second in one session are limited with 429', async () => {
    const { path } = await newFile()
    const sid = newSession()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => post(`${path}/cmcd`, playedLines(sid))),
    )
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited.length).toBeGreaterThanOrEqual(5)
    if (limited[0] !== undefined) expectProblem(limited[0], 'rate_limited')
    expect(limited[0]?.headers.get('retry-after')).toBe('5')
  })

  test('may be sent from every page, in header form too', async () => {
    const { path } = await newFile()
    const preflight = await request(`${server.url}${path}/cmcd`, 'OPTIONS', {
      headers: { origin: 'https://www.example.com', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    expect(preflight.headers.get('access-control-max-age')).toBe('86400')
    for (const name of ['content-type', 'cmcd-object', 'cmcd-request', 'cmcd-session', 'cmcd-status'])
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(name)
    expect((await post(`${path}/cmcd`, playedLines())).headers.get('access-control-allow-origin')).toBe('*')
  })
})

const dayAgo = (): string => encodeURIComponent(new Date(Date.now() - 86_400_000).toISOString())

describe('requests for media', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(server.url + path, 'GET', { headers: { 'user-agent': browser, ...headers } })

  test('with CMCD have the same content and ETag, and count as loads', async () => {
    const file = await newFile()
    const path = `${file.path}/${file.renditionId}/0.m4s`
    const sid = newSession()
    const plain = await get(path)
    const query = await get(`${path}?CMCD=${encodeURIComponent(`d=4000,ot=v,sid="${sid}"`)}`)
    const header = await get(path, { 'cmcd-object': 'd=4000,ot=v', 'cmcd-session': `sid="${sid}"` })
    for (const answer of [query, header])
      expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([
        ...[200, plain.body, plain.headers.get('etag')],
      ])
    await settle(async () => {
      const { rows } = await openViews(file)
      return rows.map(({ state }) => state.loadedVideoMs)
    }).toEqual([8_000])
  })

  test('are counted in bytes', async () => {
    const file = await newFile()
    const bodies = file.segments.reduce((sum, { length }) => sum + length, 0)
    for (const index of file.segments.keys()) await get(`${file.path}/${file.renditionId}/${index}.m4s`)
    await get(`${file.path}/${file.renditionId}/99.m4s`)
    const bytes = async () => (await summary(file)()).Bytes
    await settle(bytes).toBeGreaterThanOrEqual(bodies)
    expect(await bytes()).toBeLessThan(bodies + 3 * 1_000)
    expect(await total('bytes', `projectId=${file.projectId}`)).toBe(await bytes())
  })
})

const openViews = async (file: { readonly projectId: number }) => ({
  rows: (await server.services.database.kysely
    .selectFrom('open_views')
    .select(['state', 'seen_at'])
    .where('project_id', '=', file.projectId)
    .execute()) as { state: { loadedVideoMs: number }; seen_at: Date }[],
})

describe('views', () => {
  test('are listed once they have ended', async () => {
    const file = await newFile()
    const sid = newSession()
    await post(`${file.path}/cmcd`, playedLines(sid), { origin: 'https://www.example.com' })
    await settle(summary(file)).toMatchObject({ Views: 1 })
    const list = `/analytics/sessions?fileId=${file.id}`
    expect((await read(list)).Views).toEqual([])
    await post(`${file.path}/cmcd`, `e=ps,sid="${sid}",sn=9,sta=q,ts=${Date.now()},v=2`)
    await settle(() => read(list)).toMatchObject({
      TotalCount: 1,
      Views: [
        {
          ...{
            ProjectId: file.projectId,
            FileId: file.id,
            Kind: 'viewer',
            Source: 'reports',
            WatchSeconds: 30,
          },
          ...{ StartupMs: 500, Rebuffers: 1, RebufferMs: 500, HasStarted: true, HasFailed: false },
          ...{ ErrorCode: null, Site: 'www.example.com' },
        },
      ],
    })
  })

  test('end ten minutes after their last report, and count an exit before the first frame', async () => {
    const file = await newFile()
    const sid = newSession()
    const nowMs = Date.now()
    await post(`${file.path}/cmcd`, `sid="${sid}",sta=s,ts=${nowMs}\nsid="${sid}",sta=s,ts=${nowMs + 4_000}`)
    await settle(async () => (await openViews(file)).rows.length).toBe(1)
    await addUpReports(server.services.database, { nowMs: Date.now() + viewEndsAfterMs - 5_000 })
    expect((await openViews(file)).rows).toHaveLength(1)
    await addUpReports(server.services.database, { nowMs: Date.now() + viewEndsAfterMs + 5_000 })
    expect((await openViews(file)).rows).toHaveLength(0)
    expect(await summary(file)()).toMatchObject({ Views: 0, Exits: 1 })
  })

  test('of this moment are those that reported within 45 seconds', async () => {
    const stream = await makeLiveStream(server)
    const lines = (sta: string) => `ltc=2500,sid="${newSession()}",sn=1,sta=${sta},ts=${Date.now()}`
    for (const sta of ['p', 'p', 'r', 'a'])
      expect((await post(`/l/${stream.playoutId}/cmcd`, lines(sta))).status).toBe(204)
    const now = `/analytics/realtime?projectId=${stream.projectId}`
    await settle(() => read(now)).toMatchObject({
      Viewers: 3,
      Playouts: [{ ProjectId: stream.projectId, FileId: null, Viewers: 3 }],
    })
    const { Minutes } = await read(now)
    expect(Minutes).toHaveLength(60)
    expect(Minutes.reduce((sum: number, { Viewers }: { Viewers: number }) => sum + Viewers, 0)).toBe(2)
    expect(await total('livelatency', `projectId=${stream.projectId}`)).toBe(2_500)
    await server.services.database.kysely
      .updateTable('open_views')
      .set({ seen_at: new Date(Date.now() - 46_000) })
      .where('project_id', '=', stream.projectId)
      .execute()
    expect((await read(now)).Viewers).toBe(0)
  })
})

test('runs of two api processes at a time add each report once', async () => {
  const file = await newFile()
  for (let count = 0; count < 10; count++) await post(`${file.path}/cmcd`, playedLines())
  const both = await server.servicesOf('api')
  await expect
    .poll(
      async () => {
        await Promise.all([
          addUpReports(both.database, { held: 0 }),
          addUpReports(server.services.database, { held: 0 }),
        ])
        return (await summary(file)()).Views
      },
      { interval: 50 },
    )
    .toBe(10)
  expect((await summary(file)()).WatchSeconds).toBe(300)
})

describe('housekeeping', () => {
  const keepHouse = async () => {
    for (const task of analyticsHousekeeping(server.workerDatabase, { analyticsViewDays: 30 })) await task()
  }
  const endView = async (file: PlayableFile) => {
    const sid = newSession()
    await post(`${file.path}/cmcd`, `${playedLines(sid)}\ne=ps,sid="${sid}",sn=9,sta=q,ts=${Date.now()}`)
    await settle(() => total('views', `fileId=${file.id}`)).toBe(1)
  }
  const sketches = async (file: PlayableFile) =>
    (
      await server.services.database.kysely
        .selectFrom('file_viewer_days')
        .select(['viewers', 'sketch'])
        .where('file_id', '=', file.id)
        .execute()
    ).map(({ viewers, sketch }) => ({ viewers, hasSketch: sketch !== null }))

  test('deletes the salt and the hashes of a day that is over, but keeps its number', async () => {
    const { kysely } = server.services.database
    const file = await newFile()
    await endView(file)
    await keepHouse()
    expect(await sketches(file)).toEqual([{ viewers: 1, hasSketch: true }])
    await kysely.updateTable('file_viewer_days').set({ day: '2026-01-01' }).execute()
    await kysely
      .insertInto('viewer_salts')
      .values({ day: '2026-01-01', salt: Buffer.from('old') })
      .execute()
    await keepHouse()
    expect(await sketches(file)).toEqual([{ viewers: 1, hasSketch: false }])
    const salts = await kysely.selectFrom('viewer_salts').selectAll().execute()
    expect(salts).toHaveLength(1)
    expect(salts[0]?.salt.toString()).not.toBe('old')
  })

  test('deletes views after 30 days and sums after 400', async () => {
    const { kysely } = server.services.database
    const file = await newFile()
    await endView(file)
    const views = async () =>
      (await read(`/analytics/sessions?fileId=${file.id}&from=${monthsAgo()}`)).Views.length
    await kysely
      .updateTable('views')
      .set({ ended_at: new Date(Date.now() - 29 * 86_400_000) })
      .where('file_id', '=', file.id)
      .execute()
    await keepHouse()
    expect(await views()).toBe(1)
    await kysely
      .updateTable('views')
      .set({ ended_at: new Date(Date.now() - 31 * 86_400_000) })
      .where('file_id', '=', file.id)
      .execute()
    await kysely
      .updateTable('file_view_days')
      .set({ day: '2020-01-01' })
      .where('file_id', '=', file.id)
      .execute()
    await keepHouse()
    expect(await views()).toBe(0)
    const left = kysely.selectFrom('file_view_days').select('day').where('file_id', '=', file.id)
    expect(await left.execute()).toEqual([])
  })

  test('the figures of a file are deleted with it, those of a project when it is purged', async () => {
    const { kysely } = server.services.database
    const file = await newFile()
    await endView(file)
    await kysely.deleteFrom('media_files').where('id', '=', file.id).execute()
    for (const table of ['views', 'file_view_days', 'file_viewer_days', 'file_heat_days'] as const)
      expect(
        await kysely.selectFrom(table).select('file_id').where('file_id', '=', file.id).execute(),
      ).toEqual([])
    expect(await total('views', `projectId=${file.projectId}`)).toBe(1)
    await kysely
      .updateTable('projects')
      .set({ deleted_at: new Date(), purged_at: new Date() })
      .where('id', '=', file.projectId)
      .execute()
    await keepHouse()
    expect(await total('views', `projectId=${file.projectId}`)).toBe(0)
    expect(await total('uniqueviewers', `projectId=${file.projectId}`)).toBe(0)
  })

  test('reports of a file that is purged before they are added are dropped', async () => {
    const file = await newFile()
    const other = await newFile()
    await post(`${file.path}/cmcd`, playedLines())
    await server.services.database.kysely.deleteFrom('media_files').where('id', '=', file.id).execute()
    await post(`${other.path}/cmcd`, playedLines())
    await settle(summary(other)).toMatchObject({ Views: 1 })
  })
})

const monthsAgo = (): string => encodeURIComponent(new Date(Date.now() - 60 * 86_400_000).toISOString())

describe('questions', () => {
  test.each([
    ['/analytics/nonsense', 'invalid'],
    ['/analytics/views?from=yesterday', 'invalid'],
    ['/analytics/views?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', 'invalid'],
    ['/analytics/views?from=2020-03-02T00:00:00Z', 'invalid'],
    ['/analytics/views?interval=hour&from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'invalid'],
    ['/analytics/views?interval=hour&fileId=5', 'invalid'],
    ['/analytics/views?groupBy=site&fileId=5', 'invalid'],
    ['/analytics/uniqueviewers?groupBy=site', 'invalid'],
    ['/analytics/concurrentviewers?fileId=5', 'invalid'],
    ['/analytics/views?groupBy=file&limit=501', 'invalid'],
    ['/analytics/sessions?kind=ghost', 'invalid'],
    ['/projects/999999/files/999999/analytics', 'not_found'],
    ['/projects/999999/files/999999/analytics/retention', 'not_found'],
    ['/projects/999999/files/999999/analytics/heatmap', 'not_found'],
    ['/projects/999999/files/999999/analytics/hotspots', 'not_found'],
  ] as const)('GET %s answers %s', async (path, problem) => {
    expectProblem(await server.call('GET', path), problem)
  })

  test('have one bucket for each day or month, also where nothing was measured', async () => {
    const { Buckets, From, To, Total } = await read(
      '/analytics/views?from=2026-02-27T13:30:00Z&to=2026-03-02T00:00:00Z',
    )
    expect([From, To, Total]).toEqual([
      ...['2026-02-27T13:00:00.000+00:00', '2026-03-02T00:00:00.000+00:00', 0],
    ])
    expect(
      Buckets.map(({ Start, Value }: { Start: string; Value: number }) => [Start.slice(0, 10), Value]),
    ).toEqual([
      ...[
        ['2026-02-27', 0],
        ['2026-02-28', 0],
        ['2026-03-01', 0],
      ],
    ])
    const months = await read(
      '/analytics/startuptime?interval=month&from=2026-01-15T00:00:00Z&to=2026-03-15T00:00:00Z',
    )
    expect(months.Buckets.map(({ Value }: { Value: null }) => Value)).toEqual([null, null, null])
  })

  test('show a restricted key only its own projects', async () => {
    const [own, other] = [await newFile(), await newFile()]
    for (const file of [own, other]) await post(`${file.path}/cmcd`, playedLines())
    await settle(async () => [(await summary(own)()).Views, (await summary(other)()).Views]).toEqual([1, 1])
    const apiKey = await server.newKey({ projectIds: [own.projectId] })
    const ask = async (path: string) => (await server.call('GET', path, { apiKey })).body
    expect((await ask('/analytics/views')).Total).toBe(1)
    expect((await ask(`/analytics/views?projectId=${other.projectId}`)).Total).toBe(0)
    expect((await ask('/analytics/uniqueviewers?groupBy=file')).Buckets).toHaveLength(1)
    expect((await ask('/analytics/realtime')).Playouts.length).toBeLessThanOrEqual(1)
    const stranger = await server.newKey({ inNewAccount: true })
    expect((await server.call('GET', '/analytics/views', { apiKey: stranger })).body.Total).toBe(0)
    expectProblem(
      await server.call('GET', '/analytics/views', {
        apiKey: await server.newKey({ scopes: ['files:read'] }),
      }),
      'forbidden',
    )
  })
})
