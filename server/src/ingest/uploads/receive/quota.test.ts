import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let projectId: number

const quotaBytes = 100_000
const bytes = randomBytes(1_000_000)

beforeAll(async () => {
  server = await startTestServer()
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Quota', StorageQuotaBytes: quotaBytes },
  })
  projectId = project.body.Id
})

afterAll(() => server.stop())

const create = async (): Promise<string> =>
  (await server.call('POST', `/projects/${projectId}/files`, { body: { FileName: 'clip.mp4' } })).body.Upload
    .URI

const stagedBytes = async (): Promise<number> => {
  const folder = join(server.dataFolder, 'uploads')
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return Math.max(0, ...sizes)
}

const tus = { 'Tus-Resumable': '1.0.0' }
const patch = { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }

test.each<[string, 'PUT' | 'PATCH', number, Record<string, string>]>([
  ['PUT', 'PUT', bytes.length, {}],
  ['PUT of a chunk', 'PUT', bytes.length, { 'Content-Range': `bytes 0-${bytes.length - 1}/*` }],
  ['PUT of a chunk with a total', 'PUT', 1_000, { 'Content-Range': `bytes 0-999/${bytes.length}` }],
  ['PATCH', 'PATCH', bytes.length, patch],
  ['PATCH with a length', 'PATCH', 1_000, { ...patch, 'Upload-Length': String(bytes.length) }],
])(
  'refuses a %s beyond the quota before its bytes, when the file was created without a size',
  async (_name, method, length, headers) => {
    const url = await create()
    expectProblem(await request(url, method, { body: bytes.subarray(0, length), headers }), 'quota_exceeded')
    expect((await request(url, 'HEAD')).headers.get('upload-offset')).toBe('0')
  },
)

test('ends a body of unknown length at the quota', async () => {
  const url = await create()
  const status = await new Promise((resolve, reject) => {
    const sending = httpRequest(url, { method: 'PUT' }, (answer) => {
      resolve(answer.statusCode)
      answer.resume()
    })
    sending.on('error', reject)
    sending.write(bytes)
    sending.end()
  })
  expect(status).toBe(413)
  expect(await stagedBytes()).toBeLessThanOrEqual(quotaBytes)
})

test('refuses a tus part of unknown length beyond the quota', async () => {
  const created = await request(`${server.url}/v3/projects/${projectId}/tus`, 'POST', {
    apiKey: server.apiKey,
    headers: { ...tus, 'Upload-Concat': 'partial', 'Upload-Defer-Length': '1' },
  })
  const url = created.headers.get('location') ?? ''
  expectProblem(await request(url, 'PATCH', { body: bytes, headers: patch }), 'quota_exceeded')
})

test('accepts a file of unknown size that fits the quota', async () => {
  const answer = await request(await create(), 'PUT', { body: bytes.subarray(0, quotaBytes) })
  expect(answer.body).toEqual({ Offset: quotaBytes, Size: quotaBytes, IsComplete: true })
})
