import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { expectProblem } from '../platform/http/test-support/expect-problem.ts'
import { makePlayableFile, type PlayableFile } from '../playback/test-support/playable-file.ts'
import { addUpReports } from './store/add-up-reports.ts'
import { linesOf, sendLines } from './test-support/simulated-viewer.ts'

let server: TestServer
let file: PlayableFile

const exportPath = '/analytics/sessions/export'

const textOf = async (query: string, apiKey = server.apiKey) => {
  const response = await fetch(`${server.url}/v3${exportPath}?${query}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  })
  return { response, text: await response.text() }
}

interface View {
  readonly Id: number
  readonly EndedAt: string
  readonly Site: string
}
const viewsIn = (text: string): View[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as View)

/** Adds ended views of a file, one each second up to now, with a site of this length. */
const addViews = async ({ id, projectId }: PlayableFile, count: number, siteLength = 10): Promise<void> => {
  await server.services.database.sql`
    insert into views (account_id, project_id, file_id, kind, source, started_at, ended_at, watch_ms, rebuffers, rebuffer_ms,
      has_started, has_failed, dimensions)
    select p.account_id, p.id, ${id}::bigint, 'viewer', 'reports', now() - n * interval '1 second' - interval '1 minute',
      now() - n * interval '1 second', 60000, 0, 0, true, false, jsonb_build_object('site', repeat('a', ${siteLength}::int))
    from projects p, generate_series(1, ${count}::int) n where p.id = ${projectId}`
}

beforeAll(async () => {
  server = await startTestServer()
  file = await makePlayableFile(server)
})
afterAll(() => server.stop())

describe('the export of views', () => {
  test('has each view of all pages once, the first to end first, as the list has them', async () => {
    const many = await makePlayableFile(server)
    await addViews(many, 2_500)
    // Several views may end in the same millisecond.
    await server.services.database.sql`
      update views set ended_at = date_trunc('hour', ended_at) + interval '1 minute' where file_id = ${many.id} and id % 2 = 0`
    const { response, text } = await textOf(`fileId=${many.id}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="views.ndjson"')
    const views = viewsIn(text)
    expect(views).toHaveLength(2_500)
    expect(new Set(views.map(({ Id }) => Id)).size).toBe(2_500)
    const sorted = views.toSorted(
      (one, other) => Date.parse(one.EndedAt) - Date.parse(other.EndedAt) || one.Id - other.Id,
    )
    expect(views).toEqual(sorted)
    const { body } = await server.call('GET', `/analytics/sessions?fileId=${many.id}&limit=500`)
    expect(body.TotalCount).toBe(2_500)
    const byId = new Map(views.map((view) => [view.Id, view]))
    for (const listed of body.Views) expect(byId.get(listed.Id)).toEqual(listed)
  })

  test('has views with all of the asked values only, and so has the list', async () => {
    const filtered = await makePlayableFile(server)
    const values: readonly Record<string, string>[] = [
      { country: 'DE', device: 'phone', site: 'www.example.com', 'data-campaign': 'spring: 1' },
      { country: 'DE', device: 'tv', page: 'www.example.com/a' },
      { country: 'FR', device: 'phone', site: 'www.example.com' },
      {},
    ]
    for (const dimensions of values)
      await server.services.database.sql`
        insert into views (account_id, project_id, file_id, kind, source, started_at, ended_at, watch_ms, rebuffers, rebuffer_ms,
          has_started, has_failed, dimensions)
        select account_id, id, ${filtered.id}::bigint, 'viewer', 'reports', now(), now(), 60000, 0, 0, true, false,
          ${JSON.stringify(dimensions)}::jsonb
        from projects where id = ${filtered.projectId}`
    for (const [query, count] of [
      ['country=DE', 2],
      ['country=DE&device=phone', 1],
      ['country=DE&device=phone&site=direct', 0],
      ['country=unknown', 1],
      ['site=direct', 2],
      ['page=www.example.com/a', 1],
      ['data=campaign:spring: 1', 1],
      ['data=campaign:summer', 0],
      ['browser=unknown&os=unknown&player=unknown&stream=unknown', 4],
    ] as const) {
      const asked = `fileId=${filtered.id}&${query}`
      expect((await server.call('GET', `/analytics/sessions?${asked}`)).body, query).toMatchObject({
        TotalCount: count,
      })
      expect(viewsIn((await textOf(asked)).text), query).toHaveLength(count)
    }
    for (const path of ['/analytics/sessions', exportPath])
      for (const query of ['data=campaign', 'data=x', 'country='])
        expect((await server.call('GET', `${path}?${query}`)).status, `${path} ${query}`).toBe(400)
  })

  test('is CSV with names of columns, and no text of a viewer becomes a formula', async () => {
    const view = { startupMs: 480, playedSeconds: 10, end: 'quit', bitRateKbps: 1_000 } as const
    const attack = '=HYPERLINK(x)+1,b'
    await sendLines(`${server.url}${file.path}/cmcd`, linesOf({ ...view, errorCode: attack }), {
      site: 'https://www.example.com',
    })
    await expect
      .poll(async () => {
        await addUpReports(server.services.database, { held: 0 })
        return (await server.call('GET', `/analytics/sessions?fileId=${file.id}`)).body.TotalCount
      })
      .toBe(1)
    const { body } = await server.call('GET', `/analytics/sessions?fileId=${file.id}`)
    const [listed] = body.Views
    expect(listed.ErrorCode).toBe(attack)
    const { response, text } = await textOf(`fileId=${file.id}&format=csv`)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="views.csv"')
    const [names = '', row = '', ...rest] = text.split('\r\n')
    expect(names.split(',')).toEqual(Object.keys(listed))
    expect(rest).toEqual([''])
    expect(row).toContain(`,"'${attack}",`)
    expect(row).toBe(
      Object.values(listed as Readonly<Record<string, string | number | boolean | object | null>>)
        .map((value) => {
          if (value === attack) return `"'${attack}"`
          return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
        })
        .join(','),
    )
  })

  test('without views is empty, in CSV with the names of the columns', async () => {
    const empty = await makePlayableFile(server)
    expect((await textOf(`fileId=${empty.id}`)).text).toBe('')
    expect((await textOf(`fileId=${empty.id}&format=csv`)).text).toMatch(/^Id,ProjectId,[^\n]*\r\n$/)
  })

  test('has the period, the files, the projects and the kinds of the list', async () => {
    const other = await makePlayableFile(server)
    await addViews(other, 3)
    await server.services.database
      .sql`update views set kind = 'bot' where file_id = ${other.id} and id % 3 = 0`
    const count = async (query: string): Promise<number> => viewsIn((await textOf(query)).text).length
    expect(await count(`projectId=${other.projectId}`)).toBe(2)
    expect(await count(`projectId=${other.projectId}&kind=bot,viewer`)).toBe(3)
    const before = encodeURIComponent(new Date(Date.now() - 2 * 86_400_000).toISOString())
    expect(await count(`fileId=${other.id}&to=${before}`)).toBe(0)
  })

  test('shows each key only what it may see, and needs the permission', async () => {
    const other = await makePlayableFile(server)
    await addViews(other, 2)
    const narrow = await server.newKey({ projectIds: [file.projectId] })
    expect((await textOf(`projectId=${other.projectId}`, narrow)).text).toBe('')
    const stranger = await server.newKey({ inNewAccount: true })
    expect((await textOf('', stranger)).text).toBe('')
    const unable = await server.newKey({ scopes: ['files:read'] })
    expectProblem(await server.call('GET', exportPath, { apiKey: unable }), 'forbidden')
    expectProblem(await request(`${server.url}/v3${exportPath}`, 'GET'), 'unauthorized')
  })

  test.each(['format=xml', 'kind=ghost', 'fileId=x', 'from=yesterday', 'from=2020-01-01T00:00:00Z'])(
    'answers 400 for %s',
    async (query) => {
      expectProblem(await server.call('GET', `${exportPath}?${query}`), 'invalid')
    },
  )

  test('answers HEAD with the headers alone', async () => {
    const response = await fetch(`${server.url}/v3${exportPath}?format=csv`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${server.apiKey}` },
    })
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  })
})

describe('a large export', () => {
  let large: PlayableFile
  beforeAll(async () => {
    large = await makePlayableFile(server)
    // About 60 MB, more than the buffers of a connection hold.
    await addViews(large, 60_000, 600)
  })

  const open = async (apiKey: string) => {
    const leaving = new AbortController()
    const { status, body } = await fetch(`${server.url}/v3${exportPath}?fileId=${large.id}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
      signal: leaving.signal,
    })
    expect(status).toBe(200)
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    return { reader, leave: () => leaving.abort() }
  }

  test('waits for its reader, is one of five for each key, and stops when the reader leaves', async () => {
    const apiKey = await server.newKey()
    const exports = await Promise.all(Array.from({ length: 5 }, () => open(apiKey)))
    // None of these exports ends, because no client reads them.
    await delay(2_000)
    const sixth = await server.call('GET', exportPath, { apiKey })
    expectProblem(sixth, 'rate_limited')
    expect(sixth.body.error.reason).toBe('too_many_exports')
    for (const { leave } of exports) leave()
    await expect.poll(async () => (await server.call('HEAD', exportPath, { apiKey })).status).toBe(200)
    await expect
      .poll(
        async () =>
          (
            await fetch(`${server.url}/v3${exportPath}?fileId=${file.id}`, {
              headers: { Authorization: `Bearer ${apiKey}` },
            })
          ).status,
      )
      .toBe(200)
  })

  test('breaks the connection when its key is revoked, so that it does not seem complete', async () => {
    const { body: key } = await server.call('POST', '/apikeys', {
      body: { Label: 'export', Scopes: ['analytics:read'] },
    })
    const { reader } = await open(key.Token)
    await server.call('DELETE', `/apikeys/${key.Id}`)
    const readAll = async (): Promise<void> => {
      for (;;) if ((await reader.read()).done) return
    }
    await expect(readAll()).rejects.toThrow()
  })

  test('breaks the connection when the server stops', async () => {
    const other = await startTestServer()
    const own = await makePlayableFile(other)
    await other.services.database.sql`
      insert into views (account_id, project_id, file_id, kind, source, started_at, ended_at, watch_ms, rebuffers, rebuffer_ms,
        has_started, has_failed, dimensions)
      select account_id, id, ${own.id}::bigint, 'viewer', 'reports', now(), now() - n * interval '1 ms', 0, 0, 0, true, false,
        jsonb_build_object('site', repeat('a', 600))
      from projects, generate_series(1, 60000) n where id = ${own.projectId}`
    const { body } = await fetch(`${other.url}/v3${exportPath}`, {
      headers: { Authorization: `Bearer ${other.apiKey}` },
    })
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    const stopped = other.stop()
    const readAll = async (): Promise<void> => {
      for (;;) if ((await reader.read()).done) return
    }
    await expect(readAll()).rejects.toThrow()
    await stopped
  })
})
