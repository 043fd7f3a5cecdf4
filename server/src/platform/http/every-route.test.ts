import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  apiOperationsOf,
  type OpenApiDocument,
  type Operation,
} from '../../../test/support/openapi-document.ts'
import { request, startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from './test-support/expect-problem.ts'
import { rawRequest } from './test-support/raw-request.ts'

let server: TestServer
let operations: Operation[]
let projectId: number

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_SIGN_INS_PER_MINUTE: '0' } })
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  operations = apiOperationsOf(body as OpenApiDocument)
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Every route' } })).body.Id
})

afterAll(() => server.stop())

/**
 * Only the project exists: the server refuses a test's request before it looks up the record, or answers 404.
 */
const fill = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (name === 'projectId') return String(projectId)
    if (name === 'metric') return 'views'
    return /uuid/i.test(name) ? '00000000-0000-4000-8000-000000000000' : '999999'
  })

const json = { 'Content-Type': 'application/json' }

const send = (
  { method, path }: Operation,
  body?: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  request(server.url + fill(path), method, {
    apiKey: server.apiKey,
    headers,
    ...(body === undefined ? {} : { body }),
  })

/** Separate tests per operation would be too many; each failure names its operation. */
const forEach = async (
  chosen: readonly Operation[],
  check: (operation: Operation) => Promise<void>,
): Promise<void> => {
  expect(chosen.length).toBeGreaterThan(5)
  for (const operation of chosen)
    await check(operation).catch((error: unknown) => {
      throw new Error(`${operation.operationId}: ${(error as Error).message}`, { cause: error })
    })
}

const reads = () =>
  operations.filter(({ method, operationId }) => method === 'GET' && !operationId.startsWith('stream'))
const jsonWrites = () =>
  operations.filter(({ requestBody }) => 'application/json' in (requestBody?.content ?? {}))

test('every path answers 405 to other methods and lists its own', async () => {
  const paths = [...new Set(operations.map(({ path }) => path))]
  for (const path of paths) {
    const known = operations.filter((one) => one.path === path).map(({ method }) => method)
    // tus clients discover the server's features with OPTIONS.
    if (path.endsWith('/tus')) known.push('OPTIONS')
    const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : [])].sort().join(', ')
    for (const method of ['PATCH', 'OPTIONS', 'PROPFIND', 'DELETE'].filter((one) => !known.includes(one))) {
      const answer = await request(server.url + fill(path), method, { apiKey: server.apiKey })
      expectProblem(answer, 'method_not_allowed')
      expect(`${method} ${path} ${answer.headers.get('allow')}`).toBe(`${method} ${path} ${allow}`)
    }
  }
})

test('TRACE is not supported', async () => {
  const answer = await rawRequest(
    server.url,
    `TRACE /v3/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.apiKey}\r\nConnection: close\r\n\r\n`,
  )
  expect(answer).not.toBeNull()
  if (answer !== null) expectProblem(answer, 'method_not_allowed')
})

test('HEAD answers like GET without the body', async () => {
  await forEach(reads(), async (operation) => {
    // The compressed length of a body depends on its time stamps.
    const plain = { 'Accept-Encoding': 'identity' }
    const get = await send(operation, undefined, plain)
    const head = await send({ ...operation, method: 'HEAD' }, undefined, plain)
    expect(head).toMatchObject({ status: get.status, body: '' })
    if (get.status >= 400) return
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control'])
      expect(`${name} ${head.headers.get(name)}`).toBe(`${name} ${get.headers.get(name)}`)
  })
})

test('every read has an ETag, and If-None-Match with it answers 304', async () => {
  await forEach(reads(), async (operation) => {
    const { status, headers } = await send(operation)
    if (status !== 200 || headers.get('content-type')?.startsWith('application/json') !== true) return
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    const again = await send(operation, undefined, { 'If-None-Match': etag })
    // Reading itself may change a record, such as the last use of a key.
    if (again.headers.get('etag') === etag) expect(again).toMatchObject({ status: 304, body: '' })
  })
})

test('Content-Type: application/json without a body is accepted', async () => {
  const bodiless = operations.filter(
    ({ requestBody, operationId }) => requestBody === undefined && !operationId.startsWith('stream'),
  )
  await forEach(
    bodiless.filter(({ method }) => method === 'GET' || method === 'DELETE'),
    async (operation) => {
      // Uses a missing project, so that the first call deletes nothing that the second needs.
      const unknown = { ...operation, path: operation.path.replace('{projectId}', '999999') }
      const [without, withHeader] = [await send(unknown), await send(unknown, undefined, json)]
      expect(withHeader.status).toBe(without.status)
    },
  )
})

const broken: [string, string | Uint8Array][] = [
  ['half an object', '{"Name": "a"'],
  ['a comma too many', '{"Name": "a",}'],
  ['single quotes', "{'Name': 'a'}"],
  ['text behind it', '{"Name": "a"} b'],
  ['NaN', '{"Name": NaN}'],
  ['an array', '[]'],
  ['an array of objects', '[{"Name": "a"}]'],
  ['null', 'null'],
  ['a number', '5'],
  ['a text', '"a"'],
  ['true', 'true'],
  ['white space', '  '],
  ['invalid UTF-8', Uint8Array.of(0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d)],
  ['UTF-16', new Uint8Array(Buffer.from('{"Name": "a"}', 'utf16le'))],
  ['NUL in a text', '{"Name": "a\\u0000"}'],
  ['NUL in a field name', '{"Name\\u0000": "a"}'],
  ['half a surrogate pair', '{"Name": "\\ud800"}'],
  // Within the 4 KiB of sign-in routes.
  ['4,000 open brackets', '['.repeat(4_000)],
  ['an object nested 600 deep', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`],
  ['__proto__', '{"__proto__": {"IsEnabled": true}}'],
  ['constructor', '{"constructor": {"prototype": {"IsEnabled": true}}}'],
]

test.each(broken)('%s as the body answers 400', async (_what, body) => {
  await forEach(jsonWrites(), async (operation) => {
    const answer = await send(operation, body, json)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toMatch(/\b(JSON|body|Unicode|UTF-8|NUL|field name)\b/)
  })
})

test('the last of two fields with the same name counts', async () => {
  const answer = await server.call('POST', '/projects', {
    body: '{"Name": 5, "Name": "Last"}',
    headers: json,
  })
  expect(answer).toMatchObject({ status: 201, body: { Name: 'Last' } })
})

test('a body of an unsupported type answers 400 with the supported types', async () => {
  for (const type of ['text/html', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense', ''])
    await forEach(jsonWrites(), async (operation) => {
      const answer = await send(operation, new Uint8Array(Buffer.from('a=b')), { 'Content-Type': type })
      expectProblem(answer, 'unsupported_media_type')
      expect(answer.body.error.message).toContain('application/json')
    })
})

test.each([
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"; profile=a',
  'APPLICATION/JSON',
])('%s is JSON', async (type) => {
  const answer = await server.call('POST', '/projects', {
    body: '{"Name": "Ärger"}',
    headers: { 'Content-Type': type },
  })
  expect(answer).toMatchObject({ status: 201, body: { Name: 'Ärger' } })
})

test('a JSON body larger than 1 MiB answers 413', async () => {
  const body = JSON.stringify({ Name: 'a'.repeat(1024 * 1024) })
  // JSON bodies that contain a document have a higher limit.
  const usual = jsonWrites().filter(({ path }) => !path.includes('captions'))
  await forEach(usual, async (operation) => {
    expectProblem(await send(operation, body, json), 'too_large')
  })
})

const badIds = ['0', '-1', '1e3', '1.0', '01', '9223372036854775808', '%00', 'null', '%20']

test.each(badIds)('the id "%s" answers 400 in every path and names the parameter', async (id) => {
  const withIds = operations.filter(({ path }) => /\{\w+Id\}/.test(path))
  await forEach(withIds, async (operation) => {
    const names = [...operation.path.matchAll(/\{(\w+Id)\}/g)].map(([, name = '']) => name)
    for (const name of names) {
      const answer = await send({ ...operation, path: operation.path.replace(`{${name}}`, id) })
      expectProblem(answer, 'invalid')
      expect(answer.body.error.details[0].field).toBe(name)
    }
  })
})

test('query parameters of a wrong type answer 400 and name the parameter', async () => {
  const numeric = operations.flatMap((operation) =>
    (operation.parameters ?? [])
      .filter(({ in: place, name }) => place === 'query' && ['limit', 'offset'].includes(name))
      .map(({ name }) => ({ ...operation, path: `${operation.path}?${name}=x` })),
  )
  await forEach(numeric, async (operation) => {
    const answer = await send(operation)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toMatch(/^(limit|offset) /)
  })
})
