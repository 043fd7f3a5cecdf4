import { permissions } from '@zoetrope/vocabulary'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { newPerson } from '../test-support/people.ts'

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

test('every live key may call /me, and sees the combined rights of role and scopes', async () => {
  const apiKey = await server.newKey({ role: 'Uploader', scopes: ['files:*', 'keys:*'] })
  const { status, body } = await me(apiKey)
  expect(status).toBe(200)
  expect(body.User.Role).toBe('Uploader')
  expect(body.Permissions).toEqual(['files:read', 'files:upload', 'files:write-own'])
})

test('a key restricted to projects sees only these', async () => {
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

test('every signed-in user may change their own name, and nothing else', async () => {
  const kim = await newPerson(server, { role: 'Reader' })
  const { body: before } = await kim.call('GET', '/me')
  const { status, body, headers } = await kim.call('PUT', '/me', {
    body: { Name: '  Kim Ö. Lee ', Role: 'Administrator', Email: 'other@example.com' },
  })
  expect(status).toBe(200)
  const LastUpdateAt = expect.any(String)
  expect(body).toEqual({ ...before, User: { ...before.User, Name: 'Kim Ö. Lee', LastUpdateAt } })
  expect(headers.get('etag')).toBe((await kim.call('GET', '/me')).headers.get('etag'))
  expect((await kim.call('PUT', '/me', { body: { Name: null } })).body.User.Name).toBe('')
  expect((await kim.call('PUT', '/me', { body: {} })).body.User.Name).toBe('')
  const { body: log } = await server.call('GET', `/audit?userId=${kim.userId}&action=user.updated`)
  expect(log.AuditEntries).toMatchObject([
    { SubjectId: String(kim.userId), Changes: [{ Field: 'Name', Before: 'Kim Ö. Lee', After: '' }] },
    { SessionId: kim.sessionId, Changes: [{ Field: 'Name', Before: 'Kim Lee', After: 'Kim Ö. Lee' }] },
  ])
})

test.each([
  ['a name of 201 characters', 'a'.repeat(201)],
  ['a name that is a number', 7],
  ['a name with a NUL', 'a\0b'],
])('%s is refused', async (_what, Name) => {
  const kim = await newPerson(server, { role: 'Reader' })
  expectProblem(await kim.call('PUT', '/me', { body: { Name } }), 'invalid')
})

test('a change based on an old version is refused, and using a key creates no new one', async () => {
  const apiKey = await server.newKey()
  const stale = { 'If-Match': (await me(apiKey)).headers.get('etag') ?? '' }
  const change = (Name: string) => server.call('PUT', '/me', { apiKey, headers: stale, body: { Name } })
  expect((await change('One')).body.User.Name).toBe('One')
  expectProblem(await change('Two'), 'stale')
})

test('a key changes the name of its user only with the right to change users', async () => {
  const body = { Name: 'Lent' }
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Own name' } })
  const restricted = await server.newKey({ projectIds: [project.Id] })
  for (const apiKey of [
    await server.newKey({ role: 'SeniorEditor' }),
    await server.newKey({ scopes: ['files:*', 'users:read'] }),
    restricted,
  ])
    expectProblem(await server.call('PUT', '/me', { apiKey, body }), 'forbidden')
  const apiKey = await server.newKey({ scopes: ['users:write'] })
  expect((await server.call('PUT', '/me', { apiKey, body })).body.User.Name).toBe('Lent')
})
