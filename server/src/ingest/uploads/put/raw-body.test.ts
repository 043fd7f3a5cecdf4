import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { beginUpload } from '../test-support/half-upload.ts'

let server: TestServer
let projectId: number
let files: string

beforeAll(async () => {
  server = await startTestServer()
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Raw' } })).body.Id
  files = `/projects/${projectId}/files`
})

afterAll(() => server.stop())

const MiB = 1024 * 1024
const bytes = randomBytes(2 * MiB)
const post = (path: string, headers: Record<string, string> = {}, body: Buffer = bytes) =>
  server.call('POST', path, { body, headers: { 'Content-Type': 'video/mp4', ...headers } })
const staged = () => readdir(join(server.dataFolder, 'uploads'))
const count = async (): Promise<number> => (await server.call('GET', files)).body.TotalCount

test.each([
  'video/mp4',
  'video/x-matroska',
  'audio/wav',
  'application/octet-stream',
  'Video/MP4; codecs="avc1"',
])('a body of the type %s becomes a file after its last byte', async (type) => {
  const answer = await post(`${files}?fileName=clip.mp4`, { 'Content-Type': type })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('location')).toBe(`${server.url}/v3${files}/${answer.body.Id}`)
  expect(answer.body.Timings.UploadedAt).not.toBeNull()
  expect(answer.body.Upload).toBeUndefined()
  const stored = await server.services.blobs.read(`a1/p${projectId}/f${answer.body.Id}/source`)
  expect(stored.equals(bytes)).toBe(true)
  expect(await staged()).toEqual([])
})

test.each<[string, string, Record<string, string>]>([
  ['interview.mp4', '?fileName=interview.mp4', {}],
  ['Überraschung 🎬.mp4', `?FILENAME=${encodeURIComponent('Überraschung 🎬.mp4')}`, {}],
  ['passwd', `?fileName=${encodeURIComponent('../../etc/passwd')}`, {}],
  ['evil.mp4', `?fileName=${encodeURIComponent('C:\\temp\\evil.mp4')}`, {}],
  ['ab.mp4', '?fileName=a%00b.mp4', {}],
  ['untitled', '?fileName=..', {}],
  ['plain.mp4', '', { 'Content-Disposition': 'attachment; filename=plain.mp4' }],
  [
    'with "quotes".mp4',
    '',
    { 'Content-Disposition': String.raw`attachment; filename="with \"quotes\".mp4"` },
  ],
  ['Ä.mp4', '', { 'Content-Disposition': "attachment; filename=A.mp4; filename*=UTF-8''%C3%84.mp4" }],
  ['query.mp4', '?fileName=query.mp4', { 'Content-Disposition': 'attachment; filename=header.mp4' }],
  ['upload', '', {}],
])('the name is %s for %s %j', async (name, query, headers) => {
  const { status, body } = await post(`${files}${query}`, headers)
  expect(status).toBe(201)
  expect(body.Metadata.OriginalFileName).toBe(name)
  expect(body.Name).toMatch(/^[\p{L}\p{N}._/-]+$/u)
  expect(body.Name).not.toContain('..')
})

test('an unknown project answers 404, an empty body 400, and neither leaves anything behind', async () => {
  const before = await count()
  expectProblem(await post('/projects/999999/files'), 'not_found')
  expectProblem(await post(files, {}, Buffer.alloc(0)), 'invalid')
  expect(await count()).toBe(before)
  expect(await staged()).toEqual([])
})

test('a body above the quota answers 413 before its bytes are read', async () => {
  const { body: project } = await server.call('POST', '/projects', {
    body: { Name: 'Small', StorageQuotaBytes: MiB },
  })
  expectProblem(await post(`/projects/${project.Id}/files`), 'quota_exceeded')
  expect((await server.call('GET', `/projects/${project.Id}`)).body).toMatchObject({
    FileCount: 0,
    StorageBytes: 0,
  })
})

test('a sender that disconnects leaves nothing behind', async () => {
  const before = await count()
  const half = beginUpload(`${server.url}/v3${files}`, bytes, {
    sentBytes: MiB + 1,
    method: 'POST',
    headers: { Authorization: `Bearer ${server.apiKey}`, 'Content-Type': 'video/mp4' },
  })
  await waitFor(staged, (names) => names.length === 1)
  half.cut()
  await half.ended
  await waitFor(staged, (names) => names.length === 0)
  expect(await count()).toBe(before)
})

test('an upload of 128 MiB is not held in memory', async () => {
  const size = 128 * MiB
  const created = await server.call('POST', files, { body: { FileName: 'large.bin', FileSize: size } })
  const block = randomBytes(MiB)
  const hash = createHash('sha256')
  // Warms up, so that modules and code compiled by the first upload do not count.
  await post(files)
  const before = process.memoryUsage().rss
  let peak = before
  const answered = new Promise<number>((resolve, reject) => {
    const sending = httpRequest(
      created.body.Upload.URI,
      { method: 'PUT', headers: { 'Content-Length': String(size) } },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    sending.on('error', reject)
    let sent = 0
    const send = (): void => {
      while (sent < size) {
        sent += MiB
        hash.update(block)
        peak = Math.max(peak, process.memoryUsage().rss)
        if (!sending.write(block)) return void sending.once('drain', send)
      }
      sending.end()
    }
    send()
  })
  expect(await answered).toBe(200)
  expect(Math.round((peak - before) / MiB)).toBeLessThan(64)
  const stored = createHash('sha256')
  for await (const chunk of await server.services.blobs.stream(`a1/p${projectId}/f${created.body.Id}/source`))
    stored.update(chunk as Buffer)
  expect(stored.digest('hex')).toBe(hash.digest('hex'))
})
