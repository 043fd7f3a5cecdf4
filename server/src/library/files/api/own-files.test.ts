import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let projectId: number
let uploader: string
let other: string

beforeAll(async () => {
  server = await startTestServer()
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Own' } })).body.Id
  uploader = await server.newKey({ role: 'Uploader' })
  other = await server.newKey({ role: 'Uploader' })
})

afterAll(() => server.stop())

const create = async (apiKey: string) => {
  const { body } = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'a.mp4' },
    apiKey,
  })
  return { path: `/projects/${projectId}/files/${body.Id}`, record: body }
}

const failed = async (path: string) => {
  await server.services.database.kysely
    .updateTable('media_files')
    .set({ state: 'failed' })
    .where('id', '=', Number(path.split('/').at(-1)))
    .execute()
}

/** Every way to edit a file: [method, path after the file, body, status for its owner]. */
const edits = [
  ['PUT', '', { Metadata: { Title: 'Mine' } }, 200],
  ['PUT', '/metadata', { Title: 'Mine' }, 200],
  ['PUT', '/replace', { FileName: 'b.mp4' }, 200],
  // The file has no bytes to process, but its owner may send the request.
  ['POST', '/retry', undefined, 409],
] as const

test('records the creator of a file, which clients cannot change', async () => {
  const { path, record } = await create(uploader)
  const users = await server.services.database.kysely.selectFrom('users').select(['id', 'role']).execute()
  const owner = users.find(({ id }) => id === record.CreatedBy)
  expect(owner?.role).toBe('Uploader')
  const { body } = await server.call('PUT', path, { body: { ...record, CreatedBy: 1 } })
  expect(body.CreatedBy).toBe(record.CreatedBy)
})

test.each(edits)('lets an uploader edit its own files by %s %s', async (method, rest, body, status) => {
  const { path } = await create(uploader)
  if (rest === '/retry') await failed(path)
  const answer = await server.call(method, path + rest, {
    ...(body === undefined ? {} : { body }),
    apiKey: uploader,
  })
  expect(answer.status).toBe(status)
})

test.each(edits)('answers 403 to an uploader on files of others by %s %s', async (method, rest, body) => {
  const { path, record } = await create(other)
  const answer = await server.call(method, path + rest, {
    ...(body === undefined ? {} : { body }),
    apiKey: uploader,
  })
  expectProblem(answer, 'forbidden')
  expect(answer.body.error.message).toContain('files:write, which you need because another user created file')
  const { Upload: _upload, ...before } = record
  expect((await server.call('GET', path)).body).toEqual(before)
})

test('treats files of an unknown creator as owned by no user', async () => {
  const { path, record } = await create(uploader)
  await server.services.database.kysely
    .updateTable('media_files')
    .set({ created_by: null })
    .where('id', '=', record.Id)
    .execute()
  expectProblem(await server.call('PUT', path, { body: {}, apiKey: uploader }), 'forbidden')
  const changed = await server.call('PUT', path, { body: { Metadata: { Title: 'Changed' } } })
  expect(changed.body.CreatedBy).toBeNull()
})

test('lets an editor edit files of others, and only a senior editor release them', async () => {
  const { path } = await create(uploader)
  for (const role of ['JuniorEditor', 'SeniorEditor', 'Administrator'] as const)
    expect(
      (
        await server.call('PUT', path, {
          body: { Metadata: { Title: role } },
          apiKey: await server.newKey({ role }),
        })
      ).status,
    ).toBe(200)
  const release = { body: { ReleaseStatus: 'published' } }
  expectProblem(await server.call('PUT', `${path}/metadata`, { ...release, apiKey: uploader }), 'forbidden')
  const junior = await server.newKey({ role: 'JuniorEditor' })
  expectProblem(await server.call('PUT', `${path}/metadata`, { ...release, apiKey: junior }), 'forbidden')
  const senior = await server.newKey({ role: 'SeniorEditor' })
  expect((await server.call('PUT', `${path}/metadata`, { ...release, apiKey: senior })).status).toBe(200)
})

test('lets an uploader create a file or a playlist less public than the project does by default, not more', async () => {
  const make = async (DefaultReleaseStatus: string) => {
    const { body } = await server.call('POST', '/projects', { body: { Name: 'Own', DefaultReleaseStatus } })
    const path = `/projects/${body.Id}/files`
    return {
      id: body.Id as number,
      upload: (metadata: object) =>
        server.call('POST', path, { body: { FileName: 'a.mp4', Metadata: metadata }, apiKey: uploader }),
    }
  }
  const [published, unpublished] = [await make('published'), await make('unpublished')]
  for (const metadata of [
    { ReleaseStatus: 'draft' },
    { ReleaseStatus: 'unpublished' },
    { IsPublicAt: '2100-01-01T00:00:00Z' },
    { IsPublicUntil: '2100-01-01T00:00:00Z' },
  ]) {
    const { status, body } = await published.upload(metadata)
    expect(status).toBe(201)
    expect(Object.keys(metadata).every((name) => body.Metadata[name] !== null)).toBe(true)
  }
  expect((await unpublished.upload({ ReleaseStatus: 'draft' })).status).toBe(201)
  expectProblem(await unpublished.upload({ ReleaseStatus: 'published' }), 'forbidden')
  const editor = await server.newKey({ role: 'JuniorEditor' })
  const playlist = (ProjectId: number, ReleaseStatus: string) =>
    server.call('POST', '/modules/playlists', {
      body: { Name: 'New', ProjectId, ReleaseStatus },
      apiKey: editor,
    })
  expect((await playlist(published.id, 'draft')).status).toBe(201)
  expectProblem(await playlist(unpublished.id, 'published'), 'forbidden')
})

test('lets a reader edit nothing, and applies scopes to own files too', async () => {
  const { path } = await create(uploader)
  for (const [method, rest, body] of edits)
    expectProblem(
      await server.call(method, path + rest, {
        ...(body === undefined ? {} : { body }),
        apiKey: await server.newKey({ role: 'Reader' }),
      }),
      'forbidden',
    )
  // The key may upload but not edit; a replacement needs both.
  const uploadOnly = await server.newKey({ scopes: ['files:upload'] })
  expectProblem(
    await server.call('PUT', `${path}/replace`, { body: { FileName: 'b.mp4' }, apiKey: uploadOnly }),
    'forbidden',
  )
  const own = await create(uploadOnly)
  expectProblem(
    await server.call('PUT', `${own.path}/replace`, { body: { FileName: 'b.mp4' }, apiKey: uploadOnly }),
    'forbidden',
  )
})

test('answers 404, never 403, for files of another account', async () => {
  const { path } = await create(uploader)
  const stranger = await server.newKey({ role: 'Uploader', inNewAccount: true })
  for (const [method, rest, body] of edits)
    expectProblem(
      await server.call(method, path + rest, { ...(body === undefined ? {} : { body }), apiKey: stranger }),
      'not_found',
    )
})
