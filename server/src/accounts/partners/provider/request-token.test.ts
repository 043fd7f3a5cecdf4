import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it, test } from 'vitest'
import { newMessage } from '../../../platform/base/message.ts'
import type { GuardedAgent, OutboundRequest } from '../../../platform/outbound/guarded-agent.ts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import { presets } from './presets.ts'
import { requestToken, type TokenRequest } from './request-token.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const secret = 'p%:ä &secret'

const request: TokenRequest = {
  preset: 'custom',
  issuer: 'https://login.example.com',
  tokenEndpoint: 'https://login.example.com/token',
  clientId: 'the client',
  authentication: 'client_secret_basic',
  clientSecret: secret,
  clientKey: null,
  scope: 'a b',
  audience: 'https://hooks.example.com',
}

const agentThat = (answer: () => { status: number; bodyExcerpt: string }) => {
  const sent: { url: string; request: OutboundRequest }[] = []
  const agent = {
    request: async (url: string, one: OutboundRequest) => {
      sent.push({ url, request: one })
      return { headers: {}, ...answer() }
    },
  } as unknown as GuardedAgent
  return { agent, sent }
}

const ask = async (changes: Partial<TokenRequest> = {}) => {
  const { agent, sent } = agentThat(() => ({ status: 200, bodyExcerpt: '{"access_token":"t"}' }))
  await requestToken(agent, { ...request, ...changes }, { nowSeconds: Math.floor(Date.now() / 1_000) })
  const [{ url, request: one } = {}] = sent
  return {
    url,
    headers: one?.headers ?? {},
    form: Object.fromEntries(new URLSearchParams(String(one?.body))),
  }
}

describe('requestToken', () => {
  it('form-encodes id and secret as user name and password (RFC 6749, section 2.3.1)', async () => {
    const { url, headers, form } = await ask()
    expect(url).toBe(request.tokenEndpoint)
    const [user, password] = Buffer.from(String(headers['authorization']).slice(6), 'base64')
      .toString()
      .split(':')
    const decode = (text = '') => new URLSearchParams(`x=${text}`).get('x')
    expect([decode(user), decode(password)]).toEqual(['the client', secret])
    expect(form).toEqual({
      grant_type: 'client_credentials',
      scope: 'a b',
      audience: 'https://hooks.example.com',
      resource: 'https://hooks.example.com',
    })
  })

  it('sends the audience in the parameters of each provider', async () => {
    const names = async (preset: TokenRequest['preset'], audience: string | null) =>
      Object.keys((await ask({ preset, audience })).form).filter((name) => /audience|resource/.test(name))
    expect(await names('auth0', 'https://a')).toEqual(['audience'])
    expect(await names('keycloak', 'https://a')).toEqual(['audience'])
    expect(await names('custom', 'no-url')).toEqual(['audience'])
    expect(await names('entra', null)).toEqual([])
  })

  it('sends the secret only in the body with client_secret_post', async () => {
    const { headers, form } = await ask({ authentication: 'client_secret_post' })
    expect(headers['authorization']).toBeUndefined()
    expect(form).toMatchObject({ client_id: 'the client', client_secret: secret })
  })

  it('signs an assertion for this issuer only with private_key_jwt', async () => {
    const { headers, form } = await ask({
      authentication: 'private_key_jwt',
      clientSecret: null,
      clientKey: { kid: 'k1', privateKey: rsa.privateKey },
    })
    expect(headers['authorization']).toBeUndefined()
    expect(form['client_assertion_type']).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    const assertion = form['client_assertion'] ?? ''
    expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' })
    const { payload } = await jwtVerify(assertion, rsa.publicKey, { audience: request.issuer })
    expect(payload).toMatchObject({ iss: 'the client', sub: 'the client', jti: expect.any(String) })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(60)
  })

  it('requests a verifiable service account token from Google', async () => {
    const { form } = await ask({
      preset: 'google',
      authentication: 'service_account',
      clientSecret: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      scope: null,
    })
    expect(Object.keys(form)).toEqual(['grant_type', 'assertion'])
    expect(decodeJwt(form['assertion'] ?? '')).toMatchObject({
      aud: request.tokenEndpoint,
      target_audience: 'https://hooks.example.com',
    })
  })
})

const token = 'x'.repeat(100)
test.each<[string, number, unknown, string | RegExp]>([
  ['a token without its life', 200, { access_token: token }, 'token for 300'],
  ['a life in text', 200, { access_token: token, expires_in: '60', token_type: 'bearer' }, 'token for 60'],
  ['a life of a year', 200, { access_token: token, expires_in: 3e7 }, 'token for 86400'],
  ['a life of nothing', 200, { access_token: token, expires_in: -1 }, 'token for 300'],
  ['an id_token', 200, { id_token: token, expires_in: 60 }, 'token for 60'],
  [
    'a refusal in words',
    401,
    { error: 'invalid_client', error_description: 'wrong' },
    /refused.*invalid_client: wrong/,
  ],
  ['a refusal without', 401, null, /refused.*401/],
  [
    'a refusal that quotes the secret',
    400,
    { error: `no ${secret}`, error_description: `\0${secret}\n` },
    /^refused.*no …: {2}… *\.$/,
  ],
  ['a bad scope', 400, { error: 'invalid_scope' }, /refused.*invalid_scope/],
  ['the page of a proxy', 403, null, /unreachable/],
  ['too many requests', 429, { error: 'slow_down' }, /unreachable/],
  ['a fault', 500, { error: 'server_error' }, /unreachable/],
  ['a redirect', 302, null, /unreachable.*302/],
  ['a page instead', 200, null, /unreachable/],
  ['no token', 200, {}, /refused.*no token/],
  ['a token of another type', 200, { access_token: token, token_type: 'DPoP' }, /refused.*bearer/],
  ['a token that breaks the header', 200, { access_token: 'a\r\nb: c' }, /refused/],
  ['a token that is too long', 200, { access_token: 'x'.repeat(9_000) }, /refused/],
  ['an answer without end', 200, { access_token: token, filler: 'x'.repeat(300_000) }, /refused.*256 KiB/],
])('requestToken handles %s', async (_what, status, body, expected) => {
  const bodyExcerpt = body === null ? '<html>' : JSON.stringify(body).slice(0, 262_144)
  const { agent } = agentThat(() => ({ status, bodyExcerpt }))
  const outcome = await requestToken(agent, request, { nowSeconds: 0 }).then(
    ({ lifeSeconds }) => `token for ${lifeSeconds}`,
    ({ kind, message }) => `${kind}: ${message}`,
  )
  expect(outcome).toMatch(expected)
  expect(outcome).not.toContain(secret)
})

test.each([
  ['blocked', 'refused'],
  ['failed', 'unreachable'],
  ['timeout', 'unreachable'],
] as const)('requestToken treats a request that is %s as %s', async (code, kind) => {
  const { agent } = agentThat(() => {
    throw new OutboundError(code, newMessage('answer_late', { seconds: 1 }))
  })
  await expect(requestToken(agent, request, { nowSeconds: 0 })).rejects.toMatchObject({ kind })
})

test('presets are those of the API contract', () => {
  expect(presets).toEqual(['cognito', 'auth0', 'entra', 'okta', 'keycloak', 'google', 'custom'])
})
