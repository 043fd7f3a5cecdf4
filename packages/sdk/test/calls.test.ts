import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '../../../server/test/support/test-server.ts'
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  metaOf,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  StaleRecordError,
  TimeoutError,
  Zoetrope,
} from '../src/index.ts'
import { startFaultyProxy, type Fault } from './faulty-proxy.ts'

let server: TestServer
let zoetrope: Zoetrope

beforeAll(async () => {
  server = await startTestServer()
  zoetrope = new Zoetrope({ baseUrl: server.url, apiKey: server.apiKey })
})

afterAll(() => server.stop())

const throughProxy = async <T>(
  faultOf: Parameters<typeof startFaultyProxy>[1],
  work: (client: Zoetrope, proxy: Awaited<ReturnType<typeof startFaultyProxy>>) => Promise<T>,
): Promise<T> => {
  const proxy = await startFaultyProxy(server.url, faultOf)
  try {
    return await work(new Zoetrope({ baseUrl: proxy.url, apiKey: server.apiKey }), proxy)
  } finally {
    await proxy.stop()
  }
}

const failing =
  (times: number, fault: Fault) =>
  ({ count }: { count: number }): Fault =>
    count <= times ? fault : 'none'

test('the client creates, reads, changes and deletes a record', async () => {
  const created = await zoetrope.projects.create({ Name: 'Life' })
  expect(metaOf(created)).toMatchObject({ status: 201, requestId: expect.any(String) })
  expect(await zoetrope.projects.get(created.Id)).toEqual(created)
  expect((await zoetrope.projects.update(created.Id, { Description: 'Changed' })).Description).toBe('Changed')
  expect(await zoetrope.projects.delete(created.Id)).toMatchObject({ Id: created.Id, IsEnabled: false })
  await expect(zoetrope.projects.get(created.Id)).rejects.toThrow(NotFoundError)
})

test('an awaited list returns one page, an iterated list every record once', async () => {
  const { Id } = await zoetrope.projects.create({ Name: 'Many' })
  for (let index = 0; index < 7; index += 1) await zoetrope.files.create(Id, { FileName: `${index}.mp4` })
  const page = await zoetrope.files.list(Id, { limit: 3 })
  expect(page).toMatchObject({ TotalCount: 7, Limit: 3 })
  expect(page.Files).toHaveLength(3)
  const walked: number[] = []
  for await (const file of zoetrope.files.list(Id, { limit: 3, offset: 1 })) walked.push(file.Id)
  const { Files } = await zoetrope.files.list(Id)
  expect(walked).toEqual(Files.slice(1).map((file) => file.Id))
})

test('the export of views yields records, or bytes of CSV', async () => {
  const { Id } = await zoetrope.projects.create({ Name: 'Watched' })
  await server.services.database.sql`
    insert into views (account_id, project_id, kind, source, started_at, ended_at, watch_ms, rebuffers, rebuffer_ms, has_started,
      has_failed, dimensions)
    select account_id, id, 'viewer', 'reports', now(), now() - n * interval '1 minute', 5000, 0, 0, true, false, '{}'
    from projects, generate_series(1, 3) n where id = ${Id}`
  const walked: number[] = []
  for await (const view of zoetrope.analytics.streamViews({ projectId: Id })) walked.push(view.WatchSeconds)
  expect(walked).toEqual([5, 5, 5])
  const body = await zoetrope.analytics.exportViews({ projectId: Id, format: 'csv' })
  const text = await new Response(body).text()
  expect(text.split('\r\n')).toHaveLength(5)
  expect(text).toMatch(/^Id,ProjectId,/)
  await expect(zoetrope.analytics.exportViews({ format: 'xml' as 'csv' })).rejects.toThrow(
    InvalidRequestError,
  )
})

test('listAll finds files of all projects by ExternalId and custom metadata', async () => {
  const { Id } = await zoetrope.projects.create({ Name: 'Found' })
  const made = await zoetrope.files.create(Id, {
    FileName: 'a.mp4',
    ExternalId: 'sdk-1',
    Metadata: { CustomMetadata: { season: 4 } },
  })
  const idsOf = async (query: Parameters<typeof zoetrope.files.listAll>[0]) =>
    (await zoetrope.files.listAll(query)).Files.map((file) => file.Id)
  expect(await idsOf({ externalId: 'sdk-1' })).toEqual([made.Id])
  expect(await idsOf({ customMetadata: { season: '4' } })).toEqual([made.Id])
  expect(await idsOf({ customMetadata: { season: '5' } })).toEqual([])
})

test('each API error has its own class, with a message and the request id', async () => {
  const other = (apiKey: string) => new Zoetrope({ baseUrl: server.url, apiKey })
  await expect(other('nonsense').projects.list()).rejects.toThrow(AuthenticationError)
  const reader = other(await server.newKey({ role: 'Reader' }))
  await expect(reader.projects.create({ Name: 'a' })).rejects.toThrow(PermissionError)
  await expect(zoetrope.projects.create({ Name: '' })).rejects.toThrow(InvalidRequestError)
  const error = (await zoetrope.projects.get(999_999).catch((cause: unknown) => cause)) as NotFoundError
  expect(error).toBeInstanceOf(NotFoundError)
  expect(error).toMatchObject({ status: 404, type: 'not_found', message: 'Project 999999 does not exist.' })
  expect(error.requestId).toMatch(/./)
  const project = await zoetrope.projects.create({ Name: 'Full' })
  await zoetrope.files.create(project.Id, { FileName: 'a.mp4' })
  await expect(zoetrope.projects.delete(project.Id)).rejects.toThrow(ConflictError)
})

test('a change of an old version throws StaleRecordError', async () => {
  const before = await zoetrope.projects.create({ Name: 'Versions' })
  await zoetrope.projects.update(before.Id, { Name: 'Newer' })
  const ifMatch = metaOf(before)?.etag ?? ''
  await expect(zoetrope.projects.update(before.Id, { Name: 'Mine' }, { ifMatch })).rejects.toThrow(
    StaleRecordError,
  )
})

test.each<[string, Fault]>([
  ['a lost connection', { cutAfterBytes: 0 }],
  ['503', { status: 503 }],
  ['429 with Retry-After', { status: 429, headers: { 'Retry-After': '1' } }],
])('the client retries after %s', async (_name, fault) => {
  await throughProxy(failing(2, fault), async (client, proxy) => {
    expect((await client.projects.create({ Name: 'Again' })).Name).toBe('Again')
    expect(proxy.requests).toHaveLength(3)
    expect(new Set(proxy.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })
})

test('a POST whose response was lost is executed once', async () => {
  const { TotalCount } = await zoetrope.projects.list()
  const created = await throughProxy(failing(1, 'lose answer'), (client) =>
    client.projects.create({ Name: 'Only once' }),
  )
  const after = await zoetrope.projects.list()
  expect(after.TotalCount).toBe(TotalCount + 1)
  expect(after.Projects[0]?.Id).toBe(created.Id)
})

test('retries end with the last error', async () => {
  await throughProxy(
    () => ({ status: 503 }),
    async (client, proxy) => {
      await expect(client.projects.list(undefined, { maxRetries: 1 })).rejects.toThrow(ServerError)
      expect(proxy.requests).toHaveLength(2)
    },
  )
  await throughProxy(
    () => ({ status: 429, headers: { 'Retry-After': '3600' } }),
    async (client, proxy) => {
      await expect(client.projects.list()).rejects.toThrow(RateLimitError)
      expect(proxy.requests).toHaveLength(1)
    },
  )
  const nobody = new Zoetrope({ baseUrl: 'http://127.0.0.1:1', apiKey: 'a', maxRetries: 0 })
  await expect(nobody.projects.list()).rejects.toThrow(ConnectionError)
})

test('a DELETE whose response was lost is not retried, because the retry would return 404', async () => {
  const { Id } = await zoetrope.projects.create({ Name: 'Deleted' })
  await throughProxy(
    () => 'lose answer',
    async (client, proxy) => {
      await expect(client.projects.delete(Id)).rejects.toThrow(ConnectionError)
      expect(proxy.requests).toHaveLength(1)
    },
  )
})

test('only requests that are safe to repeat are sent again after 504 of a proxy', async () => {
  const { Id } = await zoetrope.projects.create({ Name: 'Behind a proxy' })
  const etag = metaOf(await zoetrope.projects.get(Id))!.etag!
  await throughProxy(failing(1, { status: 504 }), async (client, proxy) => {
    await expect(client.projects.delete(Id)).rejects.toThrow(ServerError)
    expect(proxy.requests).toHaveLength(1)
  })
  await throughProxy(failing(1, { status: 504 }), (client) =>
    expect(client.projects.update(Id, { Name: 'New' }, { ifMatch: etag })).rejects.toThrow(ServerError),
  )
  await throughProxy(failing(1, { status: 504 }), async (client) => {
    expect(await client.projects.get(Id)).toMatchObject({ Name: 'Behind a proxy' })
  })
})

test('a POST whose first attempt still runs waits for its response', async () => {
  const body = JSON.stringify({ error: { code: 409, reason: 'idempotent_request_in_progress' } })
  await throughProxy(failing(1, { status: 409, headers: { 'Retry-After': '0' }, body }), async (client) => {
    expect(await client.projects.create({ Name: 'Slow' })).toMatchObject({ Name: 'Slow' })
  })
})

test('a clip that is still being made is not requested again', async () => {
  const body = JSON.stringify({ error: { code: 503, reason: 'clip_in_progress' } })
  await throughProxy(
    () => ({ status: 503, body }),
    async (client, proxy) => {
      const { Id } = await zoetrope.projects.create({ Name: 'Live' })
      await expect(client.live.clip(Id, { Duration: 5 })).rejects.toThrow(ServerError)
      expect(proxy.requests).toHaveLength(1)
    },
  )
})

test('an event stream that breaks before its first event misses none', async () => {
  await throughProxy(
    ({ count }) => (count === 2 ? { status: 503 } : 'none'),
    async (client, proxy) => {
      const stream = client.events.stream({ event: 'playlist.*,project.new' })
      const first = stream.next()
      await expect.poll(() => proxy.requests[0]?.sentBytes).toBeGreaterThan(0)
      proxy.cut()
      const { Id } = await zoetrope.projects.create({ Name: 'Meanwhile' })
      expect((await first).value).toMatchObject({ Event: 'project.new', ProjectId: Id })
      expect(proxy.requests.length).toBeGreaterThan(2)
      await stream.return(undefined)
    },
  )
})

test('event and audit streams that have become silent are opened again', async () => {
  await zoetrope.projects.create({ Name: 'Silent' })
  // Not fake timers: the server runs in this process, too.
  const setTimer = globalThis.setTimeout
  const silences = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((run: () => void, delayMs?: number) =>
      setTimer(run, delayMs === 60_000 ? 500 : delayMs)) as typeof setTimeout)
  try {
    for (const streamOf of [
      (client: Zoetrope) => client.events.stream({ after: 0 }),
      (client: Zoetrope) => client.audit.stream({ follow: true }),
    ])
      await throughProxy(failing(1, 'stay silent'), async (client, proxy) => {
        const stream = streamOf(client)
        expect((await stream.next()).done).toBe(false)
        expect(proxy.requests).toHaveLength(2)
        await stream.return(undefined)
      })
  } finally {
    silences.mockRestore()
  }
})

test('the audit log streams from its oldest entry and continues after a failed request without repeats', async () => {
  const { Id } = await zoetrope.categories.create({ Label: 'Audited' })
  const idsOf = async (client: Zoetrope, count: number): Promise<number[]> => {
    const ids: number[] = []
    for await (const entry of client.audit.stream({ follow: true, subject: 'Category' })) {
      ids.push(entry.Id)
      if (ids.length === 1) await zoetrope.categories.update(Id, { Label: 'Audited again' })
      if (ids.length === count) break
    }
    return ids
  }
  const ids = await throughProxy(failing(1, { status: 502 }), async (client, proxy) => {
    const found = await idsOf(client, 2)
    expect(proxy.requests).toHaveLength(2)
    return found
  })
  const all = await Array.fromAsync(zoetrope.audit.stream({ action: 'category.*' }))
  expect(all.map((entry) => entry.Id)).toEqual(ids)
  await expect(zoetrope.audit.stream({ action: 'nonsense' }).next()).rejects.toThrow(InvalidRequestError)
})

test('a signal and a timeout end a call and its pauses', async () => {
  const controller = new AbortController()
  await throughProxy(
    () => {
      controller.abort(new Error('enough'))
      return { status: 503, headers: { 'Retry-After': '60' } }
    },
    async (client) => {
      await expect(client.projects.list(undefined, { signal: controller.signal })).rejects.toThrow('enough')
    },
  )
  await expect(zoetrope.projects.list(undefined, { timeoutMs: 0, maxRetries: 0 })).rejects.toThrow(
    TimeoutError,
  )
})

test('a base URL may end in /v3 or a slash; an invalid URL or an empty key throws TypeError', async () => {
  for (const end of ['', '/', '/v3', '/v3/'])
    await new Zoetrope({ baseUrl: `${server.url}${end}`, apiKey: server.apiKey }).projects.list()
  expect(() => new Zoetrope({ baseUrl: 'localhost', apiKey: 'a' })).toThrow(TypeError)
  expect(() => new Zoetrope({ baseUrl: server.url, apiKey: '' })).toThrow(TypeError)
})

test('dates are valid query values, and ignored parameters are in the metadata', async () => {
  const { Id } = await zoetrope.projects.create({ Name: 'Dated' })
  const before = await zoetrope.projects.list({ createdTo: new Date(0) })
  expect(before.TotalCount).toBe(0)
  const { TotalCount } = await zoetrope.projects.list({ createdFrom: new Date(0), ids: String(Id) })
  expect(TotalCount).toBe(1)
  const page = await zoetrope.projects.list({ colour: 'blue' } as Parameters<
    typeof zoetrope.projects.list
  >[0])
  expect(metaOf(page)?.ignoredParameters).toEqual(['colour'])
})

test('ignored body fields cause a warning and are in the metadata', async () => {
  const warnings: string[] = []
  const client = new Zoetrope({
    baseUrl: server.url,
    apiKey: server.apiKey,
    onWarning: (warning) => warnings.push(warning),
  })
  const misspelt = { Name: 'Warned', tokenSecurity: true } as Parameters<typeof client.projects.create>[0]
  const project = await client.projects.create(misspelt)
  expect(metaOf(project)?.ignoredFields).toEqual(['tokenSecurity'])
  expect(warnings).toEqual(['createProject: the server ignored fields that it does not know: tokenSecurity'])
  await client.projects.update(project.Id, project)
  expect(warnings).toHaveLength(1)
})
