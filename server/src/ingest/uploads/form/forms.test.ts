import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'

let server: TestServer
let path: string

beforeAll(async () => {
  server = await startTestServer()
  const project = await server.call('POST', '/projects', { body: { Name: 'Forms' } })
  path = `/projects/${project.body.Id}/files`
})

afterAll(async () => {
  await server.stop()
})

const formWith = (parts: Record<string, string | Blob | File>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) form.append(name, value)
  return form
}

const bytes = randomBytes(3 * 1024 * 1024 + 7)
const file = (): File => new File([bytes], 'clip.mp4', { type: 'video/mp4' })

test('a form with a file that just fits the quota is accepted, and one with a byte more is not', async () => {
  const { body: project } = await server.call('POST', '/projects', {
    body: { Name: 'Small', StorageQuotaBytes: 100_000 },
  })
  const send = (count: number) =>
    server.call('POST', `/projects/${project.Id}/files`, {
      body: formWith({ file: new File([bytes.subarray(0, count)], 'clip.mp4') }),
    })
  expect((await send(100_001)).status).toBe(413)
  expect((await send(100_000)).status).toBe(201)
  expect((await send(1)).status).toBe(413)
})

test('a form accepts a file of any size', async () => {
  const created = await server.call('POST', path, { body: formWith({ file: file() }) })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ Status: 'created', Metadata: { OriginalFileName: 'clip.mp4' } })
  const { services } = server
  const stored = await services.blobs.stat(`a1/p${created.body.ProjectId}/f${created.body.Id}/source`)
  expect(stored?.sizeBytes).toBe(bytes.length)
})

test.each([
  ['a field', JSON.stringify({ Title: 'From the form' })],
  ['a JSON blob', new Blob([JSON.stringify({ Title: 'From the form' })], { type: 'application/json' })],
])('metadata may be sent as %s', async (_how, metadata) => {
  const created = await server.call('POST', path, { body: formWith({ Metadata: metadata, file: file() }) })
  expect(created.status).toBe(201)
  expect(created.body.Metadata.Title).toBe('From the form')
})

test.each([
  ['no file', { Metadata: '{}' }, 'The form has no part "file"'],
  ['broken metadata', { Metadata: '{"Title": ', file: file() }, 'Metadata must be valid JSON'],
  ['a list as metadata', { Metadata: '[]', file: file() }, 'Metadata must be an object'],
  ['metadata with a NUL', { Metadata: '{"Title": "a\\u0000b"}', file: file() }, 'NUL'],
  ['metadata of a wrong type', { Metadata: '{"Title": 5}', file: file() }, 'Metadata.Title'],
  ['an empty file', { file: new File([], 'empty.mp4') }, 'The body is empty'],
])('a form with %s answers 400 and leaves nothing behind', async (_what, parts, message) => {
  const before = await server.call('GET', path)
  const refused = await server.call('POST', path, { body: formWith(parts) })
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toContain(message)
  expect((await server.call('GET', path)).body.TotalCount).toBe(before.body.TotalCount)
  expect(await readdir(join(server.dataFolder, 'uploads'))).toEqual([])
})

test.each([
  ['without a boundary', 'multipart/form-data', '--x\r\n'],
  [
    'cut off',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
  ],
])('a form %s answers 400', async (_what, type, body) => {
  const refused = await server.call('POST', path, { body, headers: { 'Content-Type': type } })
  expect(refused.status).toBe(400)
  expect(await readdir(join(server.dataFolder, 'uploads'))).toEqual([])
})

test('a role that may not publish cannot do so on creation', async () => {
  const apiKey = await server.newKey({ role: 'Uploader' })
  const json = await server.call('POST', path, {
    apiKey,
    body: { FileName: 'a.mp4', Metadata: { ReleaseStatus: 'published' } },
  })
  expect(json.status).toBe(403)
  const form = await server.call('POST', path, {
    apiKey,
    body: formWith({ Metadata: '{"ReleaseStatus": "published"}', file: file() }),
  })
  expect(form.status).toBe(403)
  expect((await stat(join(server.dataFolder, 'uploads'))).isDirectory()).toBe(true)
  expect((await server.call('POST', path, { apiKey, body: { FileName: 'a.mp4' } })).status).toBe(201)
})

test('the name of a file in a form keeps its letters and loses its folders', async () => {
  for (const [sent, kept] of [
    ['Überraschung 🎬.mp4', 'Überraschung 🎬.mp4'],
    ['../../etc/passwd', 'passwd'],
  ] as const) {
    const named = new File([bytes.subarray(0, 100)], sent, { type: 'video/mp4' })
    const created = await server.call('POST', path, { body: formWith({ file: named }) })
    expect(created.body.Metadata.OriginalFileName).toBe(kept)
  }
})
