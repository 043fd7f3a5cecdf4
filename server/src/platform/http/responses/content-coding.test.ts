import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'

let server: TestServer
let list: string

beforeAll(async () => {
  server = await startTestServer()
  const { body } = await server.call('POST', '/projects', { body: { Name: 'Compressed' } })
  list = `/v3/projects/${body.Id}/files`
  for (let index = 0; index < 5; index += 1)
    await server.call('POST', `/projects/${body.Id}/files`, { body: { FileName: `${index}.mp4` } })
})

afterAll(() => server.stop())

interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Unlike `fetch`, does not decompress the response. */
const get = (
  path: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const call = httpRequest(
      `${server.url}${path}`,
      { method, headers: { Authorization: `Bearer ${server.apiKey}`, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        )
      },
    )
    call.on('error', reject).end()
  })

const decode = { gzip: gunzipSync, br: brotliDecompressSync }

describe.each(['list', 'openapi.json'])('GET of the %s', (which) => {
  const path = () => (which === 'list' ? list : '/v3/openapi.json')

  test.each(['gzip', 'br'] as const)('compresses with %s when the client accepts it', async (coding) => {
    const plain = await get(path())
    const coded = await get(path(), { 'Accept-Encoding': coding })
    expect(coded.headers).toMatchObject({
      'content-encoding': coding,
      vary: 'Accept-Encoding',
      'content-length': String(coded.body.length),
    })
    expect(decode[coding](coded.body).equals(plain.body)).toBe(true)
    expect(coded.body.length).toBeLessThan(plain.body.length / 2)
    expect((await get(path(), { 'Accept-Encoding': coding })).body.equals(coded.body)).toBe(true)
  })

  test('has a strong ETag per coding, and answers 304 to each while nothing changes', async () => {
    const tags = new Set<string>()
    for (const coding of ['identity', 'gzip', 'br']) {
      const accept = { 'Accept-Encoding': coding }
      const etag = String((await get(path(), accept)).headers.etag)
      expect(etag).toMatch(/^"[^"]+"$/)
      tags.add(etag)
      const again = await get(path(), { ...accept, 'If-None-Match': etag })
      expect(again).toMatchObject({ status: 304, headers: { etag, vary: 'Accept-Encoding' } })
      expect(again.body.length).toBe(0)
      expect(again.headers['content-encoding']).toBeUndefined()
    }
    expect(tags.size).toBe(3)
  })

  test('answers HEAD with the headers of GET', async () => {
    const accept = { 'Accept-Encoding': 'gzip' }
    const { headers } = await get(path(), accept)
    const head = await get(path(), accept, 'HEAD')
    expect(head.body.length).toBe(0)
    for (const name of ['etag', 'vary', 'content-encoding', 'content-length', 'content-type'])
      expect(head.headers[name], name).toBe(headers[name])
  })
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0.001', 'gzip'],
  ['gzip;q=0, br;q=0', undefined],
  ['gzip;q=2', undefined],
  ['*;q=0', undefined],
  ['deflate, zstd', undefined],
  ['', undefined],
])('Accept-Encoding: %s selects %s', async (accepted, coding) => {
  const { status, headers } = await get(list, { 'Accept-Encoding': accepted })
  expect(status).toBe(200)
  expect(headers['content-encoding']).toBe(coding)
})

test('accepts the ETag of a compressed response in If-Match', async () => {
  const { body } = await server.call('POST', '/projects', {
    body: { Name: 'Long', Description: 'Words compress well. '.repeat(240) },
  })
  const { headers } = await get(`/v3/projects/${body.Id}`, { 'Accept-Encoding': 'gzip' })
  expect(headers['content-encoding']).toBe('gzip')
  const change = (ifMatch: string) =>
    server.call('PUT', `/projects/${body.Id}`, { body: { Name: 'New' }, headers: { 'If-Match': ifMatch } })
  expect((await change(String(headers.etag))).status).toBe(200)
  expect((await change(String(headers.etag))).status).toBe(412)
})

test('leaves small responses and errors uncompressed', async () => {
  const accept = { 'Accept-Encoding': 'gzip, br' }
  const small = await get('/v3/me', accept)
  expect(small.status).toBe(200)
  expect(small.headers['content-encoding']).toBeUndefined()
  expect(small.headers.vary).toBeUndefined()
  const missing = await get('/v3/projects/999999', accept)
  expect(missing.status).toBe(404)
  expect(missing.headers['content-encoding']).toBeUndefined()
})
