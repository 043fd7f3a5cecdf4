import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { eraseDeletedUsers } from '../users/erase-deleted-users.ts'
import { goodPassword, newPerson, trySignIn, type Browser } from '../test-support/people.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_SIGN_INS_PER_MINUTE: '0' } })
})

afterAll(() => server.stop())

const newEmail = (): string => `${crypto.randomUUID()}@example.com`

const invite = (body: object = {}, apiKey = server.apiKey) =>
  server.call('POST', '/invitations', { body: { Email: newEmail(), Role: 'Reader', ...body }, apiKey })

const accept = (Token: string, Password = goodPassword, headers: Record<string, string> = {}) =>
  server.call('POST', '/session/invitation', {
    apiKey: null,
    headers,
    body: { Token, Password, Name: ' Kim Lee ' },
  })

test('accepting an invitation signs in the invited user with the roles of the invitation', async () => {
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'A' } })
  const ProjectRoles = [{ ProjectId: project.Id, Role: 'SeniorEditor' }]
  const { status, body: invitation, headers } = await invite({ ProjectRoles })
  expect(status).toBe(201)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(invitation).toMatchObject({ Status: 'pending', UserId: null, Role: 'Reader', ProjectRoles })
  expect(invitation.URL).toBe(`${server.url}/accept#${invitation.Token}`)
  const { status: accepted, body } = await accept(invitation.Token)
  expect(accepted).toBe(201)
  expect(body.User).toMatchObject({
    Email: invitation.Email,
    Name: 'Kim Lee',
    Role: 'Reader',
    ProjectRoles,
    HasPassword: true,
  })
  const after = await server.call('GET', `/invitations/${invitation.Id}`)
  expect(after.body).toMatchObject({ Status: 'accepted', UserId: body.User.Id })
  expect(after.body).not.toHaveProperty('Token')
  expect((await trySignIn(server, { email: invitation.Email, password: goodPassword })).status).toBe(201)
})

const isVoid = (answer: Answer): void => {
  expectProblem(answer, 'not_found')
  expect(answer.body.error.message).toMatch(/^This link is not valid/)
}

test('a link works once, also when it is used twice at the same moment', async () => {
  const { body } = await invite()
  const answers = await Promise.all([accept(body.Token), accept(body.Token), accept(body.Token)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404, 404])
  isVoid(await accept(body.Token))
})

test('a revoked, replaced, expired or unknown link is refused', async () => {
  const { body: revoked } = await invite()
  expect((await server.call('DELETE', `/invitations/${revoked.Id}`)).status).toBe(200)
  const { body: replaced } = await invite()
  const { body: newest } = await invite({ Email: replaced.Email })
  const { body: expired } = await invite()
  await server.services.database.kysely
    .updateTable('invitations')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', expired.Id)
    .execute()
  for (const token of [revoked.Token, replaced.Token, expired.Token, 'x'.repeat(43), 'x'])
    isVoid(await accept(token))
  const { body } = await server.call('GET', '/invitations?status=expired,revoked&limit=500')
  expect(body.Invitations.map(({ Id }: { Id: number }) => Id)).toEqual([expired.Id, replaced.Id, revoked.Id])
  expect((await accept(newest.Token)).status).toBe(201)
  expectProblem(await server.call('DELETE', `/invitations/${newest.Id}`), 'conflict')
})

test('a link is not called invalid while the database fails', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  const { body: link } = await server.call('POST', `/users/${person.userId}/passwordlink`)
  const { kysely } = server.services.database
  await sql`alter table project_roles rename to unreadable_roles`.execute(kysely)
  const failed = await accept(link.Token)
  await sql`alter table unreadable_roles rename to project_roles`.execute(kysely)
  expectProblem(failed, 'internal')
  expect((await accept(link.Token)).status).toBe(201)
})

test('a weak password is refused and the link stays valid', async () => {
  const { body } = await invite()
  expectProblem(await accept(body.Token, 'short'), 'invalid')
  expectProblem(await accept(body.Token, body.Email), 'invalid')
  expectProblem(await accept(body.Token, goodPassword, { Origin: 'https://evil.example' }), 'forbidden')
  expect((await accept(body.Token)).status).toBe(201)
})

test('an address in use is not invited, and a link created before it was taken is refused', async () => {
  const { body: first } = await invite()
  await server.call('POST', '/users', { body: { Email: first.Email, Role: 'Reader' } })
  expectProblem(await invite({ Email: first.Email.toUpperCase() }), 'conflict')
  expectProblem(await accept(first.Token), 'conflict')
})

test('a link that can never be accepted soon stops costing CPU time, and one for a used address costs none', async () => {
  const maker = await newPerson(server)
  const { body: link } = await maker.call('POST', '/invitations', {
    body: { Email: newEmail(), Role: 'Reader' },
  })
  await server.call('PUT', `/users/${maker.userId}`, { body: { IsEnabled: false } })
  for (let attempt = 0; attempt < 5; attempt += 1) isVoid(await accept(link.Token))
  const statuses: number[] = []
  // The delays double, so the assertion also holds on a slow machine.
  for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await accept(link.Token)).status)
  expect(statuses).toContain(429)
  const { body: taken } = await invite()
  await server.call('POST', '/users', { body: { Email: taken.Email, Role: 'Reader' } })
  for (let attempt = 0; attempt < 7; attempt += 1) expectProblem(await accept(taken.Token), 'conflict')
})

test('a user cannot invite a more powerful one, nor let one set a password', async () => {
  const apiKey = await server.newKey({ scopes: ['users:*', 'files:read'] })
  expectProblem(await invite({ Role: 'SeniorEditor' }, apiKey), 'forbidden')
  const mighty = await newPerson(server)
  expectProblem(await server.call('POST', `/users/${mighty.userId}/passwordlink`, { apiKey }), 'forbidden')
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'A' } })
  const narrow = await server.newKey({ projectIds: [project.Id] })
  expectProblem(await invite({}, narrow), 'forbidden')
  const { body: invitation } = await invite()
  for (const path of ['/invitations', `/invitations/${invitation.Id}`, '/sessions'])
    expectProblem(await server.call('GET', path, { apiKey: narrow }), 'forbidden')
})

const demoted = { Role: 'SeniorEditor' }

test.each<[string, (userId: number) => Promise<Answer>]>([
  ['is no longer an Administrator', (id) => server.call('PUT', `/users/${id}`, { body: demoted })],
  ['was disabled', (id) => server.call('PUT', `/users/${id}`, { body: { IsEnabled: false } })],
  ['was deleted', (id) => server.call('DELETE', `/users/${id}`)],
])('links are invalid when their creator %s', async (_what, change) => {
  const former = await newPerson(server)
  const other = await newPerson(server, { role: 'Reader' })
  const { body: invitation } = await former.call('POST', '/invitations', {
    body: { Email: newEmail(), Role: 'Administrator' },
  })
  const { body: link } = await former.call('POST', `/users/${other.userId}/passwordlink`)
  const { body: own } = await former.call('POST', `/users/${former.userId}/passwordlink`)
  expect((await change(former.userId)).status).toBe(200)
  for (const { Token } of [invitation, link, own]) isVoid(await accept(Token))
})

test.each<[string, object | null]>([
  ['was revoked', null],
  ['can no longer write users', { Scopes: ['users:read'] }],
])('links created with an API key are invalid once it %s', async (_what, change) => {
  const { body: key } = await server.call('POST', '/apikeys', { body: { Label: 'lent' } })
  const { body: person } = await invite({}, key.Token)
  const path = `/apikeys/${key.Id}`
  const { status } =
    change === null ? await server.call('DELETE', path) : await server.call('PUT', path, { body: change })
  expect(status).toBe(200)
  isVoid(await accept(person.Token))
})

test('an API key with an expiry cannot grant permanent access', async () => {
  const ExpiresAt = new Date(Date.now() + 60_000).toISOString()
  const { body: lent } = await server.call('POST', '/apikeys', { body: { Label: 'lent', ExpiresAt } })
  const person = await newPerson(server, { role: 'Reader' })
  expectProblem(await invite({}, lent.Token), 'forbidden')
  expectProblem(
    await server.call('POST', `/users/${person.userId}/passwordlink`, { apiKey: lent.Token }),
    'forbidden',
  )
  // The test applies even without an identity provider, because one may be connected later and would match
  // users by address.
  const Email = newEmail()
  const userPath = `/users/${person.userId}`
  for (const [method, path, body] of [
    ['POST', '/users', { Email, Role: 'Reader' }],
    ['PUT', userPath, { Email }],
  ] as const)
    expectProblem(await server.call(method, path, { apiKey: lent.Token, body }), 'forbidden')
  const renamed = await server.call('PUT', userPath, { apiKey: lent.Token, body: { Name: 'Lee' } })
  expect(renamed.status).toBe(200)
})

test.each<[string, (person: Browser) => Promise<Answer>]>([
  ['address', ({ userId }) => server.call('PUT', `/users/${userId}`, { body: { Email: newEmail() } })],
  [
    'password',
    ({ call, password }) =>
      call('PUT', '/session/password', {
        body: { CurrentPassword: password, NewPassword: 'a ferry on the ninth wave' },
      }),
  ],
  [
    'state',
    async ({ userId }) => {
      await server.call('PUT', `/users/${userId}`, { body: { IsEnabled: false } })
      expectProblem(await server.call('POST', `/users/${userId}/passwordlink`), 'conflict')
      return server.call('PUT', `/users/${userId}`, { body: { IsEnabled: true } })
    },
  ],
])('a new %s revokes earlier password links and logs it', async (_what, change) => {
  const person = await newPerson(server, { role: 'Reader' })
  const { body: link } = await server.call('POST', `/users/${person.userId}/passwordlink`)
  expect((await change(person)).status).toBe(200)
  isVoid(await accept(link.Token))
  const { body } = await server.call('GET', `/audit?subject=Invitation&subjectId=${link.Id}`)
  expect(body.AuditEntries).toMatchObject([{ Action: 'invitation.revoked' }])
})

test('the newer of two password links is valid, also when the address changed between them', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  const { body: first } = await server.call('POST', `/users/${person.userId}/passwordlink`)
  await server.call('PUT', `/users/${person.userId}`, { body: { Email: newEmail() } })
  const { body: second } = await server.call('POST', `/users/${person.userId}/passwordlink`)
  isVoid(await accept(first.Token))
  expect((await accept(second.Token)).status).toBe(201)
})

test('the log names the link that a user came in by, and its creator', async () => {
  const maker = await newPerson(server)
  const { body: invitation } = await maker.call('POST', '/invitations', {
    body: { Email: newEmail(), Role: 'Reader' },
  })
  const { body: signedIn } = await accept(invitation.Token)
  const { body: link } = await maker.call('POST', `/users/${signedIn.User.Id}/passwordlink`)
  await accept(link.Token)
  const { body } = await server.call('GET', `/audit?subject=User&subjectId=${signedIn.User.Id}`)
  const by = (Id: number) =>
    expect.arrayContaining([
      { Field: 'InvitationId', After: Id },
      { Field: 'CreatedBy', After: maker.userId },
    ])
  expect(body.AuditEntries).toMatchObject([
    { Action: 'password.changed', Changes: by(link.Id) },
    { Action: 'password.link-created', Changes: [{ Field: 'InvitationId', After: link.Id }] },
    { Action: 'invitation.accepted', Changes: by(invitation.Id) },
  ])
})

test('a password link sets a new password, ends all sessions and signs in', async () => {
  const person = await newPerson(server, { role: 'JuniorEditor' })
  const { body: link } = await server.call('POST', `/users/${person.userId}/passwordlink`)
  expect(link).toMatchObject({ UserId: person.userId, Role: null, Email: person.email })
  const { status, body } = await accept(link.Token, 'a ferry on the ninth wave')
  expect(status).toBe(201)
  expect(body.User).toMatchObject({ Id: person.userId, Role: 'JuniorEditor', Name: 'Kim Lee' })
  expectProblem(await person.call('GET', '/session'), 'unauthorized')
  expectProblem(await trySignIn(server, person), 'unauthorized')
  isVoid(await accept(link.Token))
})

test('invitations and the audit log lose the name of a deleted user after the retention time', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  await server.call('PUT', `/users/${person.userId}`, { body: { Name: 'A telling name', Role: 'Uploader' } })
  await server.call('DELETE', `/users/${person.userId}`)
  const { database } = server.services
  const kept = async () =>
    JSON.stringify([
      await database.kysely.selectFrom('audit_entries').selectAll().execute(),
      await database.kysely.selectFrom('invitations').selectAll().execute(),
      await database.kysely.selectFrom('users').selectAll().execute(),
    ])
  expect(await kept()).toContain('A telling name')
  await eraseDeletedUsers(database, 0)
  expect(await kept()).not.toContain('A telling name')
  expect(await kept()).not.toContain(person.email)
  const { body } = await server.call('GET', `/audit?action=user.updated&subjectId=${person.userId}`)
  expect(body.AuditEntries).toMatchObject([
    { Changes: [{ Field: 'Role', Before: 'Reader', After: 'Uploader' }] },
  ])
})
