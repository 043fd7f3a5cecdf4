import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { request, startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { bucketsOfAddress } from '../identity/sessions/sign-in-attempts.ts'
import { newPerson } from '../identity/test-support/people.ts'
import { startCraftedProvider, type Flaw } from './test-support/crafted-provider.ts'
import {
  peopleClient,
  settingsFor,
  startPeopleProvider,
  walkThrough,
  type People,
} from './test-support/people-provider.ts'
import { dropUsedStates } from '../identity/store/used-states.ts'

const people: People = new Map()
const path = '/modules/partners/identityprovider'
/** More than all tests together need. */
const perMinute = 1_000
const newEmail = (): string => `${crypto.randomUUID()}@one.example`

let server: TestServer
let provider: Awaited<ReturnType<typeof startPeopleProvider>>
let crafted: Awaited<ReturnType<typeof startCraftedProvider>>
let accountId: number
let otherKey: string
let otherAccountId: number

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_SIGN_INS_PER_MINUTE: String(perMinute) } })
  const { kysely } = server.services.database
  accountId = (await kysely.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id
  provider = await startPeopleProvider(`${server.url}/signin/sso/callback/${accountId}`, people)
  crafted = await startCraftedProvider(peopleClient)
  const { status } = await server.call('PUT', path, { body: settingsFor(provider.issuer) })
  expect(status).toBe(200)
})

afterAll(async () => {
  await server.stop()
  await provider.close()
  await crafted.close()
})

const visit = async (
  url: string,
  cookie = '',
): Promise<{ status: number; page: string; headers: Headers }> => {
  const answer = await fetch(url, { redirect: 'manual', headers: { Cookie: cookie } })
  return { status: answer.status, page: await answer.text(), headers: answer.headers }
}

const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')

test('/signin/sso/offered reports whether a provider is connected', async () => {
  const offered = async (): Promise<unknown> => (await fetch(`${server.url}/signin/sso/offered`)).json()
  expect(await offered()).toEqual({ IsOffered: true, IsPasswordResetOffered: false })
  const { kysely } = server.services.database
  await kysely.updateTable('identity_providers').set({ sign_in_is_enabled: false }).execute()
  expect(await offered()).toEqual({ IsOffered: false, IsPasswordResetOffered: false })
  await kysely.updateTable('identity_providers').set({ sign_in_is_enabled: true }).execute()
})

const begin = async (email = '', cookie = '', more = '') => {
  const { status, headers } = await visit(
    `${server.url}/signin/sso?email=${encodeURIComponent(email)}${more}`,
    cookie,
  )
  expect(status).toBe(303)
  return { location: headers.get('location') ?? '', cookie: cookiesOf(headers) }
}

const signInAs = async (subject: string, cookie = '') => {
  const started = await begin(people.get(subject)?.email, cookie)
  return visit(await walkThrough(started.location, subject), [cookie, started.cookie].join('; '))
}

const whoIs = (cookie: string): Promise<Answer> =>
  request(`${server.url}/v3/session`, 'GET', { headers: { Cookie: cookie } })

const newUser = async (email: string, apiKey = server.apiKey): Promise<number> =>
  (await server.call('POST', '/users', { apiKey, body: { Email: email, Role: 'Reader' } })).body.Id

/** Adds a subject at the provider; Zoetrope knows it by the address if a user has it. */
const newSubject = (email: string, isVerified = true): string => {
  const subject = crypto.randomUUID()
  people.set(subject, { email, email_verified: isVerified })
  return subject
}

const countFailed = async (): Promise<number> => {
  const keys = bucketsOfAddress('127.0.0.1', perMinute, 'sso address').map(({ key }) => key)
  const { kysely } = server.services.database
  const rows = await kysely
    .selectFrom('sign_in_attempts')
    .select('attempt_count')
    .where('bucket', 'in', keys)
    .execute()
  return rows[0]?.attempt_count ?? 0
}

const clearFailedAttempts = (): Promise<unknown> =>
  server.services.database.kysely.deleteFrom('sign_in_attempts').execute()

const lastEntry = async (): Promise<Answer['body']> =>
  (await server.call('GET', '/audit?action=session.*&limit=1')).body.AuditEntries[0]

test('a person signs in by verified address and is recognized by subject from then on', async () => {
  const email = newEmail()
  const userId = await newUser(email)
  const subject = newSubject(email.toUpperCase())
  const first = await signInAs(subject)
  expect([first.status, first.headers.get('location')]).toEqual([303, `${server.url}/`])
  expect(first.headers.getSetCookie()[0]).toMatch(
    /^zoetrope-session=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const { body } = await whoIs(cookiesOf(first.headers))
  expect(body.User.Id).toBe(userId)
  expect(await lastEntry()).toMatchObject({
    Action: 'session.started',
    User: { Id: userId },
    SessionId: body.Session.Id,
    Changes: [{ Field: 'Issuer', After: provider.issuer }],
  })
  // The person now has another address, which is not verified.
  people.set(subject, { email: newEmail(), email_verified: false })
  const again = await signInAs(subject, cookiesOf(first.headers))
  expect((await whoIs(cookiesOf(again.headers))).body.User.Id).toBe(userId)
})

test('the redirect to the provider has PKCE, state and nonce, and an HttpOnly cookie', async () => {
  const email = newEmail()
  const { headers } = await visit(`${server.url}/signin/sso?email=${email}`)
  const query = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
  expect(query).toMatchObject({
    response_type: 'code',
    client_id: peopleClient.id,
    redirect_uri: `${server.url}/signin/sso/callback/${accountId}`,
    scope: 'openid email',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    login_hint: email,
  })
  for (const name of ['prompt', 'max_age']) expect(query).not.toHaveProperty(name)
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^zoetrope-sso=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  expect(headers.get('cache-control')).toBe('no-store')
})

test('a sensitive action needs a sign-in for which the provider asked the person again', async () => {
  const email = newEmail()
  await server.call('POST', '/users', { body: { Email: email, Role: 'Administrator' } })
  const subject = newSubject(email)
  const attempt = async (headers: Headers): Promise<string | undefined> => {
    const Cookie = cookiesOf(headers)
    const { body } = await whoIs(Cookie)
    const answer = await request(`${server.url}/v3/apikeys`, 'POST', {
      body: { Label: 'a' },
      headers: { Cookie, 'X-CSRF-Token': body.CsrfToken, Origin: server.url },
    })
    return answer.body.error?.reason
  }
  // The provider may have asked days ago.
  expect(await attempt((await signInAs(subject)).headers)).toBe('fresh_factor_required')
  const asking = await begin(email, '', '&ask=again')
  const { searchParams } = new URL(asking.location)
  expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])
  const asked = await visit(await walkThrough(asking.location, subject), asking.cookie)
  expect(asked.status).toBe(303)
  expect(await attempt(asked.headers)).toBeUndefined()
  // A passer-by at an unlocked screen removes the request to ask again.
  const edited = await begin(email, '', '&ask=again')
  const location = new URL(edited.location)
  for (const name of ['prompt', 'max_age']) location.searchParams.delete(name)
  const unasked = await visit(await walkThrough(location.href, subject), edited.cookie)
  expect([unasked.status, unasked.headers.getSetCookie()]).toEqual([403, []])
})

test.each(['cross-site', 'same-site'])(
  'a sign-in started by another site (%s) asks for confirmation before the redirect',
  async (site) => {
    const startUrl = `${server.url}/signin/sso?email=${encodeURIComponent('kim+"<b>@one.example')}`
    const headers = { 'Sec-Fetch-Site': site }
    const asked = await fetch(startUrl, { redirect: 'manual', headers })
    const page = await asked.text()
    expect([asked.status, asked.headers.getSetCookie()]).toEqual([200, []])
    expect(asked.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page).toContain(`Sign in with ${new URL(provider.issuer).host}?`)
    const link = /href="(\/signin\/sso[^"]*)"/.exec(page)?.[1]
    expect(link).toBe('/signin/sso?email=kim%2B%22%3Cb%3E%40one.example')
    for (const own of ['same-origin', 'none']) {
      const answer = await fetch(`${server.url}${link}`, {
        redirect: 'manual',
        headers: { 'Sec-Fetch-Site': own },
      })
      expect(answer.status).toBe(303)
      expect(new URL(answer.headers.get('location') ?? '').searchParams.get('login_hint')).toBe(
        'kim+"<b>@one.example',
      )
    }
  },
)

describe('sign-in is refused', () => {
  const refused = async (subject: string, reason: string, words: RegExp) => {
    const before = await newPerson(server, { role: 'Reader' })
    const answer = await signInAs(subject, before.cookie)
    expect(answer.status).toBe(403)
    expect(answer.page).toMatch(words)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await lastEntry()).toMatchObject({
      Action: 'session.refused',
      User: null,
      Changes: expect.arrayContaining([{ Field: 'Reason', After: reason }]),
    })
    // The existing session stays valid.
    expect((await whoIs(before.cookie)).body.User.Id).toBe(before.userId)
  }

  it('when the provider has not verified the address', async () => {
    const email = newEmail()
    await newUser(email)
    await refused(newSubject(email, false), 'unverified-email', /verified your e-mail address/)
  })

  it('when the person has no user, and no user is created', async () => {
    const email = newEmail()
    await refused(newSubject(email), 'unknown', /Ask an Administrator/)
    const { body } = await server.call('GET', `/users?search=${email.split('@')[0]}`)
    expect(body.TotalCount).toBe(0)
  })

  it('when the user is disabled', async () => {
    const email = newEmail()
    const userId = await newUser(email)
    const subject = newSubject(email)
    expect((await signInAs(subject)).status).toBe(303)
    await server.call('PUT', `/users/${userId}`, { body: { IsEnabled: false } })
    await refused(subject, 'disabled', /Ask an Administrator/)
  })

  it('when the address belongs to another subject, until an Administrator disables and enables the user', async () => {
    const email = newEmail()
    const userId = await newUser(email)
    expect((await signInAs(newSubject(email))).status).toBe(303)
    const successor = newSubject(email)
    await refused(successor, 'somebody-else', /another person/)
    for (const IsEnabled of [false, true])
      await server.call('PUT', `/users/${userId}`, { body: { IsEnabled } })
    expect((await signInAs(successor)).status).toBe(303)
  })

  it('by an answer that is replayed, forged, or of another browser or account', async () => {
    const email = newEmail()
    await newUser(email)
    const started = await begin(email)
    const back = await walkThrough(started.location, newSubject(email))
    const { cookie: stranger } = await begin(email)
    const forgedState = back.replace(/state=[^&]+/, 'state=a.1.b')
    const otherAccount = back.replace(/callback\/\d+/, 'callback/999999')
    await clearFailedAttempts()
    for (const [url, cookie] of [
      [back, ''],
      [back, stranger],
      [back, 'zoetrope-sso=none'],
      [forgedState, started.cookie],
      [otherAccount, started.cookie],
      [`${back}&state=twice`, started.cookie],
      [back.split('?')[0] ?? '', started.cookie],
    ] as const)
      expect([url, (await visit(url, cookie)).status]).toEqual([url, 400])
    // Otherwise a stranger could block sign-in for a whole network.
    expect(await countFailed()).toBe(0)
    const both = await Promise.all([visit(back, started.cookie), visit(back, started.cookie)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400])
    expect((await visit(back, started.cookie)).page).toContain('already used')
    expect(await countFailed()).toBe(2)
    const other = await begin(email)
    const anonymous = new URL(await walkThrough(other.location, newSubject(email)))
    anonymous.searchParams.delete('iss')
    expect((await visit(anonymous.href, other.cookie)).status).toBe(403)
  })

  it('when the provider refuses, and its message is escaped', async () => {
    const { location, cookie } = await begin()
    const query = new URLSearchParams({
      state: new URL(location).searchParams.get('state') ?? '',
      iss: provider.issuer,
      error: 'access_denied',
      error_description: '<img src=x onerror=alert(1)>',
    })
    const answer = await visit(`${server.url}/signin/sso/callback/${accountId}?${query.toString()}`, cookie)
    expect(answer.status).toBe(403)
    expect(answer.page).toContain('access_denied: &#60;img src=x')
    expect(answer.page).not.toContain('<img')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('while the provider is down, which answers 503 and shows administrators the reason', async () => {
    const email = newEmail()
    await newUser(email)
    const started = await begin(email)
    const back = await walkThrough(started.location, newSubject(email))
    await clearFailedAttempts()
    provider.setDown(true)
    const answer = await visit(back, started.cookie)
    provider.setDown(false)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('30')
    expect(answer.page).toContain('does not respond')
    expect(answer.page).not.toContain('127.0.0.1')
    expect(await countFailed()).toBe(0)
    const { SignIn } = (await server.call('GET', path)).body
    expect(SignIn).toMatchObject({
      FailureReason: expect.stringContaining('/token'),
      ErrorReason: 'provider_not_reached',
      FailedAt: expect.any(String),
    })
    expect((await signInAs(newSubject(email))).status).toBe(303)
    expect((await server.call('GET', path)).body.SignIn).toMatchObject({
      FailureReason: null,
      FailedAt: null,
    })
  })
})

test('dropUsedStates deletes used states that have expired', async () => {
  const { database } = server.services
  const hashes = async () =>
    (await database.kysely.selectFrom('used_sign_in_states').select('state_hash').execute()).length
  const before = await hashes()
  expect(before).toBeGreaterThan(0)
  await database.kysely
    .insertInto('used_sign_in_states')
    .values({
      state_hash: Buffer.from('old'),
      account_id: accountId,
      used_at: new Date(Date.now() - 1_260_000),
    })
    .execute()
  await dropUsedStates(database.kysely)
  expect(await hashes()).toBe(before)
})

describe('the sign-in settings', () => {
  const put = (SignIn: unknown, options = {}): Promise<Answer> =>
    server.call('PUT', path, { body: { SignIn }, ...options })

  it('are tested, shown without the secret, and audited', async () => {
    const wrong = await put({ ClientSecret: 'wrong' })
    expectProblem(wrong, 'invalid')
    expect(wrong.body.error.message).toMatch(/^SignIn .*invalid_client/)
    const { body } = await put({ ClientSecret: peopleClient.secret })
    expect(body.SignIn).toEqual({
      IsEnabled: true,
      ClientId: peopleClient.id,
      HasClientSecret: true,
      RedirectURI: `${server.url}/signin/sso/callback/${accountId}`,
      FailureReason: null,
      ErrorReason: null,
      ErrorParams: null,
      FailedAt: null,
    })
    expect((await server.call('POST', `${path}/test`)).body).toMatchObject({ IsWorking: true })
    const [entry] = (await server.call('GET', '/audit?action=partner.updated')).body.AuditEntries
    expect(JSON.stringify(entry)).toContain('SignInClientSecret')
    const rows = await server.services.database.kysely.selectFrom('identity_providers').selectAll().execute()
    for (const text of [
      JSON.stringify(entry),
      JSON.stringify(body),
      rows[0]?.sealed_sign_in_secret?.toString(),
    ])
      expect(text).not.toContain(peopleClient.secret)
  })

  it('send a stored secret to no other client', async () => {
    const answer = await put({ ClientId: 'another' })
    expect(answer.body.error.message).toMatch(/^SignIn.ClientSecret is required/)
    expectProblem(await put({ ClientId: null, ClientSecret: 'a' }), 'invalid')
  })

  it('require all rights, because they decide which identity signs in as which user', async () => {
    const narrow = await server.newKey({ scopes: ['partners:*'] })
    expectProblem(await put({}, { apiKey: narrow }), 'forbidden')
    const ending = await server.call('POST', '/apikeys', {
      body: { Label: 'lent', ExpiresAt: new Date(Date.now() + 3_600_000).toISOString() },
    })
    expectProblem(await put({}, { apiKey: ending.body.Token }), 'forbidden')
    const project = await server.call('POST', '/projects', { body: { Name: 'a' } })
    const boss = await newPerson(server)
    await server.call('PUT', `/users/${boss.userId}`, {
      body: { ProjectRoles: [{ ProjectId: project.body.Id, Role: 'Reader' }] },
    })
    expectProblem(await boss.call('PUT', path, { body: { SignIn: {} } }), 'forbidden')
    // A caller who may only disable sign-in must not replace the client that is used when it is enabled
    // again.
    const quiet = { IsEnabled: false, ClientSecret: peopleClient.secret }
    expectProblem(await put(quiet, { apiKey: narrow }), 'forbidden')
    expect((await put({ IsEnabled: false }, { apiKey: narrow })).status).toBe(200)
    const unnamed = await put({ IsEnabled: true })
    expectProblem(unnamed, 'invalid')
    expect(unnamed.body.error.message).toMatch(/^Issuer is required/)
  })

  it('block sign-in at once when disabled, including attempts in progress', async () => {
    const open = () =>
      server.call('PUT', path, { body: { Issuer: provider.issuer, SignIn: { IsEnabled: true } } })
    expect((await open()).status).toBe(200)
    const started = await begin()
    await put({ IsEnabled: false })
    const state = new URL(started.location).searchParams.get('state') ?? ''
    const back = `${server.url}/signin/sso/callback/${accountId}?code=a&state=${state}&iss=${provider.issuer}`
    expect((await visit(back, started.cookie)).status).toBe(403)
    expect((await visit(`${server.url}/signin/sso`)).status).toBe(404)
    await open()
  })
})

describe('with the providers of several accounts', () => {
  const known = 'kim@two.example'

  beforeAll(async () => {
    otherKey = await server.newKey({ inNewAccount: true })
    const answer = await server.call('PUT', path, { apiKey: otherKey, body: settingsFor(crafted.issuer) })
    expect(answer.status).toBe(200)
    otherAccountId = Number(/\d+$/.exec(answer.body.SignIn.RedirectURI)?.[0])
    await newUser(known, otherKey)
  })

  const comeBack = async (flaw: Flaw, query: Record<string, string> = {}, more = '') => {
    const { location, cookie } = await begin(known, '', more)
    const { searchParams } = new URL(location)
    crafted.prepare(searchParams.get('nonce') ?? '', flaw)
    const answer = new URLSearchParams({ code: 'good', state: searchParams.get('state') ?? '', ...query })
    return visit(`${server.url}/signin/sso/callback/${otherAccountId}?${answer.toString()}`, cookie)
  }

  it('the address selects the provider, and unknown addresses always get the same one', async () => {
    const originFor = async (email: string) => new URL((await begin(email)).location).origin
    expect(await originFor(known.toUpperCase())).toBe(crafted.issuer)
    expect(await originFor('nobody@two.example')).toBe(crafted.issuer)
    const stranger = newEmail().replace('one', 'nowhere')
    expect(await originFor(stranger)).toBe(await originFor(stranger))
    const asked = await visit(`${server.url}/signin/sso`)
    expect([asked.status, asked.page.includes('e-mail address')]).toEqual([400, true])
    for (const email of ['a\0b', 'x'.repeat(255)])
      expect((await visit(`${server.url}/signin/sso?email=${encodeURIComponent(email)}`)).status).toBe(400)
  })

  it('the provider of one account cannot sign in a user of another', async () => {
    const email = newEmail()
    await newUser(email)
    const { status, headers } = await comeBack({ claims: { sub: 'evil', email } })
    expect([status, headers.getSetCookie()]).toEqual([403, []])
  })

  const ahead = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds
  const past = Math.floor(Date.now() / 1_000) - 3_600
  test.each<[string, Flaw, Record<string, string>?]>([
    ['another nonce', { claims: { nonce: 'other' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer in the token', { claims: { iss: 'http://127.0.0.1:9' } }],
    ['another issuer that answers (RFC 9207)', {}, { iss: 'http://127.0.0.1:9' }],
    ['another audience', { claims: { aud: 'other' } }],
    ['several audiences', { claims: { aud: [peopleClient.id, 'other'] } }],
    ['another authorized party', { claims: { azp: 'other' } }],
    ['an end that is over', { claims: { exp: past } }],
    ['a time of issue in the future', { claims: { iat: ahead(3_600), exp: ahead(7_200) } }],
    ['no subject', { claims: { sub: '' } }],
    ['a subject of control characters', { claims: { sub: 'a\0b' } }],
    ['an address of control characters', { claims: { sub: 'new', email: `${known}\0` } }],
    ['a Kelvin sign for a k', { claims: { sub: 'new', email: known.replace('k', '\u212a') } }],
    ['no signature', { signature: 'none' }],
    ['an HMAC under the secret', { signature: 'of the secret' }],
    ['the signature of another key', { signature: 'of another key' }],
    ['a code that is none', {}, { code: 'bad' }],
  ])('an answer with %s is refused', async (_what, flaw, query) => {
    const { status, headers } = await comeBack(flaw, query)
    expect([status, headers.getSetCookie()]).toEqual([403, []])
  })

  it('a refused client is reported to administrators only, and deliveries continue', async () => {
    crafted.refuseClient(true)
    const { status, page } = await comeBack({})
    expect([status, page.includes('invalid_client')]).toEqual([503, false])
    const FailureReason = 'The provider refuses the client: invalid_client: gone ….'
    const connection = async () => (await server.call('GET', path, { apiKey: otherKey })).body
    const ErrorParams = { words: 'invalid_client: gone …' }
    expect(await connection()).toMatchObject({
      State: 'working',
      SignIn: { FailureReason, ErrorReason: 'provider_refused_client', ErrorParams },
    })
    const tried = async () => (await server.call('POST', `${path}/test`, { apiKey: otherKey })).body
    expect(await tried()).toEqual({
      ...{ IsWorking: false, FailedStep: 'sign-in', Message: FailureReason },
      ...{ Reason: 'provider_refused_client', Params: ErrorParams },
    })
    crafted.refuseClient(false)
    expect(await tried()).toMatchObject({ IsWorking: true, FailedStep: null })
    expect(await connection()).toMatchObject({
      State: 'working',
      SignIn: { FailureReason: null, ErrorReason: null, ErrorParams: null },
    })
  })

  const confirmedAt = async (headers: Headers): Promise<number> => {
    const { body } = await whoIs(cookiesOf(headers))
    const row = await server.services.database.kysely
      .selectFrom('sessions')
      .select('confirmed_at')
      .where('uuid', '=', body.Session.Id)
      .executeTakeFirstOrThrow()
    return row.confirmed_at.getTime() / 1_000
  }

  it('a sign-in confirms sensitive actions from the time at which the provider asked, never from the future', async () => {
    const now = ahead(0)
    for (const [auth_time, expected] of [
      [now - 300, now - 300],
      [now + 900, now],
      [undefined, 0],
    ] as const) {
      const confirmed = await confirmedAt((await comeBack({ claims: { auth_time } })).headers)
      expect(Math.abs(confirmed - expected)).toBeLessThan(30)
    }
  })

  it('rejects a sign-in when the provider did not ask the user again as required', async () => {
    const old = await comeBack({ claims: { auth_time: past } }, {}, '&ask=again')
    expect([old.status, old.page.includes('did not ask you')]).toEqual([403, true])
    expect(old.headers.getSetCookie()).toEqual([])
    const silent = await comeBack({}, {}, '&ask=again')
    expect([silent.status, silent.page.includes('did not say when')]).toEqual([403, true])
    expect(silent.headers.getSetCookie()).toEqual([])
    const { headers } = await comeBack({ claims: { auth_time: ahead(0) } }, {}, '&ask=again')
    expect(Math.abs((await confirmedAt(headers)) - ahead(0))).toBeLessThan(30)
  })

  it('an answer without a flaw signs in', async () => {
    const { status, headers } = await comeBack({})
    expect(status).toBe(303)
    expect((await whoIs(cookiesOf(headers))).body.User.Email).toBe(known)
  })
})
