import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { eraseDeletedUsers } from './erase-deleted-users.ts'

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
const newEmail = (): string => `person${(count += 1)}@example.com`
const create = (body: object = {}, apiKey = server.apiKey): Promise<Answer> =>
  server.call('POST', '/users', { body: { Email: newEmail(), Role: 'Reader', ...body }, apiKey })
const createdId = async (body: object = {}): Promise<number> => {
  const { status, body: user } = await create(body)
  expect(status).toBe(201)
  return user.Id
}
const update = (userId: number, body: object, apiKey = server.apiKey): Promise<Answer> =>
  server.call('PUT', `/users/${userId}`, { body, apiKey })
const remove = (userId: number, apiKey = server.apiKey): Promise<Answer> =>
  server.call('DELETE', `/users/${userId}`, { apiKey })
const keyFor = async (userId: number, body: object = {}): Promise<string> => {
  const answer = await server.call('POST', '/apikeys', { body: { Label: 'a', UserId: userId, ...body } })
  expect(answer.status).toBe(201)
  return answer.body.Token
}
const me = async (apiKey: string) => (await server.call('GET', '/me', { apiKey })).body

test('a new user has a role, no password and no key', async () => {
  const { status, headers, body } = await create({ Email: 'Kim.Lee@Example.COM', Name: ' Kim Lee ' })
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`${server.url}/v3/users/${body.Id}`)
  expect(headers.get('etag')).toMatch(/^".+"$/)
  expect(body).toEqual({
    Id: expect.any(Number),
    Email: 'kim.lee@example.com',
    Name: 'Kim Lee',
    Role: 'Reader',
    ProjectRoles: [],
    IsEnabled: true,
    HasPassword: false,
    HasSecondFactor: false,
    LastSignInAt: null,
    ApiKeyCount: 0,
    CreatedAt: expect.stringMatching(/\+00:00$/),
    LastUpdateAt: expect.stringMatching(/\+00:00$/),
  })
  expect((await server.call('GET', `/users/${body.Id}`)).body).toEqual(body)
})

test.each<[string, object]>([
  ['no e-mail', { Email: undefined }],
  ['an empty e-mail', { Email: '' }],
  ['an e-mail without a domain', { Email: 'kim' }],
  ['an e-mail with a space', { Email: 'kim lee@example.com' }],
  ['an e-mail with a line break', { Email: 'kim@example.com\nBcc: a@example.com' }],
  ['two e-mails', { Email: 'a@example.com,b@example.com' }],
  ['an e-mail of 255 characters', { Email: `${'a'.repeat(243)}@example.com` }],
  ['an e-mail that is not a string', { Email: 5 }],
  ['a name of 201 characters', { Name: 'a'.repeat(201) }],
  ['no role', { Role: undefined }],
  ['no role at all', { Role: null }],
  ['an unknown role', { Role: 'Owner' }],
  ['a role in lower case', { Role: 'reader' }],
  ['an IsEnabled that is text', { IsEnabled: 'true' }],
  ['a project role without a project', { ProjectRoles: [{ Role: 'Reader' }] }],
  ['a project role in an unknown project', { ProjectRoles: [{ ProjectId: 999_999, Role: 'Reader' }] }],
  ['a project role beyond every integer', { ProjectRoles: [{ ProjectId: 1e300, Role: 'Reader' }] }],
  ['project roles that are no list', { ProjectRoles: { ProjectId: 1, Role: 'Reader' } }],
])('%s answers 400', async (_what, body) => {
  expectProblem(await create(body), 'invalid')
})

test('two roles in one project answer 400', async () => {
  const one = { ProjectId: projectId, Role: 'Reader' }
  const answer = await create({ ProjectRoles: [one, { ...one, Role: 'Uploader' }] })
  expectProblem(answer, 'invalid')
  expect(answer.body.error.details).toMatchObject([
    { field: 'ProjectRoles[1].ProjectId', issue: expect.any(String) },
  ])
})

test('an e-mail address is unique across the installation, in any case', async () => {
  const Email = newEmail()
  await createdId({ Email })
  expectProblem(await create({ Email: Email.toUpperCase() }), 'conflict')
  const stranger = await server.newKey({ inNewAccount: true })
  const foreign = await create({ Email }, stranger)
  expectProblem(foreign, 'conflict')
  expect(foreign.body.error.message).toBe('This Email is already in use. Choose another one.')
  expect(foreign.body.error.details).toMatchObject([{ field: 'Email', issue: 'is already in use' }])
  expectProblem(await update(await createdId(), { Email }), 'conflict')
})

test('only one of ten users with one e-mail is created when sent concurrently', async () => {
  const Email = newEmail()
  const answers = await Promise.all(Array.from({ length: 10 }, () => create({ Email })))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.toSorted((one, other) => one - other)).toEqual([201, ...Array<number>(9).fill(409)])
})

test('PUT changes the fields sent, null clears, and a whole record can be sent back', async () => {
  const id = await createdId({ Name: 'Kim', ProjectRoles: [{ ProjectId: projectId, Role: 'Uploader' }] })
  const changed = await update(id, { Role: 'JuniorEditor', Id: 1, HasPassword: true, ApiKeyCount: 9 })
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject({
    Id: id,
    Name: 'Kim',
    Role: 'JuniorEditor',
    HasPassword: false,
    ApiKeyCount: 0,
    ProjectRoles: [{ ProjectId: projectId, Role: 'Uploader' }],
  })
  const back = await update(id, changed.body)
  expect(back.body).toEqual({ ...changed.body, LastUpdateAt: expect.any(String) })
  const cleared = await update(id, { Name: null, ProjectRoles: null })
  expect(cleared.body).toMatchObject({ Name: '', ProjectRoles: [] })
})

test('If-Match prevents a change based on an old record', async () => {
  const id = await createdId()
  const { headers } = await server.call('GET', `/users/${id}`)
  const etag = headers.get('etag') ?? ''
  const stale = { 'If-Match': etag }
  expect((await server.call('GET', `/users/${id}`, { headers: { 'If-None-Match': etag } })).status).toBe(304)
  await update(id, { Name: 'New' })
  expectProblem(await server.call('PUT', `/users/${id}`, { body: {}, headers: stale }), 'stale')
  expectProblem(await server.call('DELETE', `/users/${id}`, { headers: stale }), 'stale')
})

test('a new key or sign-in creates no new version of its user', async () => {
  const id = await createdId()
  const { headers } = await server.call('GET', `/users/${id}`)
  await keyFor(id)
  await server.services.database.kysely
    .updateTable('users')
    .set({ last_sign_in_at: new Date() })
    .where('id', '=', id)
    .execute()
  const condition = { 'If-Match': headers.get('etag') ?? '' }
  const changed = await server.call('PUT', `/users/${id}`, { body: { Name: 'New' }, headers: condition })
  expect(changed).toMatchObject({ status: 200, body: { ApiKeyCount: 1, LastSignInAt: expect.any(String) } })
})

test('a deleted user answers 404, has no keys, and frees the e-mail', async () => {
  const Email = newEmail()
  const id = await createdId({ Email, Role: 'Administrator' })
  const token = await keyFor(id)
  expect((await server.call('GET', '/projects', { apiKey: token })).status).toBe(200)
  expect((await server.call('GET', `/users/${id}`)).body.ApiKeyCount).toBe(1)
  expect(await remove(id)).toMatchObject({
    status: 200,
    body: { Id: id, IsEnabled: false, DeletedAt: expect.stringMatching(/\+00:00$/) },
  })
  expectProblem(await server.call('GET', '/projects', { apiKey: token }), 'unauthorized')
  for (const answer of [await server.call('GET', `/users/${id}`), await update(id, {}), await remove(id)])
    expectProblem(answer, 'not_found')
  const { ApiKeys } = (await server.call('GET', `/apikeys?userId=${id}`)).body
  expect(ApiKeys).toMatchObject([{ UserId: id, IsEnabled: false, RevokedAt: expect.any(String) }])
  expectProblem(await server.call('POST', '/apikeys', { body: { Label: 'a', UserId: id } }), 'invalid')
  expect((await create({ Email })).status).toBe(201)
})

test('a user deleted while keys are created and rotated has no live key afterwards', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await createdId({ Role: 'Administrator' })
    const createKey = () => server.call('POST', '/apikeys', { body: { Label: 'a', UserId: id } })
    const keys = await Promise.all([createKey(), createKey(), createKey()])
    const answers = await Promise.all([
      createKey(),
      ...keys.map(({ body }) => server.call('POST', `/apikeys/${body.Id}/rotate`, { body: {} })),
      remove(id),
      createKey(),
      ...keys.map(({ body }) => server.call('DELETE', `/apikeys/${body.Id}`)),
    ])
    for (const { status } of answers) expect([200, 201, 400, 404]).toContain(status)
    const { body } = await server.call('GET', `/apikeys?userId=${id}&isEnabled=true`)
    expect(body.TotalCount).toBe(0)
  }
})

test('a disabled user loses all rights at once, and regains them when enabled', async () => {
  const id = await createdId()
  const token = await keyFor(id)
  const status = async () => (await server.call('GET', '/projects', { apiKey: token })).status
  expect(await status()).toBe(200)
  await update(id, { IsEnabled: false })
  expect(await status()).toBe(401)
  await update(id, { IsEnabled: true })
  expect(await status()).toBe(200)
})

test('a demoted user loses the rights at once', async () => {
  const id = await createdId({ Role: 'Administrator' })
  const token = await keyFor(id)
  const call = () => server.call('GET', '/users', { apiKey: token })
  expect((await call()).status).toBe(200)
  await update(id, { Role: 'Reader' })
  expectProblem(await call(), 'forbidden')
})

test('no record identifies a deleted user after the retention time', async () => {
  const { database } = server.services
  const Email = newEmail()
  const id = await createdId({ Email, Name: 'Somebody' })
  const kept = await createdId({ Name: 'Somebody else' })
  await remove(id)
  const read = () =>
    database.kysely.selectFrom('users').select(['email', 'name']).where('id', '=', id).executeTakeFirst()
  await eraseDeletedUsers(database, 7)
  expect(await read()).toEqual({ email: Email, name: 'Somebody' })
  await eraseDeletedUsers(database, 0)
  expect(await read()).toEqual({ email: '', name: '' })
  expect((await server.call('GET', `/users/${kept}`)).body.Name).toBe('Somebody else')
})

describe('an account', () => {
  const newAccount = async () => {
    const apiKey = await server.newKey({ inNewAccount: true })
    return { apiKey, userId: (await me(apiKey)).User.Id as number }
  }

  test('never loses its last enabled Administrator', async () => {
    const { apiKey, userId } = await newAccount()
    await create({}, apiKey)
    expectProblem(await update(userId, { Role: 'SeniorEditor' }, apiKey), 'conflict')
    expectProblem(await update(userId, { IsEnabled: false }, apiKey), 'conflict')
    expectProblem(await remove(userId, apiKey), 'conflict')
    await create({ Role: 'Administrator', IsEnabled: false }, apiKey)
    expectProblem(await update(userId, { Role: 'SeniorEditor' }, apiKey), 'conflict')
    await create({ Role: 'Administrator' }, apiKey)
    expect((await update(userId, { Role: 'SeniorEditor' }, apiKey)).status).toBe(200)
  })

  test.each(['None', 'Reader'])(
    'never loses its last Administrator without a lower role to the role %s in a project',
    async (Role) => {
      const { apiKey, userId } = await newAccount()
      const { body: project } = await server.call('POST', '/projects', { body: { Name: 'News' }, apiKey })
      const lower = { ProjectRoles: [{ ProjectId: project.Id, Role }] }
      const refused = await update(userId, lower, apiKey)
      expectProblem(refused, 'conflict')
      expect(refused.body.error.reason).toBe('last_administrator')
      const { body: other } = await create({ Role: 'Administrator', ...lower }, apiKey)
      expectProblem(await update(userId, lower, apiKey), 'conflict')
      expectProblem(await update(userId, { Role: 'Reader' }, apiKey), 'conflict')
      // A deleted project can be restored, and the role with it.
      await server.call('DELETE', `/projects/${project.Id}`, { apiKey })
      expectProblem(await update(userId, { Role: 'Reader' }, apiKey), 'conflict')
      await server.call('POST', `/projects/${project.Id}/restore`, { apiKey })
      const asAdministrator = { ProjectRoles: [{ ProjectId: project.Id, Role: 'Administrator' }] }
      await update(other.Id, asAdministrator, apiKey)
      expect((await update(userId, lower, apiKey)).status).toBe(200)
    },
  )

  test('that has only Administrators with a lower role in a project can change users, but not lose the last one', async () => {
    const { apiKey, userId } = await newAccount()
    const { body: project } = await server.call('POST', '/projects', { body: { Name: 'News' }, apiKey })
    const { body: reader } = await create({}, apiKey)
    // Earlier versions accepted this.
    const { account_id } = await server.services.database.kysely
      .selectFrom('users')
      .select('account_id')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    await server.services.database.kysely
      .insertInto('project_roles')
      .values({ account_id, user_id: userId, project_id: project.Id, role: 'Reader' })
      .execute()
    expect((await update(userId, { Name: 'Kim' }, apiKey)).status).toBe(200)
    expect((await update(reader.Id, { Name: 'Lee', IsEnabled: false }, apiKey)).status).toBe(200)
    expect((await remove(reader.Id, apiKey)).status).toBe(200)
    for (const body of [{ Role: 'Reader' }, { ProjectRoles: [{ ProjectId: project.Id, Role: 'None' }] }])
      expectProblem(await update(userId, body, apiKey), 'conflict')
  })

  test('keeps one of two Administrators who delete each other concurrently', async () => {
    const one = await newAccount()
    const { body: other } = await create({ Role: 'Administrator' }, one.apiKey)
    const { body: key } = await server.call('POST', '/apikeys', {
      body: { Label: 'a', UserId: other.Id },
      apiKey: one.apiKey,
    })
    const answers = await Promise.all([remove(other.Id, one.apiKey), remove(one.userId, key.Token)])
    // The second request is refused either by the rule or because its caller was deleted.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('users cannot delete or disable themselves, also where others remain', async () => {
    const { apiKey, userId } = await newAccount()
    await create({ Role: 'Administrator' }, apiKey)
    expectProblem(await remove(userId, apiKey), 'conflict')
    expectProblem(await update(userId, { IsEnabled: false }, apiKey), 'conflict')
  })
})

describe('a key with few scopes', () => {
  const provisioning = () => server.newKey({ scopes: ['users:*', 'keys:*', 'files:read'] })

  test('creates no user with more rights than its own', async () => {
    const apiKey = await provisioning()
    for (const Role of ['Reader', 'Administrator']) expectProblem(await create({ Role }, apiKey), 'forbidden')
    const readers = [
      'users:write',
      'projects:read',
      'files:read',
      'live:read',
      'playlists:read',
      'catalog:read',
      'events:read',
      'analytics:read',
    ]
    const reader = await server.newKey({ scopes: readers })
    expect((await create({}, reader)).status).toBe(201)
    expectProblem(await create({ Role: 'Uploader' }, reader), 'forbidden')
    const ProjectRoles = [{ ProjectId: projectId, Role: 'Uploader' }]
    expectProblem(await create({ ProjectRoles }, reader), 'forbidden')
  })

  test('issues no key for another user with more rights than its own', async () => {
    const apiKey = await provisioning()
    const UserId = await createdId({ Role: 'Administrator' })
    const createKey = (Scopes: string[]) =>
      server.call('POST', '/apikeys', { body: { Label: 'a', UserId, Scopes }, apiKey })
    expectProblem(await createKey(['*']), 'forbidden')
    expectProblem(await createKey(['files:*']), 'forbidden')
    expect((await createKey(['files:read'])).body).toMatchObject({ UserId, Scopes: ['files:read'] })
  })

  test('disables and deletes a more powerful user, but neither promotes nor takes over one', async () => {
    const apiKey = await provisioning()
    const id = await createdId({ Role: 'SeniorEditor' })
    for (const body of [{ Role: 'Administrator' }, { Role: 'Reader' }, { Email: newEmail() }])
      expectProblem(await update(id, body, apiKey), 'forbidden')
    expectProblem(
      await update(id, { ProjectRoles: [{ ProjectId: projectId, Role: 'Administrator' }] }, apiKey),
      'forbidden',
    )
    expect((await update(id, { IsEnabled: false, Name: 'Left' }, apiKey)).status).toBe(200)
    expectProblem(await update(id, { IsEnabled: true }, apiKey), 'forbidden')
    expect((await remove(id, apiKey)).status).toBe(200)
  })
})

describe('a key restricted to projects', () => {
  test('neither sees nor changes users', async () => {
    const apiKey = await server.newKey({ projectIds: [projectId] })
    const id = await createdId({
      ProjectRoles: [
        { ProjectId: projectId, Role: 'Uploader' },
        { ProjectId: otherProjectId, Role: 'SeniorEditor' },
      ],
    })
    for (const path of ['/users', `/users?projectId=${projectId}`, `/users/${id}`, '/users/999999'])
      expectProblem(await server.call('GET', path, { apiKey }), 'forbidden')
    expectProblem(await create({}, apiKey), 'forbidden')
    expectProblem(await update(id, { IsEnabled: false }, apiKey), 'forbidden')
    expectProblem(await remove(id, apiKey), 'forbidden')
  })
})

describe('the list of users', () => {
  let apiKey: string
  const ids: Record<string, number> = {}
  const listed = async (query: string): Promise<string[]> => {
    const { status, body } = await server.call('GET', `/users?${query}`, { apiKey })
    expect(status).toBe(200)
    expect(body.TotalCount).toBe(body.Users.length)
    return body.Users.map(({ Name }: { Name: string }) => Name)
  }

  beforeAll(async () => {
    apiKey = await server.newKey({ inNewAccount: true })
    const { body: project } = await server.call('POST', '/projects', { body: { Name: 'a' }, apiKey })
    ids['project'] = project.Id
    const own = (await me(apiKey)).User.Id
    await update(own, { Name: 'owner', Email: 'zz@list.example.com' }, apiKey)
    for (const body of [
      { Name: 'Ärger', Role: 'Uploader', Email: 'c@list.example.com' },
      { Name: 'bert 100%', Role: 'Reader', Email: 'b@list.example.com', IsEnabled: false },
      {
        Name: 'Zoë',
        Role: 'Reader',
        Email: 'a@list.example.com',
        ProjectRoles: [{ ProjectId: project.Id, Role: 'SeniorEditor' }],
      },
    ])
      await create(body, apiKey)
  })

  test('is sorted by creation, newest first, or in three other orders', async () => {
    expect(await listed('')).toEqual(['Zoë', 'bert 100%', 'Ärger', 'owner'])
    expect(await listed('orderBy=name&sort=asc')).toEqual(['Ärger', 'bert 100%', 'owner', 'Zoë'])
    expect(await listed('orderBy=email&sort=asc')).toEqual(['Zoë', 'bert 100%', 'Ärger', 'owner'])
    expect(await listed('orderBy=updated&sort=asc')).toEqual(['owner', 'Ärger', 'bert 100%', 'Zoë'])
  })

  test.each(['created', 'name', 'email', 'updated'])('pages by cursor in the order %s', async (orderBy) => {
    const { body: whole } = await server.call('GET', `/users?orderBy=${orderBy}`, { apiKey })
    const found: unknown[] = []
    for (let cursor = ''; ;) {
      const { body } = await server.call('GET', `/users?orderBy=${orderBy}&limit=3${cursor}`, { apiKey })
      found.push(...body.Users)
      if (body.NextCursor === null) break
      cursor = `&cursor=${body.NextCursor}`
    }
    expect(found).toEqual(whole.Users)
  })

  test('can be searched and filtered', async () => {
    expect(await listed('search=arger')).toEqual(['Ärger'])
    expect(await listed('search=EXAMPLE%20zoe')).toEqual(['Zoë'])
    expect(await listed('search=100%25')).toEqual(['bert 100%'])
    expect(await listed('search=%20')).toHaveLength(4)
    expect(await listed('search=_')).toEqual([])
    expect(await listed('role=Reader,Uploader')).toEqual(['Zoë', 'bert 100%', 'Ärger'])
    expect(await listed('isEnabled=false')).toEqual(['bert 100%'])
    expect(await listed(`projectId=${ids['project']}`)).toEqual(['Zoë'])
    expect(await listed(`projectId=${projectId}`)).toEqual([])
  })

  test.each([
    'role=Owner',
    'role=',
    'role=Reader,',
    'role=reader',
    'isEnabled=maybe',
    'projectId=0',
    'projectId=1e3',
    'projectId=9223372036854775808',
    'search=%00',
    `search=${'a'.repeat(201)}`,
    'orderBy=size',
    'limit=0',
    'cursor=abc',
  ])('%s answers 400 and names the parameter', async (query) => {
    const answer = await server.call('GET', `/users?${query}`, { apiKey })
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toMatch(new RegExp(query.split('=')[0] ?? ''))
  })
})
