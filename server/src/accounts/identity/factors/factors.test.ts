import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../../../test/support/free-port.ts'
import { startTestServer, type Answer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { browserOf, newPerson, signIn, trySignIn, type Browser } from '../test-support/people.ts'
import { createAuthenticator } from '../test-support/software-authenticator.ts'

let server: TestServer

beforeAll(async () => {
  const port = await findFreePort()
  server = await startTestServer({
    environment: {
      ZOETROPE_PORT: String(port),
      // Passkeys need a host name.
      ZOETROPE_PUBLIC_URL: `http://localhost:${port}`,
      ZOETROPE_SIGN_INS_PER_MINUTE: '0',
      // Without a worker, mails wait in their table.
      ZOETROPE_SMTP_URL: 'smtp://127.0.0.1:1',
      ZOETROPE_MAIL_FROM: 'video@example.com',
    },
  })
})

afterAll(() => server.stop())

const codeAt = (secret: string, offsetSeconds = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + offsetSeconds * 1_000 })

/** Instead of waiting for the next time step. */
const forgetUsedCodes = ({ userId }: Browser) =>
  server.services.database.kysely
    .updateTable('totp_secrets')
    .set({ last_step: 0 })
    .where('user_id', '=', userId)
    .execute()

const addApp = async (person: Browser): Promise<string> => {
  const { body } = await person.call('POST', '/session/totp')
  const answer = await person.call('PUT', '/session/totp', { body: { Code: codeAt(body.Secret) } })
  expect(answer.status).toBe(200)
  await forgetUsedCodes(person)
  return body.Secret
}

const newAuthenticator = () => createAuthenticator({ id: 'localhost', origin: server.url })

const addPasskey = async (person: Browser, authenticator = newAuthenticator()) => {
  const { body } = await person.call('POST', '/session/passkeyoptions')
  const answer = await person.call('POST', '/session/passkeys', {
    body: { Name: 'Laptop', Credential: authenticator.register(body.Options) },
  })
  expect(answer.status).toBe(201)
  return { authenticator, passkey: answer.body }
}

const optionsToSignIn = async () =>
  (await server.call('POST', '/session/passkey/options', { apiKey: null })).body.Options

const signInBy = (Credential: object): Promise<Answer> =>
  server.call('POST', '/session/passkey', { apiKey: null, body: { Credential } })

const pendingOf = ({ headers }: Answer): string => headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''

const finish = (begun: Answer, Code: string): Promise<Answer> =>
  server.call('POST', '/session/factor', {
    apiKey: null,
    headers: { Cookie: pendingOf(begun) },
    body: { Code },
  })

const makeStale = ({ sessionId }: Browser) =>
  server.services.database.kysely
    .updateTable('sessions')
    .set({ confirmed_at: new Date(Date.now() - 601_000) })
    .where('uuid', '=', sessionId)
    .execute()

const actsOn = async (subjectId: number | string): Promise<string[]> => {
  const { body } = await server.call('GET', `/audit?subjectId=${subjectId}&limit=50`)
  return body.AuditEntries.map(({ Action }: { Action: string }) => Action)
}

const refusalsOf = async ({ userId }: Browser): Promise<unknown[]> => {
  const { body } = await server.call('GET', `/audit?action=session.refused&subjectId=${userId}`)
  return body.AuditEntries.map(({ Changes }: { Changes: unknown }) => Changes)
}

const reasonOf = (answer: Answer) => [answer.status, answer.body.error?.reason]

describe('the authenticator app', () => {
  test('counts after a first code, and its secret is sealed at rest', async () => {
    const kim = await newPerson(server)
    const { body, headers } = await kim.call('POST', '/session/totp')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.URI).toMatch(/^otpauth:\/\/totp\/Zoetrope%20localhost:/)
    expect((await trySignIn(server, kim)).status).toBe(201)
    expectProblem(await kim.call('PUT', '/session/totp', { body: { Code: '000000' } }), 'invalid')
    expect(await refusalsOf(kim)).toEqual([[{ Field: 'Reason', After: 'second-factor' }]])
    const confirmed = await kim.call('PUT', '/session/totp', { body: { Code: codeAt(body.Secret) } })
    expect(confirmed.body).toMatchObject({ HasPassword: true, Passkeys: [], RecoveryCodeCount: 0 })
    expect(confirmed.body.AuthenticatorApp).not.toBeNull()
    const rows = await server.services.database.kysely.selectFrom('totp_secrets').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(
      Buffer.from(Secret.fromBase32(body.Secret).bytes).toString('hex'),
    )
    expect(reasonOf(await kim.call('POST', '/session/totp'))).toEqual([409, 'authenticator_app_exists'])
    expect(await actsOn(kim.userId)).toContain('factor.added')
  })

  test('a sign-in with a password then needs a code, which works once', async () => {
    const kim = await newPerson(server)
    const secret = await addApp(kim)
    const begun = await trySignIn(server, kim)
    expect(reasonOf(begun)).toEqual([401, 'second_factor_required'])
    expect(begun.body.error.params).toEqual({ factors: 'authenticator app' })
    expect(begun.headers.getSetCookie()).toHaveLength(1)
    const code = codeAt(secret)
    const finished = await finish(begun, code)
    expect(finished).toMatchObject({ status: 201, body: { User: { Id: kim.userId, HasSecondFactor: true } } })
    expect(reasonOf(await finish(await trySignIn(server, kim), code))).toEqual([401, 'second_factor_wrong'])
    const { body } = await server.call('GET', '/audit?action=session.started&limit=1')
    expect(body.AuditEntries[0].Changes).toEqual([{ Field: 'SecondFactor', After: 'AuthenticatorApp' }])
  })

  test('a code is worth nothing without the password, nor after the password has changed', async () => {
    const kim = await newPerson(server)
    const secret = await addApp(kim)
    const alone = await server.call('POST', '/session/factor', {
      apiKey: null,
      body: { Code: codeAt(secret) },
    })
    expect(reasonOf(alone)).toEqual([401, 'sign_in_not_begun'])
    const begun = await trySignIn(server, kim)
    const forged = {
      ...begun,
      headers: new Headers({ 'Set-Cookie': `${pendingOf(begun).slice(0, -4)}AAAA` }),
    }
    expect(reasonOf(await finish(forged, codeAt(secret)))).toEqual([401, 'sign_in_not_begun'])
    await kim.call('PUT', '/session/password', {
      body: { CurrentPassword: kim.password, NewPassword: 'a ferry on the ninth wave' },
    })
    expect(reasonOf(await finish(begun, codeAt(secret)))).toEqual([401, 'sign_in_not_begun'])
  })

  test('wrong codes must wait after five, and leave an entry in the audit log', async () => {
    const kim = await newPerson(server)
    const secret = await addApp(kim)
    const begun = await trySignIn(server, kim)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await finish(begun, '000000')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expectProblem(await finish(begun, codeAt(secret)), 'rate_limited')
    expect(await actsOn(kim.userId)).toContain('session.refused')
  })

  test('a password link sets the password, but does not replace the code', async () => {
    const kim = await newPerson(server)
    const secret = await addApp(kim)
    const { body: link } = await server.call('POST', `/users/${kim.userId}/passwordlink`)
    const accepted = await server.call('POST', '/session/invitation', {
      apiKey: null,
      body: { Token: link.Token, Password: 'a ferry on the ninth wave' },
    })
    expect(reasonOf(accepted)).toEqual([401, 'second_factor_required'])
    expect((await finish(accepted, codeAt(secret))).status).toBe(201)
  })
})

test('a new e-mail address keeps the second factors, the password and the sessions of a user', async () => {
  const kim = await newPerson(server)
  const secret = await addApp(kim)
  const { authenticator } = await addPasskey(kim)
  const { body: codes } = await kim.call('POST', '/session/recoverycodes')
  const email = `new-${kim.email}`
  const changed = await server.call('PUT', `/users/${kim.userId}`, { body: { Email: email } })
  expect(changed).toMatchObject({ status: 200, body: { Email: email, HasSecondFactor: true } })
  expect((await kim.call('GET', '/me')).body.User.Email).toBe(email)
  expect((await trySignIn(server, kim)).status).toBe(401)
  const moved = { email, password: kim.password }
  expect(reasonOf(await trySignIn(server, moved))).toEqual([401, 'second_factor_required'])
  expect((await finish(await trySignIn(server, moved), codeAt(secret))).status).toBe(201)
  expect((await finish(await trySignIn(server, moved), codes.Codes[0])).status).toBe(201)
  expect((await signInBy(authenticator.sign(await optionsToSignIn()))).status).toBe(201)
  const { body: link } = await server.call('POST', `/users/${kim.userId}/passwordlink`)
  const accepted = await server.call('POST', '/session/invitation', {
    apiKey: null,
    body: { Token: link.Token, Password: 'a ferry on the ninth wave' },
  })
  expect(reasonOf(accepted)).toEqual([401, 'second_factor_required'])
})

describe('recovery codes', () => {
  test('replace the code of the app, each once, and end with new ones', async () => {
    const kim = await newPerson(server)
    expect(reasonOf(await kim.call('POST', '/session/recoverycodes'))).toEqual([409, 'second_factor_missing'])
    await addApp(kim)
    const { body, headers } = await kim.call('POST', '/session/recoverycodes')
    expect(headers.get('cache-control')).toBe('no-store')
    const [first, second]: string[] = body.Codes
    expect(new Set(body.Codes).size).toBe(10)
    expect(first).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)
    expect((await finish(await trySignIn(server, kim), ` ${first?.toUpperCase()} `)).status).toBe(201)
    expect((await finish(await trySignIn(server, kim), first ?? '')).status).toBe(401)
    expect((await kim.call('GET', '/session/factors')).body.RecoveryCodeCount).toBe(9)
    await kim.call('POST', '/session/recoverycodes')
    expect((await finish(await trySignIn(server, kim), second ?? '')).status).toBe(401)
    const rows = await server.services.database.kysely.selectFrom('recovery_codes').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(second)
    expect(await actsOn(kim.userId)).toContain('factor.codes-created')
  })
})

describe('a passkey', () => {
  test.each([
    {},
    { response: null },
    { response: { attestationObject: { length: 1e9 } } },
    { response: { attestationObject: 'o2NmbXRkbm9uZQ' } },
  ])('is not added when it is malformed: %o', async (Credential) => {
    const kim = await newPerson(server)
    expectProblem(await kim.call('POST', '/session/passkeys', { body: { Name: 'a', Credential } }), 'invalid')
  })

  test('is added without a request to the address that its certificate names', async () => {
    const asked: unknown[] = []
    const list = createServer(({ url }, response) => {
      asked.push(url)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(list, 'listening')
    const { port } = list.address() as AddressInfo
    const kim = await newPerson(server, { role: 'Reader' })
    const { body } = await kim.call('POST', '/session/passkeyoptions')
    const Credential = newAuthenticator().register(body.Options, {
      revocationList: `http://127.0.0.1:${port}/list`,
    })
    const answer = await kim.call('POST', '/session/passkeys', { body: { Name: 'Phone', Credential } })
    list.close()
    expect(asked).toEqual([])
    expect(answer.status).toBe(201)
  })

  test('signs in without address, password and code, once for each challenge', async () => {
    const kim = await newPerson(server)
    await addApp(kim)
    const { authenticator, passkey } = await addPasskey(kim)
    expect(passkey).toMatchObject({ Name: 'Laptop', IsSynced: false, LastUsedAt: null })
    const mails = await server.services.database.kysely
      .selectFrom('mails')
      .select('kind')
      .where('recipient', '=', kim.email)
      .where('kind', 'like', '%-added')
      .orderBy('id')
      .execute()
    expect(mails).toEqual([{ kind: 'app-added' }, { kind: 'passkey-added' }])
    const credential = authenticator.sign(await optionsToSignIn())
    const answer = await signInBy(credential)
    expect(answer).toMatchObject({
      status: 201,
      body: { User: { Id: kim.userId }, Session: { SignInMethod: 'Passkey' } },
    })
    expect(reasonOf(await signInBy(credential))).toEqual([401, 'passkey_refused'])
    expect((await kim.call('GET', '/session/factors')).body.Passkeys[0].LastUsedAt).not.toBeNull()
  })

  test('is refused without PIN or fingerprint, for another purpose, from another site and when malformed', async () => {
    const kim = await newPerson(server)
    const { authenticator } = await addPasskey(kim)
    const refused = [
      authenticator.sign(await optionsToSignIn(), { isVerified: false }),
      authenticator.sign((await kim.call('POST', '/session/confirmation/options')).body.Options),
      authenticator.sign({ challenge: Buffer.alloc(54).toString('base64url') }),
      newAuthenticator().sign(await optionsToSignIn()),
      { ...authenticator.sign(await optionsToSignIn()), response: null },
      {},
    ]
    for (const credential of refused)
      expect(reasonOf(await signInBy(credential))).toEqual([401, 'passkey_refused'])
    // Two of them name no passkey of a user.
    const refusal = [{ Field: 'Reason', After: 'passkey' }]
    expect(await refusalsOf(kim)).toEqual([refusal, refusal, refusal, refusal])
    const elsewhere = createAuthenticator({ id: 'localhost', origin: 'http://localhost:1' })
    const { body } = await kim.call('POST', '/session/passkeyoptions')
    const answer = await kim.call('POST', '/session/passkeys', {
      body: { Name: 'Phish', Credential: elsewhere.register(body.Options) },
    })
    expectProblem(answer, 'invalid')
  })

  test('of a disabled user does not sign in, which the audit log shows', async () => {
    const kim = await newPerson(server)
    const { authenticator } = await addPasskey(kim)
    await server.call('PUT', `/users/${kim.userId}`, { body: { IsEnabled: false } })
    expect((await signInBy(authenticator.sign(await optionsToSignIn()))).status).toBe(401)
    expect(await refusalsOf(kim)).toEqual([[{ Field: 'Reason', After: 'passkey' }]])
  })

  test('is renamed and removed by its owner alone, and then no longer signs in', async () => {
    const kim = await newPerson(server)
    const lee = await newPerson(server)
    const { authenticator, passkey } = await addPasskey(kim)
    const path = `/session/passkeys/${passkey.Id}`
    for (const [method, body] of [['PUT', { Name: 'Mine' }], ['DELETE']] as const)
      expectProblem(await lee.call(method, path, body === undefined ? {} : { body }), 'not_found')
    expect((await kim.call('PUT', path, { body: { Name: ' Phone ' } })).body.Name).toBe('Phone')
    expect((await kim.call('DELETE', path)).status).toBe(200)
    expect((await signInBy(authenticator.sign(await optionsToSignIn()))).status).toBe(401)
    expect((await trySignIn(server, kim)).status).toBe(201)
    expect(await actsOn(kim.userId)).toEqual(expect.arrayContaining(['factor.updated', 'factor.removed']))
  })

  test('cannot be registered twice, and its challenge belongs to one session', async () => {
    const kim = await newPerson(server)
    const lee = await newPerson(server)
    const { authenticator } = await addPasskey(kim)
    const { body } = await lee.call('POST', '/session/passkeyoptions')
    const Credential = authenticator.register(body.Options)
    expectProblem(await kim.call('POST', '/session/passkeys', { body: { Name: 'a', Credential } }), 'invalid')
    const again = await lee.call('POST', '/session/passkeys', { body: { Name: 'a', Credential } })
    expect(reasonOf(again)).toEqual([409, 'passkey_in_use'])
  })
})

describe('sensitive actions', () => {
  const acts: [string, string, object?][] = [
    ['POST', '/apikeys', { Label: 'a' }],
    ['POST', '/users', { Email: 'new@example.com', Role: 'Reader' }],
    ['PUT', '/users/999999', {}],
    ['DELETE', '/users/999999'],
    ['DELETE', '/users/999999/factors'],
    ['POST', '/users/999999/passwordlink'],
    ['POST', '/invitations', { Email: 'new@example.com', Role: 'Reader' }],
    ['PUT', '/modules/partners/identityprovider', {}],
    ['DELETE', '/modules/partners/identityprovider'],
    ['POST', '/modules/partners/identityprovider/check', { Issuer: 'http://127.0.0.1:9/' }],
    ['PUT', '/session/policy', {}],
    ['PUT', '/apikeypolicy', {}],
    ['PUT', '/apikeys/00000000-0000-4000-8000-000000000000', {}],
    ['GET', '/audit/stream'],
    ['POST', '/session/totp'],
    ['DELETE', '/session/totp'],
    ['POST', '/session/recoverycodes'],
    ['POST', '/session/passkeyoptions'],
    ['DELETE', '/session/passkeys/999999'],
  ]

  test.each(acts)('%s %s needs a factor of the last ten minutes', async (method, path, body) => {
    const kim = await newPerson(server)
    await makeStale(kim)
    const answer = await kim.call(method, path, body === undefined ? {} : { body })
    expect(reasonOf(answer)).toEqual([403, 'fresh_factor_required'])
  })

  test('a password, a code or a passkey confirms, and the request can be repeated with its Idempotency-Key', async () => {
    const kim = await newPerson(server)
    const secret = await addApp(kim)
    const { authenticator } = await addPasskey(kim)
    const confirm = (body: object) => kim.call('POST', '/session/confirmation', { body })
    const { body } = await kim.call('POST', '/session/confirmation/options')
    expect(body.Options.allowCredentials).toHaveLength(1)
    for (const [index, proof] of [
      { Password: kim.password },
      { Code: codeAt(secret) },
      { Credential: authenticator.sign(body.Options) },
    ].entries()) {
      await makeStale(kim)
      const request = {
        body: { Label: `key ${index}` },
        headers: { 'Idempotency-Key': `confirm ${kim.userId} ${index}` },
      }
      expect((await kim.call('POST', '/apikeys', request)).status).toBe(403)
      const confirmed = await confirm(proof)
      expect(Date.parse(confirmed.body.ConfirmedUntil)).toBeGreaterThan(Date.now() + 590_000)
      expect((await kim.call('POST', '/apikeys', request)).status).toBe(201)
      expectProblem(await confirm('Password' in proof ? { Password: 'wrong' } : proof), 'invalid')
    }
    expectProblem(await confirm({}), 'invalid')
    expect(await actsOn(kim.sessionId)).toContain('session.confirmed')
  })

  test('wrong confirmations are delayed and audited, also with an Idempotency-Key', async () => {
    const kim = await newPerson(server)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt++) {
      const headers = { 'Idempotency-Key': `wrong ${kim.userId} ${attempt}` }
      const body = { Password: 'wrong' }
      statuses.push((await kim.call('POST', '/session/confirmation', { body, headers })).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    expect(await actsOn(kim.userId)).toContain('session.refused')
  })

  test('an API key needs no confirmation and has no factors', async () => {
    expect((await server.call('POST', '/apikeys', { body: { Label: 'a' } })).status).toBe(201)
    for (const path of ['/session/confirmation', '/session/totp', '/session/passkeyoptions'])
      expectProblem(
        await server.call('POST', path, path.endsWith('confirmation') ? { body: { Password: 'a' } } : {}),
        'not_found',
      )
  })
})

describe('an account that requires two factors', () => {
  let admin: Browser
  let member: Browser
  let account: { apiKey: string }

  beforeAll(async () => {
    account = { apiKey: await server.newKey({ inNewAccount: true }) }
    admin = await newPerson(server, account)
    member = await newPerson(server, { ...account, role: 'Reader' })
  })

  const require = (RequiresTwoFactors: boolean) =>
    admin.call('PUT', '/session/policy', { body: { RequiresTwoFactors } })

  test('is made so by an administrator with a second factor, which then cannot be removed', async () => {
    expect(reasonOf(await require(true))).toEqual([409, 'own_second_factor_missing'])
    await addApp(admin)
    expect((await require(true)).body).toEqual({ RequiresTwoFactors: true })
    expect(reasonOf(await admin.call('DELETE', '/session/totp'))).toEqual([409, 'last_second_factor'])
    const { body } = await server.call('GET', '/audit?action=account.updated', account)
    expect(body.TotalCount).toBe(1)
  })

  test('leads a member without one to the setup, and lets the session do nothing else until then', async () => {
    const signedIn = await signIn(server, member)
    expect((await signedIn.call('GET', '/session')).body.MustSetUpFactor).toBe(true)
    for (const [method, path] of [
      ['GET', '/me'],
      ['GET', '/projects'],
      ['GET', '/sessions'],
      ['GET', '/events/stream'],
    ] as const)
      expect(reasonOf(await signedIn.call(method, path))).toEqual([403, 'second_factor_setup_required'])
    await addApp(signedIn)
    expect((await signedIn.call('GET', '/session')).body.MustSetUpFactor).toBe(false)
    expect((await signedIn.call('GET', '/projects')).status).toBe(200)
  })

  test('does not concern API keys, nor people whom their identity provider has signed in', async () => {
    expect((await server.call('GET', '/me', account)).status).toBe(200)
    const bySso = await signIn(server, await newPerson(server, { ...account, role: 'Reader' }))
    await server.services.database.kysely
      .updateTable('sessions')
      .set({ sign_in_method: 'IdentityProvider' })
      .where('uuid', '=', bySso.sessionId)
      .execute()
    expect((await bySso.call('GET', '/me')).status).toBe(200)
    expect((await bySso.call('GET', '/session/factors')).body.CanAdd).toBe(false)
    expect(reasonOf(await bySso.call('POST', '/session/totp'))).toEqual([403, 'factors_of_provider'])
  })

  test('lets an administrator reset the factors of a member, who is then signed out', async () => {
    const lee = await newPerson(server, { ...account, role: 'Reader' })
    await addApp(lee)
    await addPasskey(lee)
    expect((await admin.call('DELETE', `/users/${lee.userId}/factors`)).status).toBe(200)
    expect((await lee.call('GET', '/session')).status).toBe(401)
    const again = await trySignIn(server, lee)
    expect(again).toMatchObject({ status: 201, body: { MustSetUpFactor: true } })
    const { body } = await server.call('GET', `/audit?action=factor.reset`, account)
    expect(body.AuditEntries[0]).toMatchObject({ User: { Id: admin.userId }, SubjectId: String(lee.userId) })
  })
})

test('a user ends all other sessions at once', async () => {
  const kim = await newPerson(server)
  const others = [await signIn(server, kim), await signIn(server, kim)]
  expect((await kim.call('DELETE', '/sessions')).body).toEqual({ EndedCount: 2 })
  for (const other of others) expect((await other.call('GET', '/session')).status).toBe(401)
  expect((await kim.call('GET', '/sessions')).body.TotalCount).toBe(1)
})

test('the second step keeps no cookie, and signs in like any other sign-in', async () => {
  const kim = await newPerson(server)
  const secret = await addApp(kim)
  const finished = await finish(await trySignIn(server, kim), codeAt(secret))
  expect(finished.headers.getSetCookie().join()).toContain('zoetrope-pending=; Max-Age=0')
  expect((await browserOf(server, finished, kim.password).call('GET', '/me')).status).toBe(200)
})
