import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { hasNginx, startDocumentedNginx } from '../test-support/documented-nginx.ts'
import { addressesOf, makePlayableFile, type PlayableFile } from '../test-support/playable-file.ts'

describe('playout through nginx with X-Accel-Redirect', () => {
  let server: TestServer | undefined
  let nginx: Awaited<ReturnType<typeof startDocumentedNginx>>
  let file: PlayableFile

  beforeAll(async () => {
    if (!hasNginx()) return
    server = await startTestServer({ environment: { ZOETROPE_ACCEL_REDIRECT: '/internal/media' } })
    nginx = await startDocumentedNginx(server)
    file = await makePlayableFile(server)
  })
  afterAll(async () => {
    await nginx?.stop()
    await server?.stop()
  })
  beforeEach((context) => {
    if (server === undefined) context.skip('there is no nginx on this machine: apt-get install nginx')
  })

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    request(nginx.url + path, method, { headers })
  const segment = () => `${file.path}/${file.renditionId}/0.m4s`
  const bytes = () => file.segments[0]?.toString() ?? ''

  test("nginx sends the bytes of a segment with the server's headers", async () => {
    const own = await request(`${server?.url}${segment()}`, 'GET')
    expect(own).toMatchObject({ status: 200, body: '' })
    expect(own.headers.get('x-accel-redirect')).toMatch(/^\/internal\/media\/a1\/.*\/0\.m4s$/)

    const { status, headers, body } = await get(segment(), { Origin: 'https://example.com' })
    expect(status).toBe(200)
    expect(body).toBe(bytes())
    expect(headers.get('x-accel-redirect')).toBeNull()
    expect(headers.get('content-type')).toBe('video/mp4')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toContain('Content-Range')
    expect(headers.get('accept-ranges')).toBe('bytes')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('every player address answers, including HEAD and 304', async () => {
    for (const address of addressesOf(file)) {
      const whole = await get(address)
      expect(whole.status).toBe(200)
      const head = await get(address, {}, 'HEAD')
      expect(head).toMatchObject({ status: 200, body: '' })
      expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'))
      const etag = whole.headers.get('etag')
      if (etag !== null) expect((await get(address, { 'If-None-Match': etag })).status).toBe(304)
    }
  })

  test.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=5-', 206, 5, undefined],
    ['bytes=-7', 206, -7, undefined],
    ['bytes=0-1,3-4', 200, 0, undefined],
  ] as const)('the range %s answers %i', async (range, status, start, end) => {
    expect(await get(segment(), { Range: range })).toMatchObject({ status, body: bytes().slice(start, end) })
  })

  test('a range outside the segment answers 416 with the size', async () => {
    const { status, headers } = await get(segment(), { Range: 'bytes=99999-' })
    expect(status).toBe(416)
    expect(headers.get('content-range')).toBe(`bytes */${bytes().length}`)
  })

  test('internal paths, hidden files and missing tokens are refused', async () => {
    const redirect =
      (await request(`${server?.url}${segment()}`, 'GET')).headers.get('x-accel-redirect') ?? ''
    for (const path of [redirect, '/internal/media/', '/internal/media/../uploads/', '/internal/media/..%2f'])
      expect((await get(path)).status).toBe(404)
    if (server === undefined) return
    const hidden = await makePlayableFile(server, { metadata: { ReleaseStatus: 'draft' } })
    const protectedFile = await makePlayableFile(server, { project: { TokenSecurity: true } })
    expect((await get(`${hidden.path}/${hidden.renditionId}/0.m4s`)).status).toBe(404)
    expect((await get(`${protectedFile.path}/${protectedFile.renditionId}/0.m4s`)).status).toBe(403)
    const preview = server.services.tokens.issuePreview(hidden.playoutId, new Date(Date.now() + 60_000))
    expect(await get(`/s/${preview}${hidden.path}/${hidden.renditionId}/0.m4s`)).toMatchObject({
      status: 200,
      body: bytes(),
    })
  })

  test("a missing segment answers 404 in the API's error envelope", async () => {
    const { status, headers, body } = await get(`${file.path}/${file.renditionId}/99.m4s`)
    expect(status).toBe(404)
    expect(body.error.type).toBe('not_found')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})
