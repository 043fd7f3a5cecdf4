import type { Role } from '@zoetrope/vocabulary'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let projectId: number
let otherProjectId: number

beforeAll(async () => {
  server = await startTestServer()
  projectId = (await server.call('POST', '/projects', { body: { Name: 'News' } })).body.Id
  otherProjectId = (await server.call('POST', '/projects', { body: { Name: 'Sport' } })).body.Id
})

afterAll(() => server.stop())

let count = 0
const newUser = async (Role: Role, inProject?: Role): Promise<{ userId: number; apiKey: string }> => {
  const Email = `role${(count += 1)}@example.com`
  const ProjectRoles = inProject === undefined ? [] : [{ ProjectId: projectId, Role: inProject }]
  const { body: user } = await server.call('POST', '/users', { body: { Email, Role, ProjectRoles } })
  const { body: key } = await server.call('POST', '/apikeys', { body: { Label: 'a', UserId: user.Id } })
  return { userId: user.Id, apiKey: key.Token }
}
const upload = (apiKey: string, inProject: number, metadata = {}) =>
  server.call('POST', `/projects/${inProject}/files`, {
    apiKey,
    body: { FileName: 'a.mp4', Metadata: metadata },
  })
const setRole = (userId: number, role: Role | null) =>
  server.call('PUT', `/users/${userId}`, {
    body: { ProjectRoles: role === null ? [] : [{ ProjectId: projectId, Role: role }] },
  })

test('a higher role in a project applies only there', async () => {
  const { apiKey } = await newUser('Reader', 'Uploader')
  expect((await upload(apiKey, projectId)).status).toBe(201)
  expectProblem(await upload(apiKey, otherProjectId), 'forbidden')
})

test('a lower role in a project applies only there', async () => {
  const { apiKey } = await newUser('Administrator', 'Reader')
  expectProblem(await upload(apiKey, projectId), 'forbidden')
  expectProblem(
    await server.call('PUT', `/projects/${projectId}`, { apiKey, body: { Name: 'Mine' } }),
    'forbidden',
  )
  expect((await server.call('GET', `/projects/${projectId}`, { apiKey })).status).toBe(200)
  expect((await upload(apiKey, otherProjectId)).status).toBe(201)
  expect((await server.call('GET', '/users', { apiKey })).status).toBe(200)
})

test('the Administrator of a project manages it, but not the account', async () => {
  const { apiKey } = await newUser('Reader', 'Administrator')
  const changed = await server.call('PUT', `/projects/${projectId}`, { apiKey, body: { Description: 'a' } })
  expect(changed.status).toBe(200)
  for (const [method, path, body] of [
    ['POST', '/projects', { Name: 'a' }],
    ['GET', '/users', undefined],
    ['GET', '/apikeys', undefined],
    ['GET', '/modules/notifications', undefined],
    ['PUT', `/projects/${otherProjectId}`, {}],
  ] as const)
    expectProblem(
      await server.call(method, path, { apiKey, ...(body === undefined ? {} : { body }) }),
      'forbidden',
    )
})

test('publishing needs the role in the project, at creation and later', async () => {
  const raised = await newUser('Uploader', 'SeniorEditor')
  const lowered = await newUser('SeniorEditor', 'JuniorEditor')
  const published = { ReleaseStatus: 'published' }
  expect((await upload(raised.apiKey, projectId, published)).status).toBe(201)
  expectProblem(await upload(raised.apiKey, otherProjectId, published), 'forbidden')
  expectProblem(await upload(lowered.apiKey, projectId, published), 'forbidden')
  const { body: file } = await upload(lowered.apiKey, projectId)
  const publish = (apiKey: string) =>
    server.call('PUT', `/projects/${projectId}/files/${file.Id}/metadata`, { apiKey, body: published })
  expectProblem(await publish(lowered.apiKey), 'forbidden')
  expect((await publish(raised.apiKey)).status).toBe(200)
})

test('scopes limit a role in a project like the role in the account', async () => {
  const { userId } = await newUser('Reader', 'Administrator')
  const { body: key } = await server.call('POST', '/apikeys', {
    body: { Label: 'a', UserId: userId, Scopes: ['projects:read'] },
  })
  expectProblem(await upload(key.Token, projectId), 'forbidden')
})

test('adding or removing a role in a project takes effect at once', async () => {
  const { userId, apiKey } = await newUser('Reader')
  expectProblem(await upload(apiKey, projectId), 'forbidden')
  await setRole(userId, 'Uploader')
  expect((await upload(apiKey, projectId)).status).toBe(201)
  await setRole(userId, 'Reader')
  expectProblem(await upload(apiKey, projectId), 'forbidden')
  await setRole(userId, 'Uploader')
  await setRole(userId, null)
  expectProblem(await upload(apiKey, projectId), 'forbidden')
})

describe('the role None in a project', () => {
  const hide = (userId: number, ids: readonly number[]) =>
    server.call('PUT', `/users/${userId}`, {
      body: { ProjectRoles: ids.map((ProjectId) => ({ ProjectId, Role: 'None' })) },
    })

  test('hides the project and its records like one that does not exist, also from keys created before', async () => {
    const { userId, apiKey } = await newUser('SeniorEditor')
    const { body: file } = await upload(server.apiKey, projectId)
    const read = (path: string) => server.call('GET', path, { apiKey })
    expect((await read(`/projects/${projectId}/files/${file.Id}`)).status).toBe(200)
    const changed = await hide(userId, [projectId])
    expect(changed.body.ProjectRoles).toEqual([{ ProjectId: projectId, Role: 'None' }])
    for (const path of ['', '/files', `/files/${file.Id}`, '/live/output', '/live/ingest'])
      expectProblem(await read(`/projects/${projectId}${path}`), 'not_found')
    expectProblem(await upload(apiKey, projectId), 'not_found')
    const listed = await read('/projects?limit=500')
    expect(listed.body.Projects.map(({ Id }: { Id: number }) => Id)).not.toContain(projectId)
    expect(listed.body.Projects.map(({ Id }: { Id: number }) => Id)).toContain(otherProjectId)
    const events = await read('/events?limit=500')
    expect(events.body.Events.map((event: { ProjectId: number }) => event.ProjectId)).not.toContain(projectId)
    const files = await read('/files?limit=500')
    expect(files.body.Files.map((one: { ProjectId: number }) => one.ProjectId)).not.toContain(projectId)
    expect((await upload(apiKey, otherProjectId)).status).toBe(201)
    expect((await read('/me')).body).toMatchObject({ User: { Id: userId, ProjectRoles: [] } })
    await setRole(userId, null)
    expect((await read(`/projects/${projectId}`)).status).toBe(200)
  })

  test('limits an Administrator to the other projects, so that the role cannot be removed by its owner', async () => {
    const { userId, apiKey } = await newUser('Administrator')
    await hide(userId, [projectId])
    expectProblem(
      await server.call('PUT', `/users/${userId}`, { apiKey, body: { ProjectRoles: [] } }),
      'forbidden',
    )
    for (const path of ['/users', `/users/${userId}`, '/invitations', '/audit'])
      expectProblem(await server.call('GET', path, { apiKey }), 'forbidden')
    const own = await server.call('PUT', `/projects/${otherProjectId}`, {
      apiKey,
      body: { Description: 'b' },
    })
    expect(own.status).toBe(200)
    const { body: created } = await server.call('POST', '/projects', { body: { Name: 'Later' } })
    await waitFor(
      () => server.call('GET', `/projects/${created.Id}`, { apiKey }),
      ({ status }) => status === 200,
    )
  })

  test('in every project leaves an empty list', async () => {
    const { userId, apiKey } = await newUser('Reader')
    const all = await server.call('GET', '/projects?limit=500')
    await hide(
      userId,
      all.body.Projects.map(({ Id }: { Id: number }) => Id),
    )
    expect((await server.call('GET', '/projects', { apiKey })).body).toMatchObject({
      Projects: [],
      TotalCount: 0,
    })
  })

  test('ends with its project, when that is purged', async () => {
    const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Short' } })
    const { userId, apiKey } = await newUser('Administrator')
    await hide(userId, [project.Id])
    await server.call('DELETE', `/projects/${project.Id}`)
    expectProblem(await server.call('GET', '/users', { apiKey }), 'forbidden')
    await server.services.database.kysely
      .updateTable('projects')
      .set({ purged_at: new Date() })
      .where('id', '=', project.Id)
      .execute()
    await waitFor(
      () => server.call('GET', '/users', { apiKey }),
      ({ status }) => status === 200,
    )
  })

  test('is not a role in the account', async () => {
    const { userId } = await newUser('Reader')
    expectProblem(await server.call('PUT', `/users/${userId}`, { body: { Role: 'None' } }), 'invalid')
  })
})

test('roles in a deleted project are not shown', async () => {
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Short' } })
  const { userId } = await newUser('Reader')
  const ProjectRoles = [{ ProjectId: project.Id, Role: 'Uploader' }]
  await server.call('PUT', `/users/${userId}`, { body: { ProjectRoles } })
  await server.call('DELETE', `/projects/${project.Id}`)
  expect((await server.call('GET', `/users/${userId}`)).body.ProjectRoles).toEqual([])
})

describe('an Administrator with a lower role in a project', () => {
  const create = (apiKey: string, path: string, body: object) => server.call('POST', path, { apiKey, body })
  const newAdministrator = (ProjectRoles: object[]) => ({
    Email: `role${(count += 1)}@example.com`,
    Role: 'Administrator',
    ProjectRoles,
  })
  const asReader = () => ({ ProjectId: projectId, Role: 'Reader' })

  test('cannot raise it, in whichever notation', async () => {
    const { userId, apiKey } = await newUser('Administrator', 'Reader')
    for (const ProjectRoles of [[], null, [{ ProjectId: otherProjectId, Role: 'Reader' }]])
      expectProblem(
        await server.call('PUT', `/users/${userId}`, { apiKey, body: { ProjectRoles } }),
        'forbidden',
      )
    const { body } = await server.call('PUT', `/users/${userId}`, { apiKey, body: { Name: 'Kim' } })
    expect(body).toMatchObject({ Name: 'Kim', ProjectRoles: [asReader()] })
  })

  test('cannot create a user with more rights there', async () => {
    const { apiKey } = await newUser('Administrator', 'Reader')
    expectProblem(await create(apiKey, '/users', newAdministrator([])), 'forbidden')
    expect((await create(apiKey, '/users', newAdministrator([asReader()]))).status).toBe(201)
    const { userId } = await newUser('Reader')
    const promote = await server.call('PUT', `/users/${userId}`, { apiKey, body: { Role: 'Administrator' } })
    expectProblem(promote, 'forbidden')
    expect(promote.body.error.message).toContain(`in project ${projectId}`)
  })

  test('gets no key of a user with more rights there, but one for other projects', async () => {
    const { apiKey } = await newUser('Administrator', 'Reader')
    const { userId: UserId } = await newUser('Administrator')
    const keyFor = (fields: object) => create(apiKey, '/apikeys', { Label: 'a', UserId, ...fields })
    expectProblem(await keyFor({}), 'forbidden')
    expectProblem(await keyFor({ ProjectIds: [projectId, otherProjectId] }), 'forbidden')
    expect((await keyFor({ ProjectIds: [otherProjectId] })).status).toBe(201)
    expect((await keyFor({ Scopes: ['files:read'] })).status).toBe(201)
    const { body: mighty } = await server.call('POST', '/apikeys', { body: { Label: 'a', UserId } })
    expectProblem(await create(apiKey, `/apikeys/${mighty.Id}/rotate`, {}), 'forbidden')
    const ExpiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const prolong = (end: string | null) =>
      server.call('PUT', `/apikeys/${mighty.Id}`, { apiKey, body: { ExpiresAt: end } })
    expect((await prolong(ExpiresAt)).status).toBe(200)
    expectProblem(await prolong(null), 'forbidden')
  })

  test('gets no key of a Reader with more rights there', async () => {
    const { apiKey } = await newUser('Administrator', 'Reader')
    const { userId: UserId } = await newUser('Reader', 'Uploader')
    expectProblem(await create(apiKey, '/apikeys', { Label: 'a', UserId }), 'forbidden')
  })

  test('keeps that limit while the project is deleted, because it can be restored', async () => {
    const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Short' } })
    const { userId, apiKey } = await newUser('Administrator')
    const asReaderOfIt = { ProjectRoles: [{ ProjectId: project.Id, Role: 'Reader' }] }
    await server.call('PUT', `/users/${userId}`, { body: asReaderOfIt })
    await server.call('DELETE', `/projects/${project.Id}`)
    expectProblem(await create(apiKey, '/users', newAdministrator([])), 'forbidden')
    const Email = `role${(count += 1)}@example.com`
    expect((await server.call('PUT', `/users/${userId}`, { apiKey, body: { Email } })).status).toBe(200)
    expectProblem(await server.call('POST', `/projects/${project.Id}/restore`, { apiKey }), 'forbidden')
  })
})
