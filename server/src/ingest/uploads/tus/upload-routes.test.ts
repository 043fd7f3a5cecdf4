import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { rawRequest } from '../../../platform/http/test-support/raw-request.ts'
import { beginUpload } from '../test-support/half-upload.ts'

let server: TestServer
let projectId: number
let files: string

const maxBytes = 4_000_000

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_UPLOAD_MAX_BYTES: String(maxBytes) } })
})

afterAll(() => server.stop())

beforeEach(async () => {
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Uploads' } })).body.Id
  files = `/projects/${projectId}/files`
})

const bytes = randomBytes(600_000)
const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

const create = async (body: object = {}) => {
  const answer = await server.call('POST', files, { body: { FileName: 'clip.mp4', ...body } })
  expect(answer.status).toBe(201)
  return { id: answer.body.Id as number, url: answer.body.Upload.URI as string }
}

const put = (url: string, body: Buffer, headers: Record<string, string> = {}) =>
  request(url, 'PUT', { body, headers })

/** Sends the bytes `first` to `last`, inclusive, as one chunk. */
const putChunk = (url: string, first: number, last: number, total: number | '*' = bytes.length) =>
  put(url, bytes.subarray(first, last + 1), { 'Content-Range': `bytes ${first}-${last}/${total}` })

const offsetOf = async (url: string) => {
  const { headers } = await request(url, 'HEAD')
  return Number(headers.get('upload-offset'))
}

const storedHash = async (id: number): Promise<string> =>
  sha256(await server.services.blobs.read(`a1/p${projectId}/f${id}/source`))
const staged = () => readdir(join(server.dataFolder, 'uploads'))
const fileRecord = async (id: number) => (await server.call('GET', `${files}/${id}`)).body

test('a complete body is stored unchanged, and needs no API key', async () => {
  const { id, url } = await create({ FileSize: bytes.length })
  const answer = await put(url, bytes)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ Offset: bytes.length, Size: bytes.length, IsComplete: true })
  expect(await storedHash(id)).toBe(sha256(bytes))
  expect((await fileRecord(id)).Timings.UploadedAt).toMatch(/\+00:00$/)
  expect((await server.call('GET', `/projects/${projectId}`)).body.StorageBytes).toBe(bytes.length)
})

test('a file of unknown size is complete with its body, with and without Content-Length', async () => {
  const withLength = await create()
  expect((await put(withLength.url, bytes)).body.IsComplete).toBe(true)
  const withoutLength = await create()
  const stream = new Blob([new Uint8Array(bytes)]).stream()
  const response = await fetch(withoutLength.url, {
    method: 'PUT',
    body: stream,
    duplex: 'half',
  } as RequestInit)
  expect(await response.json()).toEqual({ Offset: bytes.length, Size: bytes.length, IsComplete: true })
  expect(await storedHash(withoutLength.id)).toBe(sha256(bytes))
})

describe('in chunks', () => {
  test('an upload is complete with its last byte, and each response contains the offset', async () => {
    const { id, url } = await create({ FileSize: bytes.length })
    const first = await putChunk(url, 0, 199_999)
    expect(first.body).toEqual({ Offset: 200_000, Size: bytes.length, IsComplete: false })
    expect(first.headers.get('upload-offset')).toBe('200000')
    expect((await fileRecord(id)).Timings.UploadedAt).toBeNull()
    await putChunk(url, 200_000, 399_999)
    expect((await putChunk(url, 400_000, 599_999)).body.IsComplete).toBe(true)
    expect(await storedHash(id)).toBe(sha256(bytes))
  })

  test('the chunks may announce the size, even only the last one', async () => {
    const { id, url } = await create()
    expect((await putChunk(url, 0, 199_999, '*')).body).toEqual({
      Offset: 200_000,
      Size: null,
      IsComplete: false,
    })
    expect((await putChunk(url, 200_000, 599_999)).body.IsComplete).toBe(true)
    expect(await storedHash(id)).toBe(sha256(bytes))
  })

  test('a repeated or overlapping one changes nothing', async () => {
    const { id, url } = await create({ FileSize: bytes.length })
    await putChunk(url, 0, 299_999)
    expect((await putChunk(url, 0, 299_999)).body.Offset).toBe(300_000)
    expect((await putChunk(url, 100_000, 199_999)).body.Offset).toBe(300_000)
    expect((await putChunk(url, 200_000, 449_999)).body.Offset).toBe(450_000)
    expect((await putChunk(url, 300_000, 599_999)).body.IsComplete).toBe(true)
    expect(await storedHash(id)).toBe(sha256(bytes))
  })

  test('one after a gap answers 409 with the expected offset', async () => {
    const { url } = await create({ FileSize: bytes.length })
    await putChunk(url, 0, 99_999)
    const answer = await putChunk(url, 200_000, 299_999)
    expectProblem(answer, 'conflict')
    expect(answer.headers.get('upload-offset')).toBe('100000')
    expect(await offsetOf(url)).toBe(100_000)
  })

  test.each([
    'bytes=0-9/600000',
    'bytes 9-0/600000',
    'bytes 0-9',
    'bytes 0-9/5',
    'bytes 0-600000/600000',
    'bytes 0-9/700000',
    'bytes -9/600000',
    'bytes 0-/600000',
    'bytes 0-99/600000',
    'bytes 0x0-9/600000',
    'chunks 0-9/600000',
    'bytes 0-9/600000, bytes 10-19/600000',
    'bytes 0-99999999999999999999/600000',
    'nonsense',
  ])('one of ten bytes with Content-Range: %s answers 400', async (contentRange) => {
    const { url } = await create({ FileSize: bytes.length })
    expectProblem(await put(url, bytes.subarray(0, 10), { 'Content-Range': contentRange }), 'invalid')
    expect(await offsetOf(url)).toBe(0)
  })
})

describe('the offset', () => {
  test('is returned by HEAD and by an empty PUT of bytes */n', async () => {
    const { url } = await create({ FileSize: bytes.length })
    await putChunk(url, 0, 99_999)
    const head = await request(url, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.headers.get('upload-offset')).toBe('100000')
    expect(head.headers.get('upload-length')).toBe(String(bytes.length))
    expect(head.headers.get('cache-control')).toBe('no-store')
    for (const total of [String(bytes.length), '*']) {
      const asked = await put(url, Buffer.alloc(0), { 'Content-Range': `bytes */${total}` })
      expect(asked.body).toEqual({ Offset: 100_000, Size: bytes.length, IsComplete: false })
    }
  })

  test('is 0 before the first byte and the size after the last', async () => {
    const { url } = await create({ FileSize: bytes.length })
    expect(await offsetOf(url)).toBe(0)
    await put(url, bytes)
    expect(await offsetOf(url)).toBe(bytes.length)
  })
})

test('a body of another length than FileSize answers 400, and the correct one is still accepted', async () => {
  const { url } = await create({ FileSize: bytes.length })
  for (const wrong of [bytes.subarray(1), Buffer.concat([bytes, bytes.subarray(0, 1)])])
    expectProblem(await put(url, wrong), 'invalid')
  const withoutLength = await rawRequest(
    url,
    `PUT ${new URL(url).pathname} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
    '3\r\nabc\r\n0\r\n\r\n',
  )
  expect({ status: withoutLength?.status, message: withoutLength?.body.error.message }).toEqual({
    status: 400,
    message: expect.stringContaining('The body had 3 bytes'),
  })
  expect((await put(url, bytes)).body.IsComplete).toBe(true)
})

test('a chunked body that is longer than announced answers with the announced size', async () => {
  await server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: 1_000_000_000 } })
  const send = async (method: string, url: string, header: string) => {
    const answer = await rawRequest(
      url,
      `${method} ${new URL(url).pathname} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n${header}\r\n`,
      '6\r\nabcdef\r\n0\r\n\r\n',
    )
    return { status: answer?.status, reason: answer?.body.error.reason, params: answer?.body.error.params }
  }
  const tus = 'Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\n'
  for (const [method, header] of [
    ['PUT', ''],
    ['PATCH', tus],
  ] as const)
    expect(await send(method, (await create({ FileSize: 5 })).url, header)).toEqual({
      status: 413,
      reason: 'upload_length_exceeded',
      params: { uploadBytes: 5 },
    })
  for (const FileSize of [100, undefined])
    expect(await send('PUT', (await create({ FileSize })).url, 'Content-Range: bytes 0-4/100\r\n')).toEqual({
      status: 400,
      reason: 'content_range_exceeded',
      params: { rangeBytes: 5 },
    })
})

test('an empty body answers 400', async () => {
  const { id, url } = await create()
  expectProblem(await put(url, Buffer.alloc(0)), 'invalid')
  expectProblem(await put(url, Buffer.alloc(0), { 'Content-Range': 'bytes */0' }), 'invalid')
  expect((await fileRecord(id)).Timings.UploadedAt).toBeNull()
  expect((await put(url, bytes)).body.IsComplete).toBe(true)
})

describe('an upload answers 413 for', () => {
  test('a size above the limit, announced in advance', async () => {
    expectProblem(
      await server.call('POST', files, { body: { FileName: 'a.mp4', FileSize: maxBytes + 1 } }),
      'too_large',
    )
    const { url } = await create()
    expectProblem(await put(url, Buffer.alloc(maxBytes + 1)), 'too_large')
    for (const total of [maxBytes + 1, '9'.repeat(40)])
      expectProblem(await put(url, Buffer.alloc(10), { 'Content-Range': `bytes 0-9/${total}` }), 'too_large')
  })

  test('a body that grows above the limit without notice', async () => {
    const { url } = await create()
    const stream = new Blob([new Uint8Array(maxBytes + 100_000)]).stream()
    const sending = fetch(url, { method: 'PUT', body: stream, duplex: 'half' } as RequestInit)
    // The server need not read the rest: the connection may end before fetch has the response.
    const status = await sending.then((response) => response.status).catch(() => 413)
    expect(status).toBe(413)
    expect(await offsetOf(url)).toBeLessThanOrEqual(maxBytes)
  })

  test('more bytes than the quota of the project, announced or not', async () => {
    await server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: bytes.length } })
    expectProblem(
      await server.call('POST', files, { body: { FileName: 'a.mp4', FileSize: bytes.length + 1 } }),
      'quota_exceeded',
    )
    const [first, second] = [await create(), await create()]
    expect((await put(first.url, bytes)).body.IsComplete).toBe(true)
    expectProblem(await put(second.url, bytes.subarray(0, 1_000)), 'quota_exceeded')
    expect((await server.call('GET', `/projects/${projectId}`)).body.StorageBytes).toBe(bytes.length)
    await expect(storedHash(second.id)).rejects.toThrow('There is no blob')
  })
})

describe('a checksum', () => {
  test.each([sha256(bytes), `sha256:${sha256(bytes)}`, sha256(bytes).toUpperCase()])(
    'that is correct is stored: %.12s',
    async (Checksum) => {
      const { id, url } = await create({ Checksum })
      expect((await put(url, bytes)).body.IsComplete).toBe(true)
      expect((await fileRecord(id)).Checksum).toBe(`sha256:${sha256(bytes)}`)
    },
  )

  test('that is wrong answers 400 and drops the bytes; the correct ones are still accepted', async () => {
    const { id, url } = await create({ Checksum: sha256(bytes), FileSize: bytes.length })
    expectProblem(await put(url, Buffer.alloc(bytes.length)), 'invalid')
    expect(await offsetOf(url)).toBe(0)
    expect((await fileRecord(id)).Timings.UploadedAt).toBeNull()
    expect((await put(url, bytes)).body.IsComplete).toBe(true)
    expect(await storedHash(id)).toBe(sha256(bytes))
  })

  test.each(['abc', 'md5:0123', `${'a'.repeat(63)}g`])(
    'that is malformed answers 400: %s',
    async (Checksum) => {
      expectProblem(await server.call('POST', files, { body: { FileName: 'a.mp4', Checksum } }), 'invalid')
    },
  )
})

describe('a completed upload', () => {
  test('that is sent again changes nothing, whatever the bytes', async () => {
    const { id, url } = await create({ FileSize: bytes.length })
    await put(url, bytes)
    const done = { Offset: bytes.length, Size: bytes.length, IsComplete: true }
    expect((await put(url, bytes)).body).toEqual(done)
    expect((await put(url, randomBytes(bytes.length))).body).toEqual(done)
    expect((await putChunk(url, 0, 99)).body).toEqual(done)
    expect(await storedHash(id)).toBe(sha256(bytes))
    expect((await server.call('GET', `/projects/${projectId}`)).body.StorageBytes).toBe(bytes.length)
  })

  test('has one job and one event, also when several requests completed it at once', async () => {
    const { id, url } = await create({ FileSize: bytes.length })
    await putChunk(url, 0, 599_998)
    await Promise.allSettled([1, 2, 3, 4].map(() => putChunk(url, 599_999, 599_999)))
    expect(
      (await put(url, Buffer.alloc(0), { 'Content-Range': `bytes */${bytes.length}` })).body.IsComplete,
    ).toBe(true)
    expect(await storedHash(id)).toBe(sha256(bytes))
    expect((await server.call('GET', `/projects/${projectId}`)).body.StorageBytes).toBe(bytes.length)
  })
})

test('a connection that breaks in the middle of a body keeps the received bytes, and the upload resumes there', async () => {
  const large = randomBytes(3_000_000)
  const { id, url } = await create({ FileSize: large.length })
  const half = beginUpload(url, large, { sentBytes: 2_000_000 })
  const seen = await waitFor(
    () => offsetOf(url),
    (offset) => offset >= 1_000_000,
  )
  half.cut()
  await half.ended
  const offset = await offsetOf(url)
  expect(offset).toBeGreaterThanOrEqual(seen)
  const rest = { 'Content-Range': `bytes ${offset}-${large.length - 1}/${large.length}` }
  expect((await put(url, large.subarray(offset), rest)).body.IsComplete).toBe(true)
  expect(await storedHash(id)).toBe(sha256(large))
})

test('the later of two writers takes over and the earlier one is disconnected', async () => {
  const { id, url } = await create({ FileSize: bytes.length })
  const before = (await staged()).length
  const first = beginUpload(url, Buffer.alloc(bytes.length), { sentBytes: 300_000 })
  await waitFor(staged, (names) => names.length > before)
  expect((await put(url, bytes)).body.IsComplete).toBe(true)
  await first.ended
  expect(await storedHash(id)).toBe(sha256(bytes))
})

test('an upload whose file is deleted answers 404 and its bytes are dropped', async () => {
  const { id, url } = await create({ FileSize: bytes.length })
  await putChunk(url, 0, 99_999)
  expect((await server.call('DELETE', `${files}/${id}`)).status).toBe(200)
  expectProblem(await putChunk(url, 100_000, 599_999), 'not_found')
  expect((await request(url, 'HEAD')).status).toBe(404)
  await expect(storedHash(id)).rejects.toThrow('There is no blob')
})

test('an unknown upload answers 404', async () => {
  for (const token of ['abc', 'a'.repeat(43), '%00', '..%2f..%2fetc', 'a'.repeat(600)]) {
    expectProblem(await put(`${server.url}/uploads/${token}`, bytes.subarray(0, 10)), 'not_found')
    expect((await request(`${server.url}/uploads/${token}`, 'HEAD')).status).toBe(404)
  }
})

test('an expired upload answers 404, a completed one stays readable', async () => {
  const [open, done] = [await create(), await create()]
  await put(done.url, bytes)
  await server.services.database.kysely
    .updateTable('uploads')
    .set({ expires_at: new Date(0) })
    .execute()
  expectProblem(await put(open.url, bytes), 'not_found')
  expect((await put(done.url, bytes)).body.IsComplete).toBe(true)
})

test('a browser of any origin may upload', async () => {
  const { url } = await create()
  const headers = {
    Origin: 'https://example.com',
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'content-range',
  }
  const preflight = await request(url, 'OPTIONS', { headers })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-range')
  const answer = await put(url, bytes, { Origin: 'https://example.com' })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-expose-headers')).toContain('Upload-Offset')
  const refused = await put(`${server.url}/uploads/abc`, bytes)
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
})

test.each([
  undefined,
  'mp4',
  'video/mp4; =',
  'video/mp4',
  'application/json',
  'text/plain',
  'multipart/form-data; boundary=x',
])('the content type %s of the bytes is ignored', async (type) => {
  const { id, url } = await create()
  const answer = await put(url, bytes, type === undefined ? {} : { 'Content-Type': type })
  expect(answer.body.IsComplete).toBe(true)
  expect(await storedHash(id)).toBe(sha256(bytes))
})

test('a sender that keeps writing after a refusal can read the response', async () => {
  const large = Buffer.alloc(32 * 1024 * 1024)
  const { url } = await create({ FileSize: bytes.length })
  for (const [address, status] of [
    [`${server.url}/uploads/abc`, 404],
    [url, 400],
  ] as const) {
    const answered = new Promise((resolve, reject) => {
      const sending = httpRequest(address, { method: 'PUT', headers: { 'Content-Length': large.length } })
      let seen: number | undefined
      sending.on('response', (response) => {
        seen = response.statusCode
        response.resume()
      })
      // Only a body written to its end passes every stage of the refusal.
      sending.on('finish', () => sending.on('close', () => resolve(seen)))
      sending.on('error', reject)
      sending.end(large)
    })
    expect(await answered).toBe(status)
  }
})

test('completed uploads leave nothing in the staging folder', async () => {
  const { url } = await create()
  const before = await staged()
  await put(url, bytes)
  expect(await staged()).toEqual(before)
})
