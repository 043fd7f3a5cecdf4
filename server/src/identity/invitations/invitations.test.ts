import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../http/test-support/expect-problem.ts'
import { forgetDeletedUsers } from '../forget-deleted-users.ts'
import { goodPassword, newPerson, trySignIn } from '../test-support/people.ts'

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

test('who accepts is the user that was invited, signed in, with the roles of the invitation', async () => {
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
  expect(answer.body.error.message).toMatch(/^This link does not work/)
}

test('a link works once, also when it is used twice at the same moment', async () => {
  const { body } = await invite()
  const answers = await Promise.all([accept(body.Token), accept(body.Token), accept(body.Token)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404, 404])
  isVoid(await accept(body.Token))
})

test('a link that was taken back, replaced, has expired or never was opens nothing', async () => {
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

test('a weak password is refused and the link goes on working', async () => {
  const { body } = await invite()
  expectProblem(await accept(body.Token, 'short'), 'invalid')
  expectProblem(await accept(body.Token, body.Email), 'invalid')
  expectProblem(await accept(body.Token, goodPassword, { Origin: 'https://evil.example' }), 'forbidden')
  expect((await accept(body.Token)).status).toBe(201)
})

test('an address that is in use is not invited, nor taken by a link that was made before', async () => {
  const { body: first } = await invite()
  await server.call('POST', '/users', { body: { Email: first.Email, Role: 'Reader' } })
  expectProblem(await invite({ Email: first.Email.toUpperCase() }), 'conflict')
  expectProblem(await accept(first.Token), 'conflict')
})

test('nobody invites somebody mightier, nor lets them choose a password', async () => {
  const apiKey = await server.newKey({ scopes: ['users:*', 'files:read'] })
  expectProblem(await invite({ Role: 'SeniorEditor' }, apiKey), 'forbidden')
  const mighty = await newPerson(server)
  expectProblem(await server.call('POST', `/users/${mighty.userId}/passwordlink`, { apiKey }), 'forbidden')
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'A' } })
  const narrow = await server.newKey({ projectIds: [project.Id] })
  expectProblem(await invite({}, narrow), 'forbidden')
})

test('the link of somebody who may not invite any more opens nothing', async () => {
  const former = await newPerson(server)
  const { body: invitation } = await former.call('POST', '/invitations', {
    body: { Email: newEmail(), Role: 'Administrator' },
  })
  const { body: link } = await former.call('POST', `/users/${former.userId}/passwordlink`)
  await server.call('PUT', `/users/${former.userId}`, { body: { Role: 'SeniorEditor' } })
  isVoid(await accept(invitation.Token))
  isVoid(await accept(link.Token))
})

test('a password link sets a new password, ends all sessions, and signs in', async () => {
  const person = await newPerson(server, { role: 'JuniorEditor' })
  const { body: link } = await server.call('POST', `/users/${person.userId}/passwordlink`)
  expect(link).toMatchObject({ UserId: person.userId, Role: null, Email: person.email })
  const { status, body } = await accept(link.Token, 'a ferry on the ninth wave')
  expect(status).toBe(201)
  // It is for the password alone.
  expect(body.User).toMatchObject({ Id: person.userId, Role: 'JuniorEditor', Name: 'Kim Lee' })
  expectProblem(await person.call('GET', '/session'), 'unauthorized')
  expectProblem(await trySignIn(server, person), 'unauthorized')
  isVoid(await accept(link.Token))
})

test('of a user who is forgotten neither invitations nor the audit log keep the name', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  await server.call('PUT', `/users/${person.userId}`, { body: { Name: 'A telling name' } })
  await server.call('DELETE', `/users/${person.userId}`)
  const { database } = server.services
  const kept = async () =>
    JSON.stringify([
      await database.kysely.selectFrom('audit_entries').selectAll().execute(),
      await database.kysely.selectFrom('invitations').selectAll().execute(),
      await database.kysely.selectFrom('users').selectAll().execute(),
    ])
  expect(await kept()).toContain('A telling name')
  await forgetDeletedUsers(database, 0)
  expect(await kept()).not.toContain('A telling name')
  expect(await kept()).not.toContain(person.email)
})
