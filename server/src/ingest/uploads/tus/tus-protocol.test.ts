import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  request,
  startTestServer,
  type Answer,
  type TestServer,
} from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { rawRequest } from '../../../platform/http/test-support/raw-request.ts'
import { beginUpload } from '../test-support/half-upload.ts'

let server: TestServer
let projectId: number

const maxBytes = 4_000_000
const bytes = randomBytes(600_000)
const version = { 'Tus-Resumable': '1.0.0' }
const bodyType = { 'Content-Type': 'application/offset+octet-stream' }

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_UPLOAD_MAX_BYTES: String(maxBytes) } })
})

afterAll(() => server.stop())

beforeEach(async () => {
  projectId = (await server.call('POST', '/projects', { body: { Name: 'tus' } })).body.Id
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

const post = (headers: Record<string, string>, body?: Buffer) =>
  request(`${server.url}/v3/projects/${projectId}/tus`, 'POST', {
    apiKey: server.apiKey,
    headers: { ...version, ...headers },
    ...(body === undefined ? {} : { body }),
  })

const create = async (headers: Record<string, string> = { 'Upload-Length': String(bytes.length) }) => {
  const answer = await post(headers)
  expect(answer.status).toBe(201)
  return { url: answer.headers.get('location') ?? '', id: answer.body.Id as number, answer }
}

const head = (url: string) => request(url, 'HEAD', { headers: version })
const patch = (url: string, offset: number, body: Buffer, headers: Record<string, string> = {}) =>
  request(url, 'PATCH', {
    headers: { ...version, ...bodyType, 'Upload-Offset': String(offset), ...headers },
    body,
  })
const stored = (id: number) => server.services.blobs.read(`a1/p${projectId}/f${id}/source`)
const fileOf = (id: number) => server.call('GET', `/projects/${projectId}/files/${id}`)

const expectStatus = (answer: Answer, status: number): void => {
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code: status })
  expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
}

describe('the core protocol', () => {
  test('HEAD returns offset and length, uncached; PATCH appends and returns the new offset', async () => {
    const { url, id } = await create()
    const before = await head(url)
    expect(before.status).toBe(200)
    expect(Object.fromEntries(before.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'upload-length': String(bytes.length),
      'cache-control': 'no-store',
    })
    const first = await patch(url, 0, bytes.subarray(0, 200_000))
    expect({ status: first.status, body: first.body, offset: first.headers.get('upload-offset') }).toEqual({
      status: 204,
      body: '',
      offset: '200000',
    })
    expect(first.headers.get('tus-resumable')).toBe('1.0.0')
    expect((await head(url)).headers.get('upload-offset')).toBe('200000')
    const second = await patch(url, 200_000, bytes.subarray(200_000))
    expect(second.headers.get('upload-offset')).toBe(String(bytes.length))
    expect(sha256(await stored(id))).toBe(sha256(bytes))
    expect((await fileOf(id)).body.Timings.UploadedAt).not.toBeNull()
    const after = await head(url)
    expect(after.headers.get('upload-offset')).toBe(String(bytes.length))
    expect(after.headers.get('upload-expires')).toBeNull()
  })

  test('the upload URL of a file created with JSON supports tus, and PUT resumes where PATCH ended', async () => {
    const created = await server.call('POST', `/projects/${projectId}/files`, {
      body: { FileName: 'a.mp4', FileSize: bytes.length },
    })
    const { URI, TusURI } = created.body.Upload
    await patch(TusURI, 0, bytes.subarray(0, 100_000))
    const put = await request(URI, 'PUT', {
      body: bytes.subarray(100_000),
      headers: { 'Content-Range': `bytes 100000-${bytes.length - 1}/${bytes.length}` },
    })
    expect(put.body.IsComplete).toBe(true)
    expect(sha256(await stored(created.body.Id))).toBe(sha256(bytes))
  })

  test.each([1, 300_000, 600_000, 1e20])(
    'the wrong offset %i answers 409 and changes nothing',
    async (offset) => {
      const { url } = await create()
      await patch(url, 0, bytes.subarray(0, 1_000))
      const answer = await patch(url, offset, bytes.subarray(0, 10))
      expectStatus(answer, 409)
      expect(answer.headers.get('upload-offset')).toBe('1000')
      expect((await head(url)).headers.get('upload-offset')).toBe('1000')
      expectStatus(await patch(url, 0, bytes.subarray(0, 1_000)), 409)
    },
  )

  test.each(['', '-1', '1.5', '1e3', 'abc'])('the offset "%s" answers 400', async (offset) => {
    const { url } = await create()
    expectStatus(await patch(url, 0, bytes.subarray(0, 10), { 'Upload-Offset': offset }), 400)
  })

  test('PATCH without an offset answers 400, with another Content-Type 415', async () => {
    const { url } = await create()
    const body = bytes.subarray(0, 10)
    expectStatus(await request(url, 'PATCH', { headers: { ...version, ...bodyType }, body }), 400)
    for (const type of ['application/octet-stream', 'video/mp4', 'application/json', 'mp4'])
      expectStatus(await patch(url, 0, body, { 'Content-Type': type }), 415)
    expect((await head(url)).headers.get('upload-offset')).toBe('0')
  })

  test('a missing or unsupported version answers 412 with the supported versions, and changes nothing', async () => {
    const { url } = await create()
    for (const wrong of ['0.2.2', '2.0.0', '', null]) {
      const versionHeader: Record<string, string> = wrong === null ? {} : { 'Tus-Resumable': wrong }
      const offset = { ...bodyType, 'Upload-Offset': '0' }
      const answers = [
        await request(url, 'PATCH', { headers: { ...offset, ...versionHeader }, body: bytes }),
        await request(url, 'DELETE', { headers: versionHeader }),
        await request(`${server.url}/v3/projects/${projectId}/tus`, 'POST', {
          apiKey: server.apiKey,
          headers: { ...versionHeader, 'Upload-Length': '5' },
        }),
      ]
      for (const answer of answers) {
        expectStatus(answer, 412)
        expect(answer.headers.get('tus-version')).toBe('1.0.0')
      }
    }
    const headAnswer = await request(url, 'HEAD', { headers: { 'Tus-Resumable': '0.1.0' } })
    expect({ status: headAnswer.status, version: headAnswer.headers.get('tus-version') }).toEqual({
      status: 412,
      version: '1.0.0',
    })
    expect((await head(url)).headers.get('upload-offset')).toBe('0')
  })

  test('OPTIONS returns versions, extensions, algorithms and the largest size, at both addresses', async () => {
    const { url } = await create()
    for (const answer of [
      await request(url, 'OPTIONS'),
      await request(url, 'OPTIONS', { headers: { 'Tus-Resumable': '7' } }),
      await request(`${server.url}/v3/projects/${projectId}/tus`, 'OPTIONS', { apiKey: server.apiKey }),
    ]) {
      expect(answer.status).toBe(204)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'tus-version': '1.0.0',
        'tus-max-size': String(maxBytes),
        'tus-checksum-algorithm': 'sha1,sha256',
      })
      expect(answer.headers.get('tus-extension')?.split(',').sort()).toEqual([
        'checksum',
        'concatenation',
        'creation',
        'creation-defer-length',
        'creation-with-upload',
        'expiration',
        'termination',
      ])
    }
  })

  test('X-HTTP-Method-Override takes precedence over the method', async () => {
    const { url, id } = await create()
    const override = (method: string, headers: Record<string, string>, body?: Buffer) =>
      request(url, 'POST', {
        headers: { ...version, 'X-HTTP-Method-Override': method, ...headers },
        ...(body === undefined ? {} : { body }),
      })
    const patched = await override('PATCH', { ...bodyType, 'Upload-Offset': '0' }, bytes.subarray(0, 9))
    expect(patched.status).toBe(204)
    expect((await override('HEAD', {})).headers.get('upload-offset')).toBe('9')
    // "The actual method of the request MUST be ignored."
    const ended = await patch(url, 9, bytes.subarray(9), { 'X-HTTP-Method-Override': 'DELETE' })
    expect(ended.status).toBe(204)
    expect((await fileOf(id)).status).toBe(404)
    expect((await request(url, 'POST', { headers: version })).status).toBe(405)
  })

  test('GET and POST answer 405, and Allow lists the methods of uploads', async () => {
    const { url } = await create()
    for (const method of ['GET', 'POST']) {
      const { status, headers } = await request(url, method)
      expect(status).toBe(405)
      expect(headers.get('allow')).toBe('DELETE, HEAD, OPTIONS, PATCH, PUT')
    }
  })

  test('an unknown upload answers 404', async () => {
    const url = `${server.url}/uploads/${'a'.repeat(43)}`
    expectStatus(await patch(url, 0, bytes), 404)
    expectStatus(await request(url, 'DELETE', { headers: version }), 404)
    const answer = await head(url)
    expect({ status: answer.status, offset: answer.headers.get('upload-offset') }).toEqual({
      status: 404,
      offset: null,
    })
  })

  test('a body beyond the length answers 413, announced or not, and the correct rest is still accepted', async () => {
    const { url, id } = await create({ 'Upload-Length': '1000' })
    expectStatus(await patch(url, 0, bytes.subarray(0, 1_001)), 413)
    const path = new URL(url).pathname
    const chunked = await rawRequest(
      server.url,
      `PATCH ${path} HTTP/1.1\r\nHost: a\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3e9\r\n${'x'.repeat(1_001)}\r\n0\r\n\r\n`,
    )
    // The connection may end before the response is read.
    if (chunked !== null) expect(chunked.status).toBe(413)
    expect((await head(url)).headers.get('upload-offset')).toBe('0')
    expect((await patch(url, 0, bytes.subarray(0, 1_000))).status).toBe(204)
    expect(await stored(id)).toEqual(bytes.subarray(0, 1_000))
    expect((await patch(url, 1_000, Buffer.alloc(0))).status).toBe(204)
    expectStatus(await patch(url, 1_000, bytes.subarray(0, 1)), 413)
    expectStatus(await patch(url, 0, bytes.subarray(0, 1_000)), 409)
  })

  test('a HEAD ends the request that is still writing: its offset stays valid, and PATCH resumes there', async () => {
    const large = randomBytes(3_000_000)
    const { url, id } = await create({ 'Upload-Length': String(large.length) })
    const half = beginUpload(url, large, {
      sentBytes: 2_500_000,
      method: 'PATCH',
      headers: { ...version, ...bodyType, 'Upload-Offset': '0' },
    })
    const seen = await waitFor(
      async () => Number((await request(url, 'HEAD')).headers.get('upload-offset')),
      (offset) => offset >= 1_000_000,
    )
    const offset = Number((await head(url)).headers.get('upload-offset'))
    await half.ended
    expect(offset).toBeGreaterThanOrEqual(seen)
    expect((await patch(url, offset, large.subarray(offset))).status).toBe(204)
    expect(sha256(await stored(id))).toBe(sha256(large))
  })

  test('one of two concurrent writers succeeds, and their bytes never mix', async () => {
    const { url, id } = await create()
    const other = randomBytes(bytes.length)
    const answers = await Promise.allSettled([patch(url, 0, bytes), patch(url, 0, other)])
    const statuses = answers.map((one) => (one.status === 'fulfilled' ? one.value.status : 0))
    expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(1)
    const offset = Number((await head(url)).headers.get('upload-offset'))
    if (offset < bytes.length) await patch(url, offset, bytes.subarray(offset))
    const kept = await stored(id)
    expect(kept.length).toBe(bytes.length)
    if (statuses.includes(204)) expect([sha256(bytes), sha256(other)]).toContain(sha256(kept))
  })
})

describe('creation', () => {
  test('returns the file, and the upload URL as Location', async () => {
    const metadata = `filename ${base64('Über uns.mp4')},filetype ${base64('video/mp4')},title ${base64('Über uns')},empty`
    const { url, answer } = await create({ 'Upload-Length': '5', 'Upload-Metadata': metadata })
    expect(url).toMatch(new RegExp(`^${server.url}/uploads/[A-Za-z0-9_-]{43}$`))
    expect(answer.body).toMatchObject({
      Status: 'created',
      Metadata: { OriginalFileName: 'Über uns.mp4', Title: 'Über uns' },
      Upload: { URI: url, TusURI: url },
    })
    // "HEAD responses MUST include the Upload-Metadata header and its value as specified by the Client during
    // the creation."
    expect((await head(url)).headers.get('upload-metadata')).toBe(metadata)
  })

  test('accepts all metadata of a file as JSON', async () => {
    const json = base64(JSON.stringify({ Title: 'From JSON', Tags: ['a', 'b'] }))
    const { answer } = await create({ 'Upload-Length': '5', 'Upload-Metadata': `metadata ${json}` })
    expect(answer.body.Metadata).toMatchObject({ Title: 'From JSON', Tags: ['a', 'b'] })
  })

  test.each([
    ['a value that is not base64', 'filename ???'],
    ['an empty key', `a ${base64('a')},,b ${base64('b')}`],
    ['a duplicate key', `a ${base64('a')},a ${base64('b')}`],
    ['three words', `a ${base64('a')} b`],
    ['metadata that is not JSON', `metadata ${base64('{')}`],
    ['metadata of a wrong type', `metadata ${base64('{"Title":5}')}`],
    ['an unknown category', `metadata ${base64('{"Category":[999999]}')}`],
    ['NUL in a title', `title ${base64('a\0b')}`],
  ])('%s in Upload-Metadata answers 400', async (_what, metadata) => {
    expectStatus(await post({ 'Upload-Length': '5', 'Upload-Metadata': metadata }), 400)
  })

  test('requires exactly one of Upload-Length and Upload-Defer-Length', async () => {
    expectStatus(await post({}), 400)
    expectStatus(await post({ 'Upload-Length': '5', 'Upload-Defer-Length': '1' }), 400)
    expectStatus(await post({ 'Upload-Defer-Length': '2' }), 400)
    for (const length of ['0', '-5', 'abc', '5.5', ''])
      expectStatus(await post({ 'Upload-Length': length }), 400)
  })

  test('above Tus-Max-Size or the quota answers 413', async () => {
    for (const length of [String(maxBytes + 1), '1125899906842624', '9'.repeat(40)])
      expectStatus(await post({ 'Upload-Length': length }), 413)
    await server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: 1_000 } })
    expectStatus(await post({ 'Upload-Length': '1001' }), 413)
    expectStatus(await post({ 'Upload-Length': '1001', 'Upload-Concat': 'partial' }), 413)
  })

  test('may include the first bytes, or all of them', async () => {
    const first = await post({ 'Upload-Length': String(bytes.length), ...bodyType }, bytes.subarray(0, 1_000))
    expect({ status: first.status, offset: first.headers.get('upload-offset') }).toEqual({
      status: 201,
      offset: '1000',
    })
    const url = first.headers.get('location') ?? ''
    expect((await patch(url, 1_000, bytes.subarray(1_000))).status).toBe(204)
    expect(sha256(await stored(first.body.Id))).toBe(sha256(bytes))
    const whole = await post({ 'Upload-Length': String(bytes.length), ...bodyType }, bytes)
    expect(whole.headers.get('upload-offset')).toBe(String(bytes.length))
    expect(whole.body.Timings.UploadedAt).not.toBeNull()
    expectStatus(await post({ 'Upload-Length': '5', 'Content-Type': 'video/mp4' }, bytes.subarray(0, 5)), 415)
  })

  test('may defer the length until one PATCH sends it', async () => {
    const { url, id } = await create({ 'Upload-Defer-Length': '1' })
    const open = await head(url)
    expect([open.headers.get('upload-defer-length'), open.headers.get('upload-length')]).toEqual(['1', null])
    await patch(url, 0, bytes.subarray(0, 1_000))
    const length = { 'Upload-Length': String(bytes.length) }
    expectStatus(await patch(url, 1_000, bytes.subarray(0, 1), { 'Upload-Length': '999' }), 400)
    expectStatus(await patch(url, 1_000, bytes, { 'Upload-Length': String(maxBytes + 1) }), 413)
    expect((await patch(url, 1_000, bytes.subarray(1_000, 2_000), length)).status).toBe(204)
    const known = await head(url)
    expect([known.headers.get('upload-defer-length'), known.headers.get('upload-length')]).toEqual([
      null,
      String(bytes.length),
    ])
    expectStatus(await patch(url, 2_000, bytes.subarray(2_000), { 'Upload-Length': '700000' }), 400)
    expect((await patch(url, 2_000, bytes.subarray(2_000))).status).toBe(204)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test('with a deferred length completes when the length arrives after the last byte', async () => {
    const { url, id } = await create({ 'Upload-Defer-Length': '1' })
    await patch(url, 0, bytes)
    const answer = await patch(url, bytes.length, Buffer.alloc(0), { 'Upload-Length': String(bytes.length) })
    expect(answer.status).toBe(204)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test.each([
    ['a wrong checksum', { 'Upload-Checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` }, 460],
    ['an unknown algorithm', { 'Upload-Checksum': 'md5 AAAA' }, 400],
    ['more bytes than announced', { 'Upload-Length': '999' }, 413],
    ['a part with half a checksum', { 'Upload-Concat': 'partial', 'Upload-Checksum': 'sha1 ' }, 400],
    ['a part with more bytes than announced', { 'Upload-Concat': 'partial', 'Upload-Length': '999' }, 413],
  ])('leaves nothing behind when its first bytes are refused: %s', async (_what, headers, status) => {
    const before = await readdir(join(server.dataFolder, 'uploads'))
    const answer = await post({ 'Upload-Length': '2000', ...bodyType, ...headers }, bytes.subarray(0, 1_000))
    expectStatus(answer, status)
    expect((await server.call('GET', `/projects/${projectId}/files`)).body.TotalCount).toBe(0)
    expect(await readdir(join(server.dataFolder, 'uploads'))).toEqual(before)
    const parts = server.services.database.kysely.selectFrom('upload_parts').select('staging_name')
    expect(await parts.where('project_id', '=', projectId).execute()).toEqual([])
  })

  test('requires a key that may upload, and an existing project', async () => {
    const send = (apiKey: string | null, project: number) =>
      request(`${server.url}/v3/projects/${project}/tus`, 'POST', {
        apiKey,
        headers: { ...version, 'Upload-Length': '5' },
      })
    expectStatus(await send(null, projectId), 401)
    expectStatus(await send(await server.newKey({ role: 'Reader' }), projectId), 403)
    expectStatus(await send(server.apiKey, 0), 400)
    expectStatus(await send(server.apiKey, 999_999), 404)
    expectStatus(await send(await server.newKey({ inNewAccount: true }), projectId), 404)
  })
})

describe('expiration', () => {
  test('is returned at creation, by HEAD and by every PATCH, and extended by new bytes', async () => {
    const { url, answer } = await create()
    const expiries = [answer, await head(url), await patch(url, 0, bytes.subarray(0, 10))].map(
      ({ headers }) => headers.get('upload-expires'),
    )
    for (const expires of expiries) {
      expect(expires).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
      expect(Date.parse(expires ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    }
  })

  test('of uploads and of parts makes both answer 404', async () => {
    const { url } = await create()
    const part =
      (await post({ 'Upload-Length': '5', 'Upload-Concat': 'partial' })).headers.get('location') ?? ''
    const { kysely } = server.services.database
    await kysely
      .updateTable('uploads')
      .set({ expires_at: new Date(0) })
      .execute()
    await kysely
      .updateTable('upload_parts')
      .set({ expires_at: new Date(0) })
      .execute()
    for (const gone of [url, part]) expectStatus(await patch(gone, 0, bytes.subarray(0, 5)), 404)
  })
})

describe('a checksum of the bytes of a request', () => {
  test.each(['sha1', 'sha256'])('that is correct is accepted: %s', async (algorithm) => {
    const { url } = await create()
    const digest = createHash(algorithm).update(bytes.subarray(0, 1_000)).digest('base64')
    const answer = await patch(url, 0, bytes.subarray(0, 1_000), {
      'Upload-Checksum': `${algorithm} ${digest}`,
    })
    expect({ status: answer.status, offset: answer.headers.get('upload-offset') }).toEqual({
      status: 204,
      offset: '1000',
    })
  })

  test('that is wrong answers 460 and drops only these bytes', async () => {
    const { url, id } = await create()
    await patch(url, 0, bytes.subarray(0, 1_000))
    const digest = createHash('sha1').update('something else').digest('base64')
    const wrong = await patch(url, 1_000, bytes.subarray(1_000), { 'Upload-Checksum': `sha1 ${digest}` })
    expectStatus(wrong, 460)
    expect((await head(url)).headers.get('upload-offset')).toBe('1000')
    const right = createHash('sha1').update(bytes.subarray(1_000)).digest('base64')
    expect(
      (await patch(url, 1_000, bytes.subarray(1_000), { 'Upload-Checksum': `sha1 ${right}` })).status,
    ).toBe(204)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test.each(['md5 AAAA', 'sha1', 'sha1 ???', 'sha1 AAAA', ''])(
    'that is malformed answers 400: %s',
    async (value) => {
      const { url } = await create()
      expectStatus(await patch(url, 0, bytes, { 'Upload-Checksum': value }), 400)
      expect((await head(url)).headers.get('upload-offset')).toBe('0')
    },
  )

  test('of an interrupted request drops its bytes, which cannot be verified', async () => {
    const large = randomBytes(3_000_000)
    const { url, id } = await create({ 'Upload-Length': String(large.length) })
    const checksum = (data: Buffer) => `sha256 ${createHash('sha256').update(data).digest('base64')}`
    const half = beginUpload(url, large, {
      sentBytes: 2_500_000,
      method: 'PATCH',
      headers: { ...version, ...bodyType, 'Upload-Offset': '0', 'Upload-Checksum': checksum(large) },
    })
    const { disk: staging } = server.services.stagings
    await waitFor(
      async () =>
        Math.max(
          0,
          ...(await Promise.all((await staging.list()).map(({ name }) => staging.sizeOf(name)))).map(Number),
        ),
      (size) => size >= 1_000_000,
    )
    // The bytes do not count even while they are being written.
    expect((await request(url, 'HEAD')).headers.get('upload-offset')).toBe('0')
    half.cut()
    await half.ended
    expect((await head(url)).headers.get('upload-offset')).toBe('0')
    expect((await patch(url, 0, large, { 'Upload-Checksum': checksum(large) })).status).toBe(204)
    expect(sha256(await stored(id))).toBe(sha256(large))
  })
})

describe('termination', () => {
  test('answers 204 and deletes the upload, its bytes and the record of its file', async () => {
    const { url, id } = await create()
    await patch(url, 0, bytes.subarray(0, 1_000))
    const before = (await server.services.stagings.disk.list()).length
    const answer = await request(url, 'DELETE', { headers: version })
    expect({ status: answer.status, version: answer.headers.get('tus-resumable') }).toEqual({
      status: 204,
      version: '1.0.0',
    })
    expectStatus(await patch(url, 1_000, bytes.subarray(1_000)), 404)
    expectStatus(await request(url, 'DELETE', { headers: version }), 404)
    expect((await fileOf(id)).status).toBe(404)
    expect((await server.services.stagings.disk.list()).length).toBe(before - 1)
  })

  test('of an upload that is being written ends the writer', async () => {
    const { url } = await create()
    const half = beginUpload(url, bytes, {
      sentBytes: 300_000,
      method: 'PATCH',
      headers: { ...version, ...bodyType, 'Upload-Offset': '0' },
    })
    await waitFor(
      () => server.services.stagings.disk.list(),
      (list) => list.length > 0,
    )
    expect((await request(url, 'DELETE', { headers: version })).status).toBe(204)
    await half.ended
    expect((await head(url)).status).toBe(404)
  })

  test('of a complete upload answers 409, because the URL of an upload must not delete a video', async () => {
    const { url, id } = await create()
    await patch(url, 0, bytes)
    expectStatus(await request(url, 'DELETE', { headers: version }), 409)
    expect((await fileOf(id)).status).toBe(200)
  })
})

test('a browser of any origin may read every header that tus needs, also of a refusal', async () => {
  const { url } = await create()
  const preflight = await request(url, 'OPTIONS', {
    headers: {
      Origin: 'https://example.com',
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'tus-resumable, upload-offset, upload-checksum, content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toMatch(/PATCH.*|DELETE/)
  for (const name of ['tus-resumable', 'upload-offset', 'upload-length', 'upload-checksum', 'content-type'])
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(name)
  const refused = await patch(url, 5, bytes)
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  for (const name of ['Upload-Offset', 'Upload-Length', 'Tus-Resumable', 'Location', 'Upload-Expires'])
    expect(refused.headers.get('access-control-expose-headers')).toContain(name)
})
