import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import {
  callOperation,
  inOrder,
  listOperations,
  type Operation,
} from '../identity/test-support/operations.ts'
import { newPerson, signIn, trySignIn } from '../identity/test-support/people.ts'
import { makeRecords, unknownIds } from '../identity/test-support/records.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_SIGN_INS_PER_MINUTE: '0' } })
})

afterAll(() => server.stop())

const entries = async (query: string): Promise<Answer['body'][]> => {
  const { status, body } = await server.call('GET', `/audit?limit=500&${query}`)
  expect(status).toBe(200)
  return body.AuditEntries
}

const bodies: Record<string, object> = {
  updateProject: { Description: 'changed' },
  updateWatermark: { Opacity: 50 },
  updateLogo: { Link: 'https://www.example.com/' },
  updateCategory: { CustomId: 'changed' },
  updateVideotype: { CustomId: 'changed' },
  updateShare: { CustomId: 'changed' },
  updateAlert: { Label: 'changed' },
  updateWebhook: { Label: 'changed', CustomHeaders: { 'X-Secret': 'hidden-in-a-header' } },
  updateUser: { Name: 'changed' },
  updateMe: { Name: 'changed' },
  updateApiKeyPolicy: { MaxLifetimeDays: 3_650 },
  updateApiKey: { Label: 'changed' },
}

/** These operations need an identity provider; the tests of partners check their entries. */
const elsewhere = new Set([
  'connectIdentityProvider',
  'disconnectIdentityProvider',
  'testIdentityProvider',
  'rotateSigningKeys',
  'updateSignInPolicy',
])

/** All operations use one set of records: the deleted project is restored at the end. */
const deletedBeforeRestored = (one: Operation, other: Operation): number =>
  Number(one.id === 'restoreProject') - Number(other.id === 'restoreProject') || inOrder(one, other)

/** Operations that are refused to a key with every right except those of an Administrator. */
const administrativeOperations = async (): Promise<Operation[]> => {
  const apiKey = await server.newKey({ role: 'SeniorEditor' })
  const all = (await listOperations(server)).filter(({ method }) => method !== 'GET')
  const refused: Operation[] = []
  for (const operation of all) {
    const { status } = await callOperation(server, operation, { ids: unknownIds, apiKey })
    if (status === 403) refused.push(operation)
  }
  return refused
}

test('every administrative operation adds an entry with actor, address and subject, and without secrets', async () => {
  const operations = (await administrativeOperations()).filter(({ id }) => !elsewhere.has(id))
  expect(operations.length).toBeGreaterThan(25)
  const silent: string[] = []
  const secrets: string[] = ['hidden-in-a-header']
  const ids = await makeRecords(server)
  for (const operation of operations.toSorted(deletedBeforeRestored)) {
    const requestId = crypto.randomUUID()
    const { status, body } = await callOperation(server, operation, {
      ids,
      apiKey: server.apiKey,
      headers: { 'X-Request-Id': requestId },
      ...(bodies[operation.id] === undefined ? {} : { body: bodies[operation.id] as object }),
    })
    secrets.push(...[body.Token, body.Secret].filter((secret) => typeof secret === 'string'))
    const [entry] = await entries(`requestId=${requestId}`)
    if (status >= 300 || entry === undefined) silent.push(`${operation.id}: ${status}`)
    else
      expect(entry).toMatchObject({
        User: { Email: 'admin@zoetrope.local' },
        ApiKeyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        SessionId: null,
        Address: '127.0.0.1',
      })
  }
  expect(silent).toEqual([])
  const log = JSON.stringify(
    await server.services.database.kysely.selectFrom('audit_entries').selectAll().execute(),
  )
  expect(secrets.length).toBeGreaterThan(5)
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
})

test('an entry contains the values before and after', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  const acting = await newPerson(server)
  await acting.call('PUT', `/users/${person.userId}`, { body: { Role: 'Uploader' } })
  expect(await entries(`subject=User&subjectId=${person.userId}&action=user.updated`)).toMatchObject([
    {
      Action: 'user.updated',
      User: { Id: acting.userId, Email: acting.email, Name: 'Kim Lee' },
      ApiKeyId: null,
      SessionId: acting.sessionId,
      Changes: [{ Field: 'Role', Before: 'Reader', After: 'Uploader' }],
    },
  ])
})

test('an operation that failed or changed nothing adds no entry', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  const query = `subjectId=${person.userId}&action=user.*`
  await server.call('PUT', `/users/${person.userId}`, { body: { Name: 'Kim Lee' } })
  await server.call('PUT', `/users/${person.userId}`, {
    body: { Name: 'b' },
    headers: { 'If-Match': '"old"' },
  })
  await server.call('PUT', `/users/${person.userId}`, {
    body: { ProjectRoles: [{ ProjectId: 999_999, Role: 'Reader' }] },
  })
  expect(await entries(query)).toEqual([])
})

test('sign-ins, refused sign-ins, password changes and sign-outs are logged', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  const browser = await signIn(server, person)
  await trySignIn(server, { ...person, password: 'wrong' })
  await browser.call('PUT', '/session/password', {
    body: { CurrentPassword: person.password, NewPassword: 'a ferry on the ninth wave' },
  })
  await browser.call('DELETE', '/session')
  const actions = (await entries(`userId=${person.userId}`)).map(({ Action }) => Action)
  expect(actions).toEqual([
    'session.ended',
    'password.changed',
    'session.started',
    'session.started',
    'invitation.accepted',
  ])
  expect(await entries(`action=session.refused&subjectId=${person.userId}`)).toMatchObject([
    { User: null, Subject: 'User', Address: '127.0.0.1' },
  ])
})

test('administrators of the account read the log by page and by time', async () => {
  const { body: first } = await server.call('GET', '/audit?limit=1')
  const { body: next } = await server.call('GET', `/audit?limit=1&cursor=${first.NextCursor}`)
  expect(next.AuditEntries[0].Id).toBeLessThan(first.AuditEntries[0].Id)
  const at = encodeURIComponent(first.AuditEntries[0].OccurredAt)
  expect((await server.call('GET', `/audit?to=${at}`)).body.TotalCount).toBeLessThan(first.TotalCount)
  expectProblem(await server.call('GET', '/audit?action=nonsense'), 'invalid')
  expectProblem(await server.call('GET', '/audit?from=yesterday'), 'invalid')
  const stranger = await server.newKey({ inNewAccount: true })
  expect((await server.call('GET', '/audit', { apiKey: stranger })).body.TotalCount).toBe(0)
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'A' } })
  const narrow = await server.newKey({ projectIds: [project.Id] })
  expectProblem(await server.call('GET', '/audit', { apiKey: narrow }), 'forbidden')
})
