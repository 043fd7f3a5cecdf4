import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../test-support/expect-problem.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const post = (body: string | Uint8Array, contentType = 'application/json') =>
  server.call('POST', '/projects', { body, headers: { 'Content-Type': contentType } })

const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth)

describe('refuses with 400', () => {
  const bodies: [string, string | Uint8Array][] = [
    ['cut off JSON', '{"Name":'],
    ['two values', '{"Name":"a"}{}'],
    ['a trailing comma', '{"Name":"a",}'],
    ['NaN', '{"Name":"a","StorageQuotaBytes":NaN}'],
    ['form data', 'Name=a'],
    ['an array', '[{"Name":"a"}]'],
    ['null', 'null'],
    ['a number', '5'],
    ['a text', '"Name"'],
    ['true', 'true'],
    ['invalid UTF-8', Buffer.from('{"Name":"\xff"}', 'latin1')],
    ['UTF-16', Buffer.from('{"Name":"a"}', 'utf16le')],
    ['NUL in a text', String.raw`{"Name":"a\u0000b"}`],
    ['NUL in a field name', String.raw`{"Name":"a","b\u0000":1}`],
    ['half a surrogate pair', String.raw`{"Name":"\ud83d"}`],
    ['half a surrogate pair in an ignored field', String.raw`{"Name":"a","Other":{"deep":["\udc00"]}}`],
    ['100,000 open brackets', '['.repeat(100_000)],
    ['100,000 nested arrays', `{"Name":"a","Other":${deep('[', ']', 100_000)}}`],
    ['100,000 nested objects', `{"Name":"a","Other":${deep('{"a":', '}', 100_000).replace(':}', ':1}')}}`],
    ['__proto__', '{"Name":"a","__proto__":{"IsEnabled":false}}'],
    ['a nested __proto__', '{"Name":"a","Other":{"__proto__":{}}}'],
  ]
  test.each(bodies)('%s', async (_what, body) => {
    expectProblem(await post(body), 'invalid')
    expectProblem(
      await server.call('PUT', '/projects/1', { body, headers: { 'Content-Type': 'application/json' } }),
      'invalid',
    )
  })

  test.each([
    [
      '20,001 fields',
      `{"Name":"a",${Array.from({ length: 20_000 }, (_, index) => `"f${index}":1`).join(',')}}`,
    ],
    ['20,001 list items', `{"Name":[${'1,'.repeat(20_000)}1]}`],
  ])('%s, before they are validated', async (_what, body) => {
    const answer = await post(body)
    expectProblem(answer, 'invalid')
    expect(answer.body.error).toMatchObject({ reason: 'json_too_many_values', params: { maxValues: 20_000 } })
  })

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/merge-patch+json',
    'video/mp4',
    'multipart/form-data; boundary=a',
    'nonsense',
  ])('the content type %s', async (contentType) => {
    expectProblem(await post('{"Name":"a"}', contentType), 'unsupported_media_type')
  })

  test('a body without a content type', async () => {
    expectProblem(
      await server.call('POST', '/projects', { body: Buffer.from('{"Name":"a"}') }),
      'unsupported_media_type',
    )
  })
})

test.each([
  { Name: 5 },
  { Name: true },
  { Name: null },
  { Name: ['a'] },
  { Name: 'a', TokenSecurity: 'true' },
  { Name: 'a', TokenSecurity: 1 },
  { Name: 'a', StorageQuotaBytes: '5' },
  { Name: 'a', AllowedDomains: 'example.com' },
])('a value of the wrong type answers 400 and is never converted: %j', async (body) => {
  const answer = await server.call('POST', '/projects', { body })
  expectProblem(answer, 'invalid')
  expect(answer.body.error.details[0].field).toBe(Object.keys(body).at(-1))
})

test('none of these requests created a project', async () => {
  expect((await server.call('GET', '/projects')).body.TotalCount).toBe(0)
})

test('a body larger than 1 MiB answers 413, with or without Content-Length', async () => {
  const body = Buffer.from(JSON.stringify({ Name: 'a', Other: 'x'.repeat(1024 * 1024) }))
  expectProblem(await post(body), 'too_large')
  const response = await fetch(`${server.url}/v3/projects`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.apiKey}`, 'Content-Type': 'application/json' },
    body: new ReadableStream({
      start: (controller) => {
        controller.enqueue(body)
        controller.close()
      },
    }),
    duplex: 'half',
  } as RequestInit)
  expectProblem(
    { status: response.status, headers: response.headers, body: await response.json() },
    'too_large',
  )
})

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON',
])('the content type %s is JSON', async (contentType) => {
  expect((await post('{"Name":"Ünïcode 🎬"}', contentType)).body.Name).toBe('Ünïcode 🎬')
})

test('a byte order mark before the JSON is ignored', async () => {
  expect((await post('\ufeff{"Name":"BOM"}')).status).toBe(201)
})

test('GET and DELETE with Content-Type: application/json and no body work', async () => {
  const { body } = await post('{"Name":"To be deleted"}')
  const headers = { 'Content-Type': 'application/json' }
  expect((await server.call('GET', '/projects', { headers })).status).toBe(200)
  expect((await server.call('GET', `/projects/${body.Id}`, { headers })).status).toBe(200)
  expect((await server.call('DELETE', `/projects/${body.Id}`, { headers })).status).toBe(200)
})
