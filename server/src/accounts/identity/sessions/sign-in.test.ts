import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSecondNode, type SecondNode } from '../../../../test/support/second-node.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { listOperations } from '../test-support/operations.ts'
import { newPerson, signIn, trySignIn, type Browser } from '../test-support/people.ts'
import { createSessionVerifier } from '../authentication/session-verifier.ts'
import { bucketOfSuccesses, takeFrom } from './sign-in-attempts.ts'

let server: TestServer
let second: SecondNode
let kim: Browser

beforeAll(async () => {
  server = await startTestServer({
    environment: { ZOETROPE_SIGN_INS_PER_MINUTE: '0', ZOETROPE_REFUSALS_PER_MINUTE: '30' },
  })
  second = await startSecondNode(server)
  kim = await newPerson(server)
})

afterAll(async () => {
  await second.stop()
  await server.stop()
})

const keyOf = async ({ userId }: Browser): Promise<string> =>
  (await server.call('POST', '/apikeys', { body: { Label: 'a', UserId: userId } })).body.Token

const elsewhere = (browser: Browser) =>
  request(`${second.url}/v3/session`, 'GET', { headers: { Cookie: browser.cookie } })

test('these operations need no authentication, all others do', async () => {
  const open = await listOperations(server, { areOpen: true })
  expect(open.map(({ id }) => id).sort()).toEqual([
    'acceptInvitation',
    'finishSignIn',
    'requestPasswordReset',
    'signIn',
    'signInByLink',
    'signInByPasskey',
    'startPasskeySignIn',
  ])
})

test('a user signs in with e-mail and password, in any case of the address, and has the rights of the role', async () => {
  const answer = await trySignIn(server, { ...kim, email: kim.email.toUpperCase() })
  expect(answer).toMatchObject({ status: 201, body: { User: { Id: kim.userId }, ApiKey: null } })
  expect(answer.body.Permissions).toContain('users:write')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const [session = ''] = answer.headers.getSetCookie()
  expect(session).toMatch(
    /^zoetrope-session=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const { body } = await server.call('GET', `/users/${kim.userId}`)
  expect(Date.now() - Date.parse(body.LastSignInAt)).toBeLessThan(60_000)
})

test('the database contains neither the session token nor the password', async () => {
  const browser = await signIn(server, kim)
  const token = /zoetrope-session=([^;]+)/.exec(browser.cookie)?.[1] ?? ''
  const { kysely } = server.services.database
  const text = JSON.stringify([
    await kysely.selectFrom('sessions').selectAll().execute(),
    await kysely.selectFrom('users').selectAll().execute(),
    await kysely.selectFrom('audit_entries').selectAll().execute(),
  ])
  expect(token).toHaveLength(43)
  expect(text).not.toContain(token)
  expect(text).not.toContain(kim.password)
  expect(text).toContain('$argon2id$')
})

test('an unknown address, a wrong password, a user without one and a disabled user get the same message', async () => {
  const { body: keyOnly } = await server.call('POST', '/users', {
    body: { Email: 'key.only@example.com', Role: 'Reader' },
  })
  const disabled = await newPerson(server, { role: 'Reader' })
  await server.call('PUT', `/users/${disabled.userId}`, { body: { IsEnabled: false } })
  const answers = [
    await trySignIn(server, { email: 'nobody@example.com', password: kim.password }),
    await trySignIn(server, { email: kim.email, password: 'something else' }),
    await trySignIn(server, { email: keyOnly.Email, password: kim.password }),
    await trySignIn(server, disabled),
  ]
  for (const answer of answers) {
    expectProblem(answer, 'unauthorized')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.body.error.message).toBe(answers[0]?.body.error.message)
  }
})

test.each(['/session', '/session/link', '/session/invitation', '/session/passwordreset'])(
  '%s accepts 4 KiB and 20 fields at most, and refuses more before validation',
  async (path) => {
    const post = (body: string) =>
      server.call('POST', path, {
        apiKey: null,
        body,
        // Another site has its own counter, so the users of this test are not delayed.
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' },
      })
    const withFields = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1])))
    const large = await post(JSON.stringify({ Email: 'a'.repeat(4_096) }))
    expectProblem(large, 'too_large')
    expect(large.body.error.message).toContain('4 KiB')
    expect((await post(withFields(21))).body.error.reason).toBe('json_too_many_values')
    expect((await post(withFields(20))).body.error.details).toContainEqual(
      expect.objectContaining({ reason: 'required' }),
    )
  },
)

test('the cookie works like a key: it reads and, with the CSRF token, changes', async () => {
  expect((await kim.call('GET', '/me')).body).toMatchObject({ User: { Id: kim.userId }, ApiKey: null })
  const made = await kim.call('POST', '/projects', { body: { Name: 'By cookie' } })
  expect(made.status).toBe(201)
  const key = await kim.call('POST', '/apikeys', { body: { Label: 'By cookie' } })
  expect(key.body).toMatchObject({ UserId: kim.userId, Scopes: ['*'], ExpiresAt: null })
})

const forged: [string, Record<string, string>][] = [
  ['without the CSRF token', { 'X-CSRF-Token': '' }],
  ['with the token of another session', { 'X-CSRF-Token': 'pQ5gU0w0R0e3p3x8m2n9bVv5yq1Yt6sXc7dK4hJ2LfA' }],
  ['from another origin', { Origin: 'https://evil.example' }],
  ['from an opaque origin', { Origin: 'null' }],
  ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['from another host of the same site', { 'Sec-Fetch-Site': 'same-site' }],
]

test.each(forged)('a change with a cookie %s is refused, but a read is not', async (_what, headers) => {
  for (const method of ['POST', 'PUT', 'DELETE'])
    expectProblem(
      await kim.call(method, method === 'POST' ? '/projects' : '/projects/999999', {
        headers,
        ...(method === 'DELETE' ? {} : { body: { Name: 'forged' } }),
      }),
      'forbidden',
    )
  expect((await kim.call('GET', '/me', { headers })).status).toBe(200)
})

test('a page of this installation may change records, under each host name that the browser uses', async () => {
  for (const origin of [server.url, server.url.replace('http:', 'https:')])
    expect(
      (
        await kim.call('POST', '/projects', {
          body: { Name: 'Own page' },
          headers: { Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
        })
      ).status,
    ).toBe(201)
})

test('a page of another site cannot sign a user in', async () => {
  expectProblem(await trySignIn(server, kim, { Origin: 'https://evil.example' }), 'forbidden')
})

test('sign-in over HTTPS is refused while the public URL is http, because the cookie would be sent unencrypted', async () => {
  const answer = await trySignIn(server, kim, { Origin: server.url.replace('http:', 'https:') })
  expectProblem(answer, 'forbidden')
  expect(answer.body.error.message).toMatch(/ZOETROPE_PUBLIC_URL/)
})

test('only pages of this installation can stream events with a cookie', async () => {
  const follow = (site: string) => kim.call('GET', '/events/stream', { headers: { 'Sec-Fetch-Site': site } })
  expectProblem(await follow('same-site'), 'forbidden')
  expect((await follow('same-origin')).status).toBe(200)
})

const tokenOf = ({ cookie }: Browser): string => /zoetrope-session=([^;]+)/.exec(cookie)?.[1] ?? ''

test('the session check of an event stream does not prolong the session', async () => {
  const { database } = server.services
  const browser = await signIn(server, kim)
  const sessions = createSessionVerifier(database, { idleMs: 3_600_000 })
  const lastUsed = async (): Promise<number> =>
    (
      await database.kysely
        .selectFrom('sessions')
        .select('last_used_at')
        .where('uuid', '=', browser.sessionId)
        .executeTakeFirstOrThrow()
    ).last_used_at.getTime()
  await database.kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date(Date.now() - 600_000) })
    .where('uuid', '=', browser.sessionId)
    .execute()
  const before = await lastUsed()
  await sessions.verify(tokenOf(browser), 'look')
  expect(sessions.known(tokenOf(browser), 'look')).not.toBeNull()
  expect(await lastUsed()).toBe(before)
  expect(sessions.known(tokenOf(browser), 'use')).not.toBeNull()
  await waitFor(lastUsed, (usedAt) => usedAt > before)
})

test('cookies of ended sessions are removed, and do not lock out users at the same address', async () => {
  const stale = { headers: { Cookie: `zoetrope-session=${'x'.repeat(43)}` }, apiKey: null }
  for (let index = 0; index < 40; index += 1) {
    const answer = await server.call('GET', '/me', stale)
    expectProblem(answer, 'unauthorized')
    expect(answer.headers.getSetCookie()[0]).toMatch(/^zoetrope-session=; Max-Age=0;/)
  }
  const fresh = await signIn(server, kim)
  expect((await elsewhere(fresh)).status).toBe(200)
  expect((await fresh.call('GET', '/me')).status).toBe(200)
})

test('another sign-in in the same browser ends its old session, and a user has fifty sessions at most', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  const { kysely } = server.services.database
  const [former] = await kysely
    .selectFrom('sessions')
    .selectAll()
    .where('uuid', '=', person.sessionId)
    .execute()
  if (former === undefined) throw new Error('no session')
  const { uuid: _uuid, ordinal: _ordinal, ...copy } = former
  await kysely
    .insertInto('sessions')
    .values(
      Array.from({ length: 60 }, (_, index) => ({ ...copy, token_hash: Buffer.from(`other ${index}`) })),
    )
    .execute()
  const again = await trySignIn(server, person, { Cookie: person.cookie })
  expect(again.status).toBe(201)
  expectProblem(await person.call('GET', '/session'), 'unauthorized')
  const { body } = await server.call('GET', `/sessions?userId=${person.userId}`)
  expect([body.TotalCount, body.Sessions[0].Id]).toEqual([50, again.body.Session.Id])
})

test('a user can sign in thirty times a minute at most, also in a known browser', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  const successes = bucketOfSuccesses(person.email)
  await server.services.database.transaction(async (tx) => {
    for (let index = 0; index < 30; index += 1) expect(await takeFrom(tx, successes, new Date())).toBe(0)
  })
  for (const headers of [{}, { Cookie: person.cookie }])
    expectProblem(await trySignIn(server, person, headers), 'rate_limited')
  expect((await person.call('GET', '/session')).status).toBe(200)
})

test('the API key decides when a request has both, even if it is invalid', async () => {
  const apiKey = await server.newKey({ role: 'Reader' })
  const both = { headers: { Cookie: kim.cookie }, apiKey }
  expect((await server.call('GET', '/me', both)).body.User.Id).not.toBe(kim.userId)
  expectProblem(await server.call('POST', '/projects', { ...both, body: { Name: 'a' } }), 'forbidden')
  expectProblem(await server.call('GET', '/me', { ...both, apiKey: 'none' }), 'unauthorized')
  expectProblem(
    await server.call('GET', '/me', {
      apiKey: null,
      headers: { ...both.headers, Authorization: 'Basic YTpi' },
    }),
    'unauthorized',
  )
})

test('a request with an API key has no session', async () => {
  for (const [method, path] of [
    ['GET', '/session'],
    ['DELETE', '/session'],
  ] as const)
    expectProblem(await server.call(method, path), 'not_found')
})

test('sessions are listed and ended one by one, by their owner or an administrator, and by no key of the owner', async () => {
  const owner = await newPerson(server, { role: 'Reader' })
  const other = await signIn(server, owner)
  const { body } = await owner.call('GET', '/sessions')
  expect(
    body.Sessions.map(({ Id, IsCurrent }: { Id: string; IsCurrent: boolean }) => [Id, IsCurrent]),
  ).toEqual([
    [other.sessionId, false],
    [owner.sessionId, true],
  ])
  expect((await owner.call('GET', '/sessions?limit=1')).body.NextCursor).not.toBeNull()
  expect((await owner.call('DELETE', `/sessions/${other.sessionId}`)).status).toBe(200)
  expectProblem(await other.call('GET', '/session'), 'unauthorized')
  expectProblem(await owner.call('GET', `/sessions?userId=${kim.userId}`), 'forbidden')
  expectProblem(await owner.call('DELETE', `/sessions/${kim.sessionId}`), 'forbidden')
  const apiKey = await keyOf(owner)
  expectProblem(await server.call('GET', '/sessions', { apiKey }), 'forbidden')
  expectProblem(await server.call('DELETE', `/sessions/${owner.sessionId}`, { apiKey }), 'forbidden')
  const seen = await server.call('GET', `/sessions?userId=${owner.userId}`)
  expect(seen.body).toMatchObject({ TotalCount: 1, Sessions: [{ Id: owner.sessionId }] })
  expect((await server.call('DELETE', `/sessions/${owner.sessionId}`)).status).toBe(200)
  expectProblem(await owner.call('GET', '/session'), 'unauthorized')
})

test('signing out ends the session at once, and within two seconds on other nodes', async () => {
  const browser = await signIn(server, kim)
  expect((await elsewhere(browser)).status).toBe(200)
  const out = await browser.call('DELETE', '/session')
  expect(out).toMatchObject({ status: 200, body: { Id: browser.sessionId, IsEnabled: false } })
  expect(out.headers.getSetCookie()[0]).toMatch(/^zoetrope-session=; Max-Age=0;/)
  const since = Date.now()
  expectProblem(await browser.call('GET', '/session'), 'unauthorized')
  await waitFor(
    () => elsewhere(browser),
    ({ status }) => status === 401,
  )
  expect(Date.now() - since).toBeLessThan(2_000)
})

test('disabling a user ends all sessions on every node within two seconds, and enabling restores none', async () => {
  const browser = await newPerson(server, { role: 'SeniorEditor' })
  expect((await elsewhere(browser)).status).toBe(200)
  await server.call('PUT', `/users/${browser.userId}`, { body: { IsEnabled: false } })
  const since = Date.now()
  expectProblem(await browser.call('GET', '/me'), 'unauthorized')
  await waitFor(
    () => elsewhere(browser),
    ({ status }) => status === 401,
  )
  expect(Date.now() - since).toBeLessThan(2_000)
  await server.call('PUT', `/users/${browser.userId}`, { body: { IsEnabled: true } })
  expectProblem(await browser.call('GET', '/me'), 'unauthorized')
})

test('a session ends when it is idle for long, and after its maximum lifetime', async () => {
  const { kysely } = server.services.database
  const idle = await signIn(server, kim)
  const old = await signIn(server, kim)
  const anHourAgo = new Date(Date.now() - 3_600_000)
  await kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date(Date.now() - 25 * 3_600_000) })
    .where('uuid', '=', idle.sessionId)
    .execute()
  await kysely
    .updateTable('sessions')
    .set({ expires_at: anHourAgo })
    .where('uuid', '=', old.sessionId)
    .execute()
  expectProblem(await idle.call('GET', '/session'), 'unauthorized')
  expectProblem(await old.call('GET', '/session'), 'unauthorized')
  const { body } = await kim.call('GET', '/sessions?limit=500')
  const listed = body.Sessions.map(({ Id }: { Id: string }) => Id)
  expect(listed).not.toContain(idle.sessionId)
  expect(listed).not.toContain(old.sessionId)
})

test('a new password needs the current one and ends all other sessions', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  const other = await signIn(server, person)
  const change = (CurrentPassword: string, NewPassword: string) =>
    person.call('PUT', '/session/password', { body: { CurrentPassword, NewPassword } })
  expectProblem(await change('not this one', 'a ferry on the ninth wave'), 'invalid')
  const refused = await server.call('GET', `/audit?action=session.refused&userId=${person.userId}`)
  expect(refused.body.AuditEntries).toMatchObject([{ SessionId: person.sessionId }])
  expectProblem(await change(person.password, 'short'), 'invalid')
  const changed = await change(person.password, 'a ferry on the ninth wave')
  expect(changed.status).toBe(200)
  expect((await person.call('GET', '/session')).status).toBe(200)
  expectProblem(await other.call('GET', '/session'), 'unauthorized')
  expectProblem(await trySignIn(server, person), 'unauthorized')
  expect((await trySignIn(server, { ...person, password: 'a ferry on the ninth wave' })).status).toBe(201)
  // Only the new device token is valid, however often unknown browsers fail.
  for (let attempt = 0; attempt < 8; attempt += 1) await trySignIn(server, person)
  const [device = ''] = changed.headers.getSetCookie()
  expect(device).toMatch(/^zoetrope-device=/)
  const statusWith = async (Cookie: string) => (await trySignIn(server, person, { Cookie })).status
  expect([await statusWith(person.cookie), await statusWith(device)]).toEqual([429, 401])
})

test('repeated failures cause a delay for known and unknown users, but not for a browser that was signed in before', async () => {
  const person = await newPerson(server, { role: 'Reader' })
  const statuses = async (email: string, headers = {}) => {
    const answers = []
    for (let attempt = 0; attempt < 6; attempt += 1)
      answers.push(await trySignIn(server, { email, password: 'wrong' }, headers))
    expect(Number(answers[5]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    return answers.map(({ status }) => status)
  }
  const expected = [401, 401, 401, 401, 401, 429]
  expect(await statuses(`${crypto.randomUUID()}@example.com`)).toEqual(expected)
  expect(await statuses(person.email)).toEqual(expected)
  expect((await trySignIn(server, person)).status).toBe(429)
  expect((await trySignIn(server, person, { Cookie: person.cookie })).status).toBe(201)
})

test('concurrent attempts have the same limit as sequential ones', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => trySignIn(server, { email, password: 'wrong' })),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
})
