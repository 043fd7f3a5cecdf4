import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../test-support/expect-problem.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const newProject = async (): Promise<string> =>
  `/projects/${(await server.call('POST', '/projects', { body: { Name: 'Versions' } })).body.Id}`

const newFile = async (): Promise<string> => {
  const project = await newProject()
  return `${project}/files/${(await server.call('POST', `${project}/files`, { body: { FileName: 'a.mp4' } })).body.Id}`
}

const newWebhook = async (): Promise<string> => {
  const body = { TargetURL: server.url, EventTypes: ['webhook.*'] }
  return `/modules/notifications/${(await server.call('POST', '/modules/notifications', { body })).body.Id}`
}

describe.each([
  ['project', newProject, { Name: 'Changed' }],
  ['file', newFile, { EncodingPriority: 51 }],
  ['webhook', newWebhook, { Label: 'Changed' }],
])('the record of a %s', (_kind, create, change) => {
  const etagOf = async (path: string) => (await server.call('GET', path)).headers.get('etag') ?? ''
  const put = (path: string, ifMatch: string) =>
    server.call('PUT', path, { body: change, headers: { 'If-Match': ifMatch } })

  test('has an ETag that answers 304 until the record changes', async () => {
    const path = await create()
    const etag = await etagOf(path)
    expect(etag).toMatch(/^"[^"]+"$/)
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await server.call('GET', path, { headers: { 'If-None-Match': known } })
      expect(again).toMatchObject({ status: 304, body: '' })
      expect(again.headers.get('etag')).toBe(etag)
    }
    const changed = await server.call('PUT', path, { body: change })
    expect(changed.headers.get('etag')).not.toBe(etag)
    expect(await etagOf(path)).toBe(changed.headers.get('etag'))
    expect((await server.call('GET', path, { headers: { 'If-None-Match': etag } })).status).toBe(200)
  })

  test('accepts a change only with the current version in If-Match', async () => {
    const path = await create()
    const etag = await etagOf(path)
    expect((await put(path, etag)).status).toBe(200)
    expectProblem(await put(path, etag), 'stale')
    expectProblem(await put(path, '"nonsense"'), 'stale')
    expect((await put(path, '*')).status).toBe(200)
    expect((await put(path, `"x", ${await etagOf(path)}`)).status).toBe(200)
  })

  test('accepts a deletion only with the current version in If-Match', async () => {
    const path = await create()
    const etag = await etagOf(path)
    await server.call('PUT', path, { body: change })
    expectProblem(await server.call('DELETE', path, { headers: { 'If-Match': etag } }), 'stale')
    expect((await server.call('GET', path)).status).toBe(200)
    expect((await server.call('DELETE', path, { headers: { 'If-Match': await etagOf(path) } })).status).toBe(
      200,
    )
  })

  test('accepts one of two changes based on the same version', async () => {
    const path = await create()
    const etag = await etagOf(path)
    const answers = await Promise.all([put(path, etag), put(path, etag), put(path, etag)])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412, 412])
  })
})

test('adding bytes to a project changes its ETag and that of the list', async () => {
  const path = await newProject()
  const { body: file } = await server.call('POST', `${path}/files`, { body: { FileName: 'a.mp4' } })
  const record = await server.call('GET', path)
  const list = await server.call('GET', '/projects')
  await request(file.Upload.URI, 'PUT', { body: Buffer.from('ten bytes!') })
  const after = await server.call('GET', path, {
    headers: { 'If-None-Match': record.headers.get('etag') ?? '' },
  })
  expect(after).toMatchObject({ status: 200, body: { StorageBytes: 10 } })
  expect(
    (await server.call('GET', '/projects', { headers: { 'If-None-Match': list.headers.get('etag') ?? '' } }))
      .status,
  ).toBe(200)
})
