import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { addressesOf, makePlayableFile, type PlayableFile } from '../test-support/playable-file.ts'

let server: TestServer
let file: PlayableFile

beforeAll(async () => {
  server = await startTestServer()
  file = await makePlayableFile(server)
})

afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  request(server.url + path, 'GET', { headers })
const segment = () => `${file.path}/${file.renditionId}/0.m4s`

describe('a range request', () => {
  const size = () => file.segments[0]?.length ?? 0

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=5-', 5, Infinity],
    ['bytes=-7', -7, Infinity],
    ['bytes=0-0', 0, 1],
    ['bytes=10-99999999999999999999', 10, Infinity],
    ['bytes=-99999', 0, Infinity],
  ])('for %s answers 206 with its bytes', async (range, start, end) => {
    const bytes = file.segments[0]?.subarray(start, end === Infinity ? undefined : end).toString() ?? ''
    const answer = await get(segment(), { Range: range })
    expect(answer).toMatchObject({ status: 206, body: bytes })
    const first = start < 0 ? size() + start : start
    expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${first + bytes.length - 1}/${size()}`)
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  })

  test.each([
    'bytes=99999-',
    'bytes=99999-100000',
    'bytes=-0',
    'bytes=-00',
    'bytes=99999999999999999999999-',
  ])('for %s answers 416 with the size', async (range) => {
    const answer = await get(segment(), { Range: range })
    expectProblem(answer, 'range_not_satisfiable')
    expect(answer.headers.get('content-range')).toBe(`bytes */${size()}`)
    expect(answer.headers.get('cache-control')).not.toContain('immutable')
  })

  test.each([
    'bytes=5-2',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'items=0-5',
    'bytes=0-1,3-4',
    'bytes 0-5',
    'nonsense',
  ])('for the unsupported range %s answers the whole segment', async (range) => {
    expect(await get(segment(), { Range: range })).toMatchObject({
      status: 200,
      body: file.segments[0]?.toString(),
    })
  })

  test('by HEAD ignores the range (RFC 9110, section 14.2)', async () => {
    const { status, headers } = await request(server.url + segment(), 'HEAD', {
      headers: { Range: 'bytes=0-9' },
    })
    expect(status).toBe(200)
    expect(headers.get('content-length')).toBe(String(size()))
  })
})

describe('a conditional request', () => {
  const etagOfSegment = async () => (await get(segment())).headers.get('etag') ?? ''

  test('with a matching ETag answers 304 whatever the range (RFC 9110, section 13.2.2)', async () => {
    const etag = await etagOfSegment()
    expect(etag).toMatch(/^"/)
    for (const range of ['bytes=0-9', 'bytes=99999-', 'nonsense']) {
      const answer = await get(segment(), { 'If-None-Match': etag, Range: range })
      expect(answer).toMatchObject({ status: 304, body: '' })
      expect(answer.headers.get('cache-control')).toContain('immutable')
    }
    expect((await get(segment(), { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('answers a range only when If-Range matches (RFC 9110, section 13.1.5)', async () => {
    const etag = await etagOfSegment()
    const ask = (condition: string, range = 'bytes=5-9') =>
      get(segment(), { Range: range, 'If-Range': condition })
    expect(await ask(etag)).toMatchObject({ status: 206 })
    for (const other of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT'])
      expect(await ask(other)).toMatchObject({ status: 200, body: file.segments[0]?.toString() })
    expect((await ask('"other"', 'bytes=99999-')).status).toBe(200)
  })
})

test('HEAD answers like GET without the body', async () => {
  for (const address of addressesOf(file)) {
    const [whole, head] = [await get(address), await request(server.url + address, 'HEAD')]
    expect(head).toMatchObject({ status: 200, body: '' })
    for (const name of ['content-type', 'cache-control', 'content-length', 'etag'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name))
  }
})

test('every playout answer, including errors, allows cross-origin requests', async () => {
  for (const address of [
    ...addressesOf(file),
    `${file.path}/999999/0.m4s`,
    '/p/00000000-0000-4000-8000-000000000000/poster.jpg',
  ]) {
    const { headers } = await get(address, { Origin: 'https://example.com' })
    expect(`${address} ${headers.get('access-control-allow-origin')}`).toBe(`${address} *`)
  }
  for (const address of [
    ...addressesOf(file),
    '/p/00000000-0000-4000-8000-000000000000/poster.jpg',
    `/p/logos/${'0'.repeat(32)}.png`,
    '/oembed?url=x',
  ]) {
    const preflight = await request(server.url + address, 'OPTIONS', {
      headers: {
        Origin: 'https://example.com',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'range',
      },
    })
    expect(`${address} ${preflight.status}`).toBe(`${address} 204`)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('range')
    expect(preflight.headers.get('access-control-max-age')).toBe('86400')
  }
  const exposed = (await get(segment(), { Range: 'bytes=0-9' })).headers.get('access-control-expose-headers')
  for (const name of ['Content-Length', 'Content-Range', 'ETag']) expect(exposed).toContain(name)
})

test('a manifest answers 304 for a matching ETag', async () => {
  for (const name of ['main.m3u8', 'main.mpd', `${file.inProgressRenditionId}/playlist.m3u8`]) {
    const etag = (await get(`${file.path}/${name}`)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"/)
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`])
      expect(await get(`${file.path}/${name}`, { 'If-None-Match': known })).toMatchObject({
        status: 304,
        body: '',
      })
    expect((await get(`${file.path}/${name}`, { 'If-None-Match': '"x"' })).status).toBe(200)
  }
})
