import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { rawRequest } from '../../platform/http/test-support/raw-request.ts'
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

describe('HLS', () => {
  test('multivariant playlist has relative URIs, so that a token in the path applies to them too', async () => {
    const { status, headers, body } = await get(`${file.path}/main.m3u8`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(body).toContain(`\n${file.renditionId}/playlist.m3u8`)
    expect(body).toMatch(/CODECS="avc1\.64001f"/)
    expect(body).toMatch(/RESOLUTION=640x360/)
    expect(body).not.toMatch(/:\/\/|^\//m)
  })

  test('media playlist of a complete rendition lists all segments and ends', async () => {
    const { body } = await get(`${file.path}/${file.renditionId}/playlist.m3u8`)
    expect(body).toContain('#EXT-X-PLAYLIST-TYPE:VOD')
    expect(body.match(/^\d+\.m4s$/gm)).toEqual(['0.m4s', '1.m4s', '2.m4s'])
    expect(body).toContain('#EXT-X-MAP:URI="init.mp4"')
    expect(body.trimEnd()).toMatch(/#EXT-X-ENDLIST$/)
    expect(body).not.toMatch(/:\/\//)
  })

  test('media playlist of an incomplete rendition is an EVENT playlist without an end', async () => {
    const { body } = await get(`${file.path}/${file.inProgressRenditionId}/playlist.m3u8`)
    expect(body).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
    expect(body.match(/^\d+\.m4s$/gm)).toEqual(['0.m4s', '1.m4s'])
    expect(body).not.toContain('ENDLIST')
  })
})

test('DASH lists complete renditions only, with relative URIs', async () => {
  const { status, headers, body } = await get(`${file.path}/main.mpd`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/dash+xml')
  expect(body).toContain(`id="${file.renditionId}"`)
  expect(body).not.toContain(`id="${file.inProgressRenditionId}"`)
  expect(body).not.toMatch(/(?:media|initialization)="(?:\/|[a-z]+:)/)
})

test('init segments and segments are served unchanged with an immutable Cache-Control', async () => {
  for (const [name, bytes] of [
    ['init.mp4', 'init of complete'],
    ...file.segments.map((one, index) => [`${index}.m4s`, one.toString()]),
  ]) {
    const { status, headers, body } = await get(`${file.path}/${file.renditionId}/${name}`)
    expect(status).toBe(200)
    expect(body).toBe(bytes)
    expect(headers.get('content-type')).toBe('video/mp4')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('accept-ranges')).toBe('bytes')
  }
})

describe('playout answers 404 for', () => {
  test.each([
    ...[
      'main.m3u9',
      'main',
      '',
      'x/playlist.m3u8',
      '0/playlist.m3u8',
      '999999/playlist.m3u8',
      '999999/init.mp4',
      '999999/0.m4s',
    ],
    ...[
      '1e3/init.mp4',
      '9223372036854775808/init.mp4',
      '%00/init.mp4',
      '../main.m3u8',
      '%2e%2e/main.m3u8',
      '%2fetc%2fpasswd/init.mp4',
    ],
  ])('the path %s', async (rest) => {
    expectProblem(await get(`${file.path}/${rest}`), 'not_found')
  })

  test.each([
    ...[
      '3.m4s',
      '00.m4s',
      '-1.m4s',
      '1e0.m4s',
      '%30x.m4s',
      '..%2f0.m4s',
      '0.m4s%00',
      '0.mp4',
      'init.m4s',
      '999999999999999.m4s',
      '.m4s',
    ],
    ...['99999999999999999999.m4s', '../../../master.key', '..%2f..%2f..%2fmaster.key', '%2e%2e%2f0.m4s'],
  ])('the rendition file %s', async (name) => {
    expectProblem(await get(`${file.path}/${file.renditionId}/${name}`), 'not_found')
  })

  test('a rendition or segment of another file', async () => {
    const other = await makePlayableFile(server)
    for (const name of ['playlist.m3u8', 'init.mp4', '0.m4s'])
      expectProblem(await get(`${file.path}/${other.renditionId}/${name}`), 'not_found')
  })

  test.each(['abc', '1', '00000000-0000-4000-8000-000000000000', '%00', "'"])(
    'the playout %s',
    async (id) => {
      expectProblem(await get(`/v/${id}/main.m3u8`), 'not_found')
      expectProblem(await get(`/embed/${id}`), 'not_found')
    },
  )
})

test.each([
  (path: string) => `${path}/../main.m3u8`,
  (path: string) => `${path}/x/../main.m3u8`,
  (path: string) => `${path}/%2e%2e/main.m3u8`,
  (path: string) => `/${path}/main.m3u8`,
  (path: string) => `${path}//main.m3u8`,
  (path: string) => `${path}/./main.m3u8`,
  (path: string) => `${path}\\main.m3u8`,
  (path: string) => `/v/00000000-0000-4000-8000-000000000000/../${path}/main.m3u8`,
  (path: string) => `/v/../../../../etc/passwd${path}`,
  (path: string) => `${path}/main.m3u8/../../../healthz`,
  (path: string) => `${path.toUpperCase()}/main.m3u8`,
])('a non-canonical path answers 404 (%#)', async (trick) => {
  // Not `fetch`, which would resolve the dots itself.
  const answer = await rawRequest(
    server.url,
    `GET ${trick(file.path)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  )
  expect(answer).not.toBeNull()
  if (answer !== null) expectProblem(answer, 'not_found')
})

test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s answers 405', async (method) => {
  for (const address of addressesOf(file)) {
    const answer = await request(server.url + address, method)
    expectProblem(answer, 'method_not_allowed')
    expect(answer.headers.get('allow')).toMatch(/GET, HEAD/)
  }
})

test.each([
  '/p/00000000-0000-4000-8000-000000000000/poster.jpg',
  '/p/abc/thumb.jpg',
  '/p/------------------------------------/poster.jpg',
  '/p/%00/poster.jpg',
  '/p/../../x/poster.jpg',
])('the unknown picture %s answers 404', async (path) => {
  expectProblem(await get(path), 'not_found')
})
