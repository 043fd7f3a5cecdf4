import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let files: string

const maxBytes = 1_000_000
const bytes = randomBytes(3_000_000)

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_UPLOAD_MAX_BYTES: String(maxBytes) } })
  const project = await server.call('POST', '/projects', { body: { Name: 'Ranges' } })
  files = `/projects/${project.body.Id}/files`
})

afterAll(() => server.stop())

const create = async () => {
  const { body } = await server.call('POST', files, { body: { FileName: 'clip.mp4' } })
  return { id: body.Id as number, url: body.Upload.URI as string }
}

const put = (url: string, contentRange: string, body: Buffer) =>
  request(url, 'PUT', { body, headers: { 'Content-Range': contentRange } })

const putWithoutLength = (url: string, contentRange: string, body: Buffer) =>
  new Promise<number>((resolve, reject) => {
    const sending = httpRequest(url, { method: 'PUT', headers: { 'Content-Range': contentRange } })
    sending.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sending.on('error', reject)
    sending.write(body)
    sending.end()
  })

const isUploaded = async (id: number): Promise<boolean> =>
  (await server.call('GET', `${files}/${id}`)).body.Timings.UploadedAt !== null

const stagedBytes = async (): Promise<number> => {
  const folder = join(server.dataFolder, 'uploads')
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  )
  return Math.max(0, ...sizes)
}

test('refuses a chunk past the largest upload with 413 when the size of the upload is unknown', async () => {
  const { id, url } = await create()
  const range = `bytes 0-${bytes.length - 1}/*`
  expectProblem(await put(url, range, bytes), 'too_large')
  expect(await putWithoutLength(url, range, bytes)).toBe(413)
  expect(await stagedBytes()).toBeLessThanOrEqual(maxBytes)
  expectProblem(await put(url, `bytes */${bytes.length}`, Buffer.alloc(0)), 'too_large')
  expect(await isUploaded(id)).toBe(false)
})

test.each<[string, string, number]>([
  ['an empty body', 'bytes */500', 0],
  ['known bytes', 'bytes 0-499/500', 500],
])('refuses a total below the received bytes with 400 for %s', async (_body, range, length) => {
  const { id, url } = await create()
  await put(url, 'bytes 0-999/*', bytes.subarray(0, 1_000))
  expectProblem(await put(url, range, bytes.subarray(0, length)), 'invalid')
  expect(await isUploaded(id)).toBe(false)
  const rest = await put(url, 'bytes 1000-1999/2000', bytes.subarray(1_000, 2_000))
  expect(rest.body).toEqual({ Offset: 2_000, Size: 2_000, IsComplete: true })
})

test('refuses a total above every number with 413', async () => {
  const { url } = await create()
  const answer = await put(url, `bytes */${'9'.repeat(400)}`, Buffer.alloc(0))
  expectProblem(answer, 'too_large')
  expect(answer.headers.get('upload-length')).toBeNull()
})
