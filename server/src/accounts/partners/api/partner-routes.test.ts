import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import {
  request,
  startTestServer,
  type Answer,
  type TestServer,
} from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import {
  startIdentityProvider,
  testAudience,
  testClient,
  type TestIdentityProvider,
} from '../test-support/identity-provider.ts'

let server: TestServer
let provider: TestIdentityProvider
let settings: Record<string, unknown>

beforeAll(async () => {
  server = await startTestServer()
  provider = await startIdentityProvider()
  settings = {
    Issuer: provider.issuer,
    ClientId: testClient.id,
    ClientSecret: testClient.secret,
    Scope: 'webhooks/send',
    Audience: testAudience,
  }
})

afterAll(async () => {
  await server.stop()
  await provider.close()
})

const path = '/modules/partners/identityprovider'
const connect = (changes: Record<string, unknown> = {}, options = {}): Promise<Answer> =>
  server.call('PUT', path, { body: { ...settings, ...changes }, ...options })

beforeEach(async () => {
  provider.setMode('working')
  await server.call('DELETE', path)
})

const keySet = async (url: string): Promise<string[]> =>
  (await request(url, 'GET')).body.keys.map(({ kid }: { kid: string }) => kid)

describe('connecting an identity provider', () => {
  it('tests the provider, hides the secret and publishes a key', async () => {
    const answer = await connect()
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      Preset: 'custom',
      Issuer: provider.issuer,
      Authentication: 'client_secret_basic',
      HasClientSecret: true,
      TokenEndpoint: `${provider.issuer}/token`,
      ProviderKeySetURI: `${provider.issuer}/jwks`,
      State: 'working',
      StateReason: null,
      StateErrorReason: null,
      StateErrorParams: null,
      SigningKeys: [{ IsActive: true, PublishedUntil: null }],
    })
    const { body, headers } = await server.call('GET', '/modules/partners')
    expect(body).toEqual({ IdentityProvider: answer.body, ClientKey: null })
    expect(JSON.stringify(body)).not.toContain(testClient.secret)
    expect(headers.get('etag')).toBeTruthy()
    expect(await keySet(answer.body.SigningKeySetURI)).toContain(answer.body.SigningKeys[0].Kid)
    const row = await server.services.database.kysely
      .selectFrom('identity_providers')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(row.sealed_client_secret?.includes(testClient.secret)).toBe(false)
  })

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['a wrong secret', { ClientSecret: 'wrong' }, /ClientId .*invalid_client/],
    ['an unknown client', { ClientId: 'nobody' }, /ClientId .*invalid_client/],
    ['an audience that it does not know', { Audience: 'https://other.example' }, /ClientId .*invalid_target/],
    ['an issuer that is another', { Issuer: 'http://localhost:1/' }, /Issuer .*localhost/],
    ['an address inside', { Issuer: 'http://10.0.0.1/' }, /Issuer .*not on the public internet/],
    ['an issuer of two lines', { Issuer: 'http://a.example\n/' }, /Issuer/],
    ['no URL', { Issuer: 'login.example' }, /Issuer .*absolute URL/],
    ['a preset that cannot be it', { Preset: 'entra' }, /Issuer must look like/],
    ['a preset without its audience', { Preset: 'auth0', Audience: null }, /Audience is required/],
    ['private_key_jwt without a key', { Authentication: 'private_key_jwt' }, /ClientSecret must be omitted/],
    ['no PEM', { Authentication: 'service_account' }, /RSA private key/],
  ])('answers 400 with the reason for %s and connects nothing', async (_what, change, message) => {
    const answer = await connect(change)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toMatch(message)
    expect((await server.call('GET', '/modules/partners')).body.IdentityProvider).toBeNull()
  })

  it('names the reason of the provider, so that clients can translate it', async () => {
    const { body } = await connect({ ClientSecret: 'wrong' })
    expect(body.error.message).not.toMatch(/\.\.$/)
    expect(body.error).toMatchObject({
      reason: 'provider_test_failed',
      params: { field: 'ClientId', cause: { reason: expect.stringMatching(/^provider_/), params: {} } },
      details: [{ issue: expect.stringMatching(/^was tested and refused: .*[^.]$/) }],
    })
  })

  it('reports that the provider does not answer', async () => {
    provider.setMode('down')
    const answer = await connect()
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toContain('/.well-known/openid-configuration: 127.0.0.1')
  })

  it('sends a stored secret only to the client it was entered for', async () => {
    await connect()
    const { ClientSecret: _left, ...others } = settings
    for (const change of [{ Issuer: 'http://127.0.0.1:9/' }, { ClientId: 'other' }]) {
      const answer = await server.call('PUT', path, { body: { ...others, ...change } })
      expect(answer.body.error?.message).toMatch(/^ClientSecret is required/)
    }
    const kept = await server.call('PUT', path, { body: { Scope: null } })
    expect(kept.body).toMatchObject({ Scope: null, Audience: testAudience, HasClientSecret: true })
  })

  it('accepts only one of two concurrent changes', async () => {
    const first = await connect()
    provider.setMode('hanging')
    const both = [connect({ Scope: null }), connect()]
    await expect.poll(provider.hangingRequests, { interval: 10 }).toBe(2)
    provider.setMode('working')
    const answers = await Promise.all(both)
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const stale = { headers: { 'If-Match': first.headers.get('etag') ?? '' } }
    expectProblem(await connect({}, stale), 'stale')
  })

  it('requires an administrator key of the whole account', async () => {
    const project = await server.call('POST', '/projects', { body: { Name: 'a' } })
    expectProblem(await connect({}, { apiKey: await server.newKey({ role: 'SeniorEditor' }) }), 'forbidden')
    const restricted = await server.newKey({ projectIds: [project.body.Id] })
    expectProblem(await connect({}, { apiKey: restricted }), 'forbidden')
    await connect()
    const stranger = await server.newKey({ inNewAccount: true })
    expect((await server.call('GET', '/modules/partners', { apiKey: stranger })).body.IdentityProvider).toBe(
      null,
    )
    expectProblem(await server.call('DELETE', path, { apiKey: stranger }), 'not_found')
  })
})

test('a connection test reports the failed step, marks a refused connection as broken and repairs it', async () => {
  expectProblem(await server.call('POST', `${path}/test`), 'not_found')
  await connect()
  const tried = () => server.call('POST', `${path}/test`)
  const refusal = {
    Reason: 'provider_refused_token',
    Params: { url: `${provider.issuer}/token`, words: expect.stringContaining('invalid_client') },
  }
  const state = async () => (await server.call('GET', path)).body.State
  expect((await tried()).body).toMatchObject({
    IsWorking: true,
    FailedStep: null,
    Reason: null,
    Params: null,
  })
  provider.setMode('down')
  expect((await tried()).body).toMatchObject({ IsWorking: false, FailedStep: 'discovery' })
  expect(await state()).toBe('working')
  provider.setMode('working')
  provider.setClient({ client_secret: 'another', token_endpoint_auth_method: 'client_secret_basic' })
  expect((await tried()).body).toMatchObject({
    FailedStep: 'token',
    Message: expect.stringContaining('invalid_client'),
    ...refusal,
  })
  expect((await server.call('GET', path)).body).toMatchObject({
    State: 'broken',
    StateErrorReason: refusal.Reason,
    StateErrorParams: refusal.Params,
  })
  provider.setClient({
    client_secret: testClient.secret,
    token_endpoint_auth_method: 'client_secret_basic',
  })
  expect((await tried()).body.IsWorking).toBe(true)
  expect((await server.call('GET', path)).body).toMatchObject({
    State: 'working',
    StateErrorReason: null,
    StateErrorParams: null,
  })
})

describe('checking an issuer', () => {
  const check = (body: object, options = {}): Promise<Answer> =>
    server.call('POST', `${path}/check`, { body, ...options })

  it('reads the discovery document and the key set, and connects nothing', async () => {
    const { status, body } = await check({ Issuer: provider.issuer })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      IsWorking: true,
      FailedStep: null,
      TokenEndpoint: `${provider.issuer}/token`,
      ProviderKeySetURI: `${provider.issuer}/jwks`,
    })
    expect((await server.call('GET', '/modules/partners')).body.IdentityProvider).toBeNull()
  })

  it('reports what the provider lacks, and never reaches a private network', async () => {
    provider.setMode('down')
    expect((await check({ Issuer: provider.issuer })).body).toMatchObject({
      ...{ IsWorking: false, FailedStep: 'discovery', TokenEndpoint: null, ProviderKeySetURI: null },
      Message: expect.stringContaining('127.0.0.1'),
      Reason: 'provider_not_reached',
      Params: {
        url: `${provider.issuer}/.well-known/openid-configuration`,
        cause: { reason: expect.any(String), params: expect.any(Object) },
      },
    })
    const inside = await check({ Issuer: 'http://10.0.0.1/' })
    expect(inside.body).toMatchObject({
      IsWorking: false,
      Message: expect.stringContaining('public internet'),
    })
  })

  it('answers 400 to an issuer that the preset cannot have, and 403 without partners:write', async () => {
    const answer = await check({ Preset: 'okta', Issuer: 'https://example.okta.com' })
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toMatch(/Issuer must look like .*oauth2\/default/)
    const apiKey = await server.newKey({ role: 'SeniorEditor' })
    expectProblem(await check({ Issuer: provider.issuer }, { apiKey }), 'forbidden')
    const project = await server.call('POST', '/projects', { body: { Name: 'a' } })
    const restricted = await server.newKey({ projectIds: [project.body.Id] })
    expectProblem(await check({ Issuer: provider.issuer }, { apiKey: restricted }), 'forbidden')
  })
})

test('a planned rotation publishes the next key first, and an emergency rotation removes the old one', async () => {
  const rotate = (body: object) => server.call('POST', '/modules/partners/signingkeys/rotate', { body })
  expectProblem(await rotate({}), 'not_found')
  const { body: connected } = await connect()
  const before = connected.SigningKeys.find(({ IsActive }: { IsActive: boolean }) => IsActive).Kid
  const { body } = await rotate({})
  const [old, next] = body.SigningKeys.slice(-2)
  expect(old).toMatchObject({ Kid: before, IsActive: true, PublishedUntil: expect.any(String) })
  expect(next).toMatchObject({ IsActive: false, PublishedUntil: null })
  expect(Date.parse(old.PublishedUntil)).toBeGreaterThan(Date.parse(next.ActiveFrom) + 600_000)
  await expect
    .poll(() => keySet(connected.SigningKeySetURI))
    .toEqual(expect.arrayContaining([old.Kid, next.Kid]))
  expectProblem(await rotate({}), 'conflict')

  const emergency = await rotate({ IsCompromised: true })
  expect(emergency.body.SigningKeys).toEqual([
    { Kid: expect.any(String), IsActive: true, ActiveFrom: expect.any(String), PublishedUntil: null },
  ])
  await expect.poll(() => keySet(connected.SigningKeySetURI)).toEqual([emergency.body.SigningKeys[0].Kid])
  const set = await request(connected.SigningKeySetURI, 'GET')
  expect(set.headers.get('cache-control')).toBe('public, max-age=300')
  expect(set.body.keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })
  expect(set.body.keys[0].d).toBeUndefined()
})

test('repeated connecting and disconnecting adds no published keys', async () => {
  const first = (await connect()).body.SigningKeys.at(-1)
  await server.call('DELETE', path)
  expect((await connect()).body.SigningKeys.at(-1)).toEqual({ ...first, PublishedUntil: null })
  await server.call('DELETE', path)
  expect((await connect()).body.SigningKeys).toHaveLength(1)
})

describe('a client key', () => {
  const newClientKey = async () =>
    (await server.call('POST', '/modules/partners/clientkey', { body: {} })).body
  const setClient = (keys: object[], more: object = {}) =>
    provider.setClient({
      ...more,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks: { keys },
    })
  const withKey = { ClientSecret: undefined, Authentication: 'private_key_jwt' }

  it('authenticates without a secret and is replaced without a gap', async () => {
    expect((await connect(withKey)).body.error.message).toMatch(/requires a client key/)
    const first = await newClientKey()
    expect(first).toMatchObject({ IsInUse: false, PublicKey: { kty: 'RSA', alg: 'RS256' } })
    expect(first.PublicKey.d).toBeUndefined()
    setClient([first.PublicKey])
    expect((await connect(withKey)).body).toMatchObject({ State: 'working', HasClientSecret: false })

    const second = await newClientKey()
    expect(second.KeySetURI).toBe(first.KeySetURI)
    expect(await keySet(first.KeySetURI)).toEqual([first.Kid, second.Kid])
    expect((await server.call('POST', `${path}/test`)).body.IsWorking).toBe(true)
    expectProblem(await connect(withKey), 'invalid')
    setClient([first.PublicKey, second.PublicKey])
    expect((await connect(withKey)).status).toBe(200)
    expect(await keySet(first.KeySetURI)).toEqual([second.Kid])
    expect((await server.call('GET', '/modules/partners')).body.ClientKey).toMatchObject({ IsInUse: true })
  })

  it('also authenticates sign-in when the client allows both', async () => {
    const { PublicKey } = await newClientKey()
    setClient([PublicKey], {
      grant_types: ['client_credentials', 'authorization_code'],
      response_types: ['code'],
      redirect_uris: ['http://127.0.0.1:9/'],
    })
    const { body } = await connect({ ...withKey, SignIn: { IsEnabled: true } })
    expect(body.SignIn).toMatchObject({ IsEnabled: true, ClientId: null, HasClientSecret: false })
    expect((await server.call('POST', `${path}/test`)).body.IsWorking).toBe(true)
  })

  it('is not in the key set of another account', async () => {
    const own = await newClientKey()
    const stranger = await server.newKey({ inNewAccount: true })
    const other = await server.call('POST', '/modules/partners/clientkey', { apiKey: stranger, body: {} })
    expect(other.body.KeySetURI).not.toBe(own.KeySetURI)
    expect(await keySet(other.body.KeySetURI)).toEqual([other.body.Kid])
  })

  it('is refused when the provider has another key', async () => {
    await newClientKey()
    const { publicKey } = await generateKeyPair('RS256')
    setClient([{ ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig' }])
    expect((await connect(withKey)).body.error.message).toContain('invalid_client')
  })
})

test.each(['00000000-0000-4000-8000-000000000000', 'x', '%00'])(
  'the key set %s does not exist',
  async (id) => {
    const { status } = await request(`${server.url}/.well-known/clients/${id}/jwks.json`, 'GET')
    expect([400, 404]).toContain(status)
  },
)
