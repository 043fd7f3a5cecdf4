import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { permissions } from './permissions.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const me = (apiKey = server.apiKey) => server.call('GET', '/me', { apiKey })

test('an administrator with an unrestricted key may do everything', async () => {
  const { status, headers, body } = await me()
  expect(status).toBe(200)
  expect(headers.get('etag')).not.toBeNull()
  expect(body).toMatchObject({
    Account: { Id: 1, Name: 'My company' },
    User: { Role: 'Administrator', HasPassword: true, ApiKeyCount: 2 },
    ApiKey: { Label: 'First key', Scopes: ['*'], ProjectIds: null, LastFour: server.apiKey.slice(-4) },
    Permissions: permissions,
  })
})

test('every live key may ask, and is told the rights of role and scopes together', async () => {
  const apiKey = await server.newKey({ role: 'Uploader', scopes: ['files:*', 'keys:*'] })
  const { status, body } = await me(apiKey)
  expect(status).toBe(200)
  expect(body.User.Role).toBe('Uploader')
  expect(body.Permissions).toEqual(['files:read', 'files:upload', 'files:write-own'])
})

test('a key that is restricted to projects is told only of these', async () => {
  const { body: own } = await server.call('POST', '/projects', { body: { Name: 'Own' } })
  const { body: other } = await server.call('POST', '/projects', { body: { Name: 'Other' } })
  const apiKey = await server.newKey({ projectIds: [own.Id] })
  const userId = (await me(apiKey)).body.User.Id
  const ProjectRoles = [own, other].map(({ Id }) => ({ ProjectId: Id, Role: 'Uploader' }))
  await server.call('PUT', `/users/${userId}`, { body: { ProjectRoles } })
  expect((await me(apiKey)).body).toMatchObject({
    User: { ProjectRoles: [{ ProjectId: own.Id, Role: 'Uploader' }] },
    ApiKey: { ProjectIds: [own.Id] },
  })
})
