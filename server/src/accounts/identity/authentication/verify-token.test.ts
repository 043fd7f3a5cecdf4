import { createPublicKey } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { rawRequest } from '../../../platform/http/test-support/raw-request.ts'
import { buildApi } from '../../../app/api/build-api.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

/** The API promises that a node honours a revoked key for at most this long. */
const boundMs = 2_000

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const withToken = (token: string) => server.call('GET', '/projects', { apiKey: token })

interface Forgery {
  readonly header?: Record<string, unknown>
  readonly claims?: Record<string, unknown>
}

const mint = async ({ header = {}, claims = {} }: Forgery): Promise<string> => {
  const { privateKey } = server.services.signingKeys.current
  const payload = Object.fromEntries(
    Object.entries({ ...decodeJwt(server.apiKey), ...claims }).filter(([, value]) => value !== undefined),
  ) as JWTPayload
  const protectedHeader = { ...decodeProtectedHeader(server.apiKey), ...header } as { alg: string }
  return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(privateKey)
}

test('an unchanged forged token is accepted, so that each refusal below is due to its change', async () => {
  expect((await withToken(await mint({}))).status).toBe(200)
})

const nowSeconds = Math.floor(Date.now() / 1000)

test('an expired API key answers 401 with a separate error type', async () => {
  for (const exp of [nowSeconds - 60, 1]) {
    const answer = await withToken(await mint({ claims: { exp } }))
    expectProblem(answer, 'key_expired')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
  }
  const revoked = await server.call('POST', '/apikeys', {
    body: { Label: 'Revoked', ExpiresAt: new Date(Date.now() + 3_600_000).toISOString() },
  })
  await server.call('DELETE', `/apikeys/${revoked.body.Id}`)
  expectProblem(await withToken(revoked.body.Token), 'unauthorized')
  const forged = (await mint({ claims: { exp: nowSeconds - 60 } })).replace(/.{8}$/, 'AAAAAAAA')
  expectProblem(await withToken(forged), 'unauthorized')
  expectProblem(await withToken('malformed'), 'unauthorized')
})

test.each<[string, Forgery]>([
  ['not valid yet', { claims: { nbf: nowSeconds + 3_600 } }],
  ['of another issuer', { claims: { iss: 'urn:uuid:00000000-0000-4000-8000-000000000000' } }],
  ['of no issuer', { claims: { iss: undefined } }],
  ['for another audience', { claims: { aud: 'console' } }],
  ['for no audience', { claims: { aud: undefined } }],
  ['of another type', { header: { typ: 'JWT' } }],
  ['of no type', { header: { typ: undefined } }],
  ['without a subject', { claims: { sub: undefined } }],
  ['without an id', { claims: { jti: undefined } }],
  ['with an id that is not a string', { claims: { jti: 5 } }],
  ['with an id that is not a UUID', { claims: { jti: "' or 1=1" } }],
  ['with an unknown id', { claims: { jti: crypto.randomUUID() } }],
  ['under an unknown kid', { header: { kid: crypto.randomUUID() } }],
  ['under no kid', { header: { kid: undefined } }],
  ['under a kid that is not a string', { header: { kid: 5 } }],
  ['under a kid with NUL', { header: { kid: 'a\u0000b' } }],
  ['under a kid with half a surrogate pair', { header: { kid: '\ud800' } }],
])('a token %s answers 401', async (_what, forgery) => {
  const answer = await withToken(await mint(forgery))
  expectProblem(answer, 'unauthorized')
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
})

describe('a forged token answers 401:', () => {
  const parts = () => server.apiKey.split('.') as [string, string, string]

  test.each(['none', 'None', 'NONE', ''])('alg %s', async (alg) => {
    const [, payload, signature] = parts()
    const header = base64url({ ...decodeProtectedHeader(server.apiKey), alg })
    for (const last of ['', signature])
      expectProblem(await withToken(`${header}.${payload}.${last}`), 'unauthorized')
  })

  test('HS256 with the public key as its secret', async () => {
    const { kid } = decodeProtectedHeader(server.apiKey)
    const { public_jwk: jwk } = await server.services.database.kysely
      .selectFrom('signing_keys')
      .select('public_jwk')
      .where('kid', '=', String(kid))
      .executeTakeFirstOrThrow()
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const secrets = [
      Buffer.from(String(jwk['x']), 'base64url'),
      Buffer.from(JSON.stringify(jwk)),
      Buffer.from(key.export({ type: 'spki', format: 'pem' })),
      key.export({ type: 'spki', format: 'der' }),
    ]
    for (const secret of secrets) {
      const token = await new SignJWT(decodeJwt(server.apiKey))
        .setProtectedHeader({ typ: 'at+jwt', alg: 'HS256', kid: String(kid) })
        .sign(secret)
      expectProblem(await withToken(token), 'unauthorized')
    }
  })

  test("another key with the server's kid", async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const token = await new SignJWT(decodeJwt(server.apiKey))
      .setProtectedHeader(decodeProtectedHeader(server.apiKey) as { alg: string })
      .sign(privateKey)
    expectProblem(await withToken(token), 'unauthorized')
  })

  test('a key embedded in the header', async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: base64url('x') }
    const token = await new SignJWT(decodeJwt(server.apiKey))
      .setProtectedHeader({ ...decodeProtectedHeader(server.apiKey), alg: 'EdDSA', jwk })
      .sign(privateKey)
    expectProblem(await withToken(token), 'unauthorized')
  })

  test('changed claims', async () => {
    const [header, , signature] = parts()
    const payload = base64url({ ...decodeJwt(server.apiKey), sub: '2' })
    expectProblem(await withToken(`${header}.${payload}.${signature}`), 'unauthorized')
  })

  test('a changed or missing signature', async () => {
    const [header, payload, signature] = parts()
    const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    for (const last of [changed, signature.slice(0, -2), '', `${signature}AA`])
      expectProblem(await withToken(`${header}.${payload}.${last}`), 'unauthorized')
  })
})

test.each(['abc', 'a.b', 'a.b.c', '...', 'a'.repeat(5_000), `${'a'.repeat(2_000)}.b.c`])(
  '%.20s is not a token and answers 401',
  async (token) => {
    expectProblem(await withToken(token), 'unauthorized')
  },
)

test.each(['Bearer', 'Bearer ', 'Basic YTpi', 'Token abc', 'Bearer a b', 'Bearer "abc"', 'Bearer a,b'])(
  'the header "%s" answers 401',
  async (authorization) => {
    const answer = await server.call('GET', '/projects', {
      apiKey: null,
      headers: { Authorization: authorization },
    })
    expectProblem(answer, 'unauthorized')
  },
)

test('the scheme is case-insensitive', async () => {
  const headers = { Authorization: `bearer ${server.apiKey}` }
  expect((await server.call('GET', '/projects', { apiKey: null, headers })).status).toBe(200)
})

test('ignores a token in the query or in a cookie', async () => {
  for (const name of ['access_token', 'token', 'apiKey', 'Authorization'])
    expectProblem(
      await server.call('GET', `/projects?${name}=${server.apiKey}`, { apiKey: null }),
      'unauthorized',
    )
  const headers = { Cookie: `token=${server.apiKey}` }
  expectProblem(await server.call('GET', '/projects', { apiKey: null, headers }), 'unauthorized')
})

test('two Authorization headers answer 401, even when both are valid', async () => {
  const authorization = `Authorization: Bearer ${server.apiKey}\r\n`
  for (const other of [authorization, 'Authorization: Bearer abc\r\n']) {
    const answer = await rawRequest(
      server.url,
      `GET /v3/projects HTTP/1.1\r\nHost: a\r\n${authorization}${other}Connection: close\r\n\r\n`,
    )
    expect(answer).not.toBeNull()
    if (answer !== null) expectProblem(answer, 'unauthorized')
  }
})

describe('a key that was valid', () => {
  /** Another node: the same database, but its own cache. */
  const startSecondNode = async () => {
    const { app } = await buildApi(server.services)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    return {
      statusFor: async (token: string) =>
        (await request(`${url}/v3/projects`, 'GET', { apiKey: token })).status,
      createFile: async (token: string, projectId: number) =>
        (
          await request(`${url}/v3/projects/${projectId}/files`, 'POST', {
            apiKey: token,
            body: { FileName: 'a.mp4' },
          })
        ).status,
      stop: () => app.close(),
    }
  }
  const users = () => server.services.database.kysely.updateTable('users')
  const userIdOf = (token: string) => Number(decodeJwt(token).sub)
  /** Moves only the clock, not timers and sockets. */
  const letPass = (durationMs: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + durationMs })
  }
  afterEach(() => vi.useRealTimers())

  test('is refused at once on the node that revoked it, and within two seconds on another one', async () => {
    const second = await startSecondNode()
    const token = await server.newKey()
    expect((await withToken(token)).status).toBe(200)
    expect(await second.statusFor(token)).toBe(200)
    expect((await server.call('DELETE', `/apikeys/${decodeJwt(token).jti}`)).status).toBe(200)
    expectProblem(await withToken(token), 'unauthorized')
    letPass(boundMs)
    expect(await second.statusFor(token)).toBe(401)
    await second.stop()
  })

  test('loses rights within two seconds when its user is demoted, and regains them', async () => {
    const token = await server.newKey({ role: 'Administrator' })
    const create = async () =>
      (await server.call('POST', '/projects', { apiKey: token, body: { Name: 'a' } })).status
    expect(await create()).toBe(201)
    await users().set({ role: 'Reader' }).where('id', '=', userIdOf(token)).execute()
    letPass(boundMs)
    expect(await create()).toBe(403)
    expect((await withToken(token)).status).toBe(200)
    await users().set({ role: 'Administrator' }).where('id', '=', userIdOf(token)).execute()
    letPass(boundMs)
    expect(await create()).toBe(201)
  })

  test('is refused within two seconds when its user is disabled', async () => {
    const token = await server.newKey()
    expect((await withToken(token)).status).toBe(200)
    await users().set({ is_enabled: false }).where('id', '=', userIdOf(token)).execute()
    letPass(boundMs)
    expectProblem(await withToken(token), 'unauthorized')
  })

  test('follows rights changed on another node within two seconds: a project role, or a deletion', async () => {
    const second = await startSecondNode()
    const token = await server.newKey({ role: 'Reader' })
    const { body: project } = await server.call('POST', '/projects', { body: { Name: 'a' } })
    const upload = () => second.createFile(token, project.Id)
    expect(await upload()).toBe(403)
    const ProjectRoles = [{ ProjectId: project.Id, Role: 'Uploader' }]
    const path = `/users/${userIdOf(token)}`
    expect((await server.call('PUT', path, { body: { ProjectRoles } })).status).toBe(200)
    letPass(boundMs)
    expect(await upload()).toBe(201)
    expect((await server.call('DELETE', path)).status).toBe(200)
    letPass(boundMs)
    expect(await upload()).toBe(401)
    await second.stop()
  })

  test('is refused within two seconds when another node moves its expiry, and works again when it is moved back', async () => {
    const second = await startSecondNode()
    const { body: key } = await server.call('POST', '/apikeys', { body: { Label: 'Moved' } })
    const endIn = (durationMs: number) =>
      server.call('PUT', `/apikeys/${key.Id}`, {
        body: { ExpiresAt: new Date(Date.now() + durationMs).toISOString() },
      })
    expect(await second.statusFor(key.Token)).toBe(200)
    await endIn(10_000)
    letPass(boundMs)
    expect(await second.statusFor(key.Token)).toBe(200)
    letPass(10_000)
    expect(await second.statusFor(key.Token)).toBe(401)
    await endIn(60_000)
    expect(await second.statusFor(key.Token)).toBe(200)
    await second.stop()
  })

  test('is refused as soon as it has expired, also by a node that cached it', async () => {
    const ExpiresAt = new Date(Date.now() + 60_000).toISOString()
    const { body } = await server.call('POST', '/apikeys', { body: { Label: 'Short', ExpiresAt } })
    letPass(58_000)
    expect((await withToken(body.Token)).status).toBe(200)
    letPass(2_000)
    expectProblem(await withToken(body.Token), 'key_expired')
  })
})

test('no response contains a token again', async () => {
  const created = await server.call('POST', '/apikeys', { body: { Label: 'Once' } })
  expect(created.headers.get('cache-control')).toBe('no-store')
  const list = await server.call('GET', '/apikeys')
  expect(JSON.stringify(list.body)).not.toContain(created.body.Token.split('.')[2])
  expect(list.body.ApiKeys).toContainEqual(
    expect.objectContaining({ Id: created.body.Id, LastFour: created.body.Token.slice(-4) }),
  )
  expect((await request(`${server.url}/v3/projects`, 'GET', { apiKey: created.body.Token })).status).toBe(200)
})
