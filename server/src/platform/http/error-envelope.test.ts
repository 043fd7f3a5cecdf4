import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { DatabaseError } from 'pg'
import { sql } from 'kysely'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { openDatabase } from '../db/database.ts'
import { createLog } from '../log/log.ts'
import { toProblem } from './error-envelope.ts'
import { createHttpServer } from './server.ts'
import { expectProblem } from './test-support/expect-problem.ts'

let server: TestServer
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Envelopes' } })).body.Id
})

afterAll(() => server.stop())

const json = { 'Content-Type': 'application/json' }

test.each([
  [{ code: 'EROFS', syscall: 'open', path: '/data/uploads/1' }, 'media_storage_unavailable'],
  [{ code: 'EIO', syscall: 'write' }, 'media_storage_unavailable'],
  [{ code: 'EACCES', syscall: 'open', path: '/data/uploads/1' }, 'media_storage_unavailable'],
  [{ code: 'ENOENT', syscall: 'mkdir', path: '/data/media/blobs/a1' }, 'media_storage_unavailable'],
  [{ code: 'ENOENT', syscall: 'open', path: '/data/media/blobs/a1' }, 'internal_error'],
  [{ code: 'EACCES', syscall: 'listen' }, 'internal_error'],
])('the fault %j of a disk is %s', (fault, reason) => {
  expect(toProblem(Object.assign(new Error(fault.code), fault))).toMatchObject({ reason })
})

test('a connection that PostgreSQL refuses or closes answers 503, whatever the reason', () => {
  const refused = Object.assign(
    new DatabaseError('database is not currently accepting connections', 1, 'error'),
    {
      severity: 'FATAL',
      code: '55000',
    },
  )
  expect(toProblem(refused)).toMatchObject({ reason: 'database_unavailable', status: 503 })
})

test.each([
  '/v3/nothing',
  '/v3/projects/1/nothing',
  '/v3',
  '/v3/',
  '/nothing',
  '//v3/projects',
  '/V3/projects',
])('the unknown path %s answers 404', async (path) => {
  expectProblem(await request(server.url + path, 'GET', { apiKey: server.apiKey }), 'not_found')
})

test.each([
  ['PATCH', '/v3/projects', 'GET, HEAD, POST'],
  ['DELETE', '/v3/projects', 'GET, HEAD, POST'],
  ['POST', '/v3/projects/1', 'DELETE, GET, HEAD, PUT'],
  ['OPTIONS', '/v3/projects', 'GET, HEAD, POST'],
  ['PROPFIND', '/v3/projects', 'GET, HEAD, POST'],
  ['GET', '/v3/projects/1/files/1/metadata', 'PUT'],
  ['GET', '/uploads/abc', 'DELETE, HEAD, OPTIONS, PATCH, PUT'],
  ['POST', '/v/abc/main.m3u8', 'GET, HEAD, OPTIONS'],
])('%s %s answers 405 with the allowed methods', async (method, path, allowed) => {
  const answer = await request(server.url + path, method, { apiKey: server.apiKey })
  expectProblem(answer, 'method_not_allowed')
  expect(answer.headers.get('allow')).toBe(allowed)
})

test('the API sends no CORS headers, because only servers call it', async () => {
  const origin = { Origin: 'https://example.com', 'Access-Control-Request-Method': 'POST' }
  for (const method of ['GET', 'OPTIONS']) {
    const { headers } = await server.call(method, '/projects', { headers: origin })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

const badIds = [
  '0',
  '-1',
  '1e3',
  '1.0',
  '01',
  '+1',
  'abc',
  ' 1',
  '9223372036854775808',
  '9007199254740992',
  '%00',
  '1%00',
  '%31a',
]

test.each(badIds)('the id "%s" is not a positive integer and answers 400', async (id) => {
  const paths = [
    `/projects/${id}`,
    `/projects/${projectId}/files/${id}`,
    `/projects/${id}/files`,
    `/modules/notifications/${id}`,
  ]
  for (const path of paths) expectProblem(await server.call('GET', path), 'invalid')
  expectProblem(await server.call('DELETE', `/projects/${projectId}/files/${id}`), 'invalid')
})

test('a percent sign without two hex digits answers 400', async () => {
  expectProblem(await server.call('GET', '/projects/%zz'), 'invalid')
})

test('an id of 600 digits is invalid', async () => {
  expect((await server.call('GET', `/projects/${'1'.repeat(600)}`)).status).toBeOneOf([400, 404])
})

describe('a request without a token answers 401 for every path under /v3, before any other check:', () => {
  const cases: [string, string, string, (string | Uint8Array)?, Record<string, string>?][] = [
    ['a list', 'GET', '/projects'],
    ['an unknown path', 'GET', '/nothing'],
    ['the base itself', 'GET', ''],
    ['a bad id', 'GET', '/projects/0'],
    ['an invalid percent sign', 'GET', '/projects/%zz'],
    ['an endless id', 'GET', `/projects/${'1'.repeat(600)}`],
    ['a bad query', 'GET', '/projects?limit=0'],
    ['a wrong method', 'PATCH', '/projects'],
    ['a preflight', 'OPTIONS', '/projects'],
    ['a broken body', 'POST', '/projects', '{', json],
    ['an empty body', 'POST', '/projects', '', json],
    ['a wrong content type', 'POST', '/projects', 'a', { 'Content-Type': 'text/plain' }],
    ['too large a body', 'POST', '/projects', new Uint8Array(2 * 1024 * 1024), json],
  ]
  test.each(cases)('%s', async (_what, method, path, body, headers = {}) => {
    const options = { headers, ...(body === undefined ? {} : { body }) }
    for (const apiKey of [null, 'abc']) {
      const answer = await server.call(method, path, { ...options, apiKey })
      expectProblem(answer, 'unauthorized')
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
    }
  })
})

test('HEAD answers like GET without the body', async () => {
  const [get, head] = [
    await server.call('GET', `/projects/${projectId}`),
    await server.call('HEAD', `/projects/${projectId}`),
  ]
  expect(head).toMatchObject({ status: 200, body: '' })
  for (const name of ['etag', 'content-type', 'content-length'])
    expect(head.headers.get(name)).toBe(get.headers.get(name))
  expect(await server.call('HEAD', '/projects/999999')).toMatchObject({ status: 404, body: '' })
})

describe('X-Request-Id', () => {
  const idOf = async (sent?: string) => {
    const headers: Record<string, string> = sent === undefined ? {} : { 'X-Request-Id': sent }
    return (await server.call('GET', '/projects', { headers })).headers.get('x-request-id')
  }

  test('returns a valid id of the caller', async () => {
    expect(await idOf('order-7:a_b.c')).toBe('order-7:a_b.c')
    const answer = await server.call('GET', '/nothing', { headers: { 'X-Request-Id': 'mine' } })
    expect(answer.body.error.requestId).toBe('mine')
  })

  test.each(['a b', '<script>', 'a'.repeat(129), '"', ''])('ignores %s', async (sent) => {
    expect(await idOf(sent)).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('is generated for each request without one', async () => {
    expect(await idOf()).not.toBe(await idOf())
  })
})

test('an unexpected error answers 500 without internals', async () => {
  const app = await createHttpServer({ log: createLog({ level: 'silent' }), publicUrl: 'http://video.test' })
  app.get('/thrown', () => {
    throw new Error('password=hunter2 in /srv/app/src/db.ts:7')
  })
  app.get('/rejected', () => Promise.reject(new TypeError('Cannot read properties of undefined')))
  app.get('/text', () => Promise.reject('select secret from users'))
  app.get('/status', () =>
    Promise.reject(Object.assign(new Error('internal host 10.0.0.1'), { statusCode: 502 })),
  )
  for (const path of ['/thrown', '/rejected', '/text', '/status']) {
    const answer = await app.inject(path)
    const headers = new Headers(answer.headers as Record<string, string>)
    expectProblem({ status: answer.statusCode, headers, body: answer.json() }, 'internal')
    expect(answer.body).not.toMatch(/hunter2|srv|undefined|select|10\.0/)
  }
  await app.close()
})

test('requests answer 503 with Retry-After while the database is down', async () => {
  const app = await createHttpServer({ log: createLog({ level: 'silent' }), publicUrl: 'http://video.test' })
  const database = openDatabase({ host: '/nowhere', user: 'nobody', database: 'none' })
  app.get('/read', () => database.kysely.selectFrom('accounts').selectAll().execute())
  const answer = await app.inject('/read')
  const headers = new Headers(answer.headers as Record<string, string>)
  expectProblem({ status: answer.statusCode, headers, body: answer.json() }, 'unavailable')
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  await app.close()
  await database.close()
})

test('a request answers 503 while the database refuses the password, as during a rotation of the master key', async () => {
  const { connection, drop } = await createTestDatabase()
  const app = await createHttpServer({ log: createLog({ level: 'silent' }), publicUrl: 'http://video.test' })
  const database = openDatabase({ ...connection, password: 'former' })
  app.get('/read', () => database.kysely.selectFrom('accounts').selectAll().execute())
  const answer = await app.inject('/read')
  const headers = new Headers(answer.headers as Record<string, string>)
  expectProblem({ status: answer.statusCode, headers, body: answer.json() }, 'unavailable')
  await app.close()
  await database.close()
  await drop()
})

test('a request that lost a lock conflict, or met a full disk of the database, answers 503 and can be retried', async () => {
  const { database, drop } = await createTestDatabase()
  const app = await createHttpServer({ log: createLog({ level: 'silent' }), publicUrl: 'http://video.test' })
  app.get<{ Params: { code: string } }>('/raise/:code', ({ params }) =>
    sql
      .raw(`do $$ begin raise exception 'lost' using errcode = '${params.code}'; end $$`)
      .execute(database.kysely),
  )
  for (const code of ['40P01', '40001', '55P03', '53100']) {
    const answer = await app.inject(`/raise/${code}`)
    const headers = new Headers(answer.headers as Record<string, string>)
    expectProblem({ status: answer.statusCode, headers, body: answer.json() }, 'unavailable')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  await app.close()
  await drop()
})
