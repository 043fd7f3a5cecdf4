import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let files: string

beforeAll(async () => {
  server = await startTestServer()
  const project = await server.call('POST', '/projects', { body: { Name: 'Records' } })
  files = `/projects/${project.body.Id}/files`
})

afterAll(() => server.stop())

const post = (body: unknown, headers: Record<string, string> = {}) =>
  server.call('POST', files, { body, headers })

test('returns the file, with the address for its bytes as Location and in Upload', async () => {
  const answer = await post({ FileName: 'interview.mp4', FileFormat: 'mp4', FileSize: 5 })
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({ Status: 'created', Metadata: { OriginalFileName: 'interview.mp4' } })
  const { URI, TusURI, ExpiresAt } = answer.body.Upload
  expect(URI).toMatch(new RegExp(`^${server.url}/uploads/[A-Za-z0-9_-]{43}$`))
  expect(answer.headers.get('location')).toBe(URI)
  expect(TusURI).toBe(URI)
  expect(ExpiresAt).toMatch(/\+00:00$/)
  expect(Date.parse(ExpiresAt)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
})

test('shows the upload address only in that response', async () => {
  const { body } = await post({ FileName: 'a.mp4' })
  const token: string = body.Upload.URI.split('/').at(-1)
  expect(JSON.stringify((await server.call('GET', `${files}/${body.Id}`)).body)).not.toContain(token)
  const events = await server.services.database.kysely
    .selectFrom('events')
    .select('record')
    .where('file_id', '=', body.Id)
    .execute()
  expect(events).toHaveLength(1)
  expect(JSON.stringify(events)).not.toContain(token)
})

test.each<[string, object]>([
  ['no name', {}],
  ['an empty name', { FileName: '' }],
  ['a name that is not a string', { FileName: 5 }],
  ['a name of 1001 characters', { FileName: 'a'.repeat(1_001) }],
  ['a size of 0', { FileName: 'a', FileSize: 0 }],
  ['a size of -1', { FileName: 'a', FileSize: -1 }],
  ['a size of 1.5', { FileName: 'a', FileSize: 1.5 }],
  ['a size as text', { FileName: 'a', FileSize: '5' }],
  ['a size of 1e300', { FileName: 'a', FileSize: 1e300 }],
  ['a format that is not a string', { FileName: 'a', FileFormat: 5 }],
  ['a checksum that is not a string', { FileName: 'a', Checksum: 5 }],
  ['metadata that are text', { FileName: 'a', Metadata: 'Title' }],
])('%s answers 400, whatever its content type', async (_what, body) => {
  const text = JSON.stringify(body)
  for (const type of ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])
    expectProblem(await post(text, { 'Content-Type': type }), 'invalid')
})

test.each([
  'text/plain',
  'application/vnd.api+json',
  'image/png',
  'application/zip',
  'application/octet-stream-ish',
  'videos/mp4',
])('the content type %s answers 400', async (type) => {
  expectProblem(await post('x', { 'Content-Type': type }), 'unsupported_media_type')
})

test('a request without a body answers 400 with the accepted types', async () => {
  const answer = await server.call('POST', files)
  expectProblem(answer, 'invalid')
  expect(answer.body.error.message).toMatch(/FileName/)
  expectProblem(await post('', { 'Content-Type': 'application/json' }), 'invalid')
})

test('a file name loses folders and control characters, but keeps all letters', async () => {
  for (const [sent, kept] of [
    ['C:\\Videos\\Über uns 🎬.mov', 'Über uns 🎬.mov'],
    ['../../../etc/passwd', 'passwd'],
    ['a\u202eb\n.mp4', 'ab.mp4'],
    ['...', '...'],
    ['/', 'untitled'],
    [`${'a'.repeat(254)}🎬.mp4`, undefined],
  ]) {
    const { status, body } = await post({ FileName: sent })
    expect(status).toBe(201)
    if (kept !== undefined) expect(body.Metadata.OriginalFileName).toBe(kept)
    expect(body.Metadata.OriginalFileName.length).toBeLessThanOrEqual(255)
    expect(body.Name).not.toMatch(/\s|\.\.\//)
  }
})
