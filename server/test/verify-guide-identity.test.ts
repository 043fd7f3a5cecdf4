import { createHash, KeyObject, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  base64url,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type GenerateKeyPairResult,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proveRequest } from '../src/accounts/partners/tokens/prove-request.ts'
import { guideBlocks, guideLanguages, startGuideReceiver } from './support/guide-receiver.ts'

const origin = 'https://example.com'
const path = '/hook?ProjectId=3&FileId=5&event=file.new'
const body = '[{"Event":"file.new","EventId":17,"File":{"Id":5,"Name":"é"}}]'
const sha256 = (data: string): string => base64url.encode(createHash('sha256').update(data).digest())

/** Serves both key sets: that of Zoetrope at its well-known URL, and that of an identity provider. */
let issuers: Server
let base: string
let zoetropeKey: GenerateKeyPairResult
let otherKey: GenerateKeyPairResult
let providerKey: GenerateKeyPairResult
let accessToken: string
let receiver: Awaited<ReturnType<typeof startGuideReceiver>>

const keySet = async ({ publicKey }: GenerateKeyPairResult, alg: string) =>
  JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'key-1', alg, use: 'sig' }] })

beforeAll(async () => {
  ;[zoetropeKey, otherKey, providerKey] = await Promise.all([
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('ES256'),
    generateKeyPair('RS256'),
  ])
  const sets: Record<string, string> = {
    '/.well-known/jwks.json': await keySet(zoetropeKey, 'ES256'),
    '/provider/jwks': await keySet(providerKey, 'RS256'),
  }
  issuers = createServer((request, response) => {
    response.setHeader('content-type', 'application/json').end(sets[request.url ?? ''])
  }).listen(0, '127.0.0.1')
  await once(issuers, 'listening')
  base = `http://127.0.0.1:${(issuers.address() as AddressInfo).port}`
  accessToken = await new SignJWT({ client_id: 'zoetrope' })
    .setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
    .setIssuer(`${base}/provider`)
    .setExpirationTime('1h')
    .sign(providerKey.privateKey)
  const [js] = guideLanguages
  if (js === undefined) throw new Error('no language')
  receiver = await startGuideReceiver(js, (await guideBlocks(js))[1] ?? '', {
    ZOETROPE_URL: base,
    RECEIVER_ORIGIN: origin,
    PROVIDER_ISSUER: `${base}/provider`,
    PROVIDER_JWKS_URI: `${base}/provider/jwks`,
  })
})

afterAll(async () => {
  await receiver.stop()
  issuers.closeAllConnections()
  issuers.close()
})

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** The claims of a webhook identity token, with changes. */
const claimsOf = (change: Record<string, unknown>): JWTPayload => ({
  iss: base,
  aud: origin,
  jti: 'evt_17_2',
  iat: nowSeconds(),
  exp: nowSeconds() + 300,
  htm: 'POST',
  htu: origin + path,
  bh: sha256(body),
  ath: sha256(accessToken),
  ...change,
})

const identity = (
  change: Record<string, unknown> = {},
  header: Partial<JWTHeaderParameters> = {},
  key: Parameters<SignJWT['sign']>[0] = zoetropeKey.privateKey,
): Promise<string> =>
  new SignJWT(claimsOf(change))
    .setProtectedHeader({ alg: 'ES256', typ: 'webhook+jwt', kid: 'key-1', ...header })
    .sign(key)

const send = async (
  token: string | Promise<string> | null,
  change: { readonly body?: string; readonly path?: string; readonly headers?: Record<string, string> } = {},
): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${receiver.port}${change.path ?? path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${accessToken}`,
      'webhook-id': 'evt_17_2',
      ...(token === null ? {} : { 'webhook-identity': await token }),
      ...change.headers,
    },
    body: change.body ?? body,
  })
  return answer.status
}

test('accepts a request with the identity of this Zoetrope', async () => {
  const made = proveRequest(
    { url: origin + path, body: Buffer.from(body), id: 'evt_17_2', now: new Date() },
    sha256(accessToken),
    { issuer: base, kid: 'key-1', privateKey: KeyObject.from(zoetropeKey.privateKey) },
  )
  expect(await send(made), receiver.output()).toBe(204)
  // Each forged request below differs from this one in one detail.
  expect(await send(identity()), receiver.output()).toBe(204)
})

const refused: Record<string, () => Promise<number>> = {
  'a tampered body': () => send(identity(), { body: body.replace('5', '6') }),
  'a tampered query': () => send(identity(), { path: path.replace('FileId=5', 'FileId=6') }),
  'another path': () => send(identity(), { path: `/other${path}` }),
  'another webhook-id': () => send(identity(), { headers: { 'webhook-id': 'evt_18_2' } }),
  'an identity for another receiver': () => send(identity({ aud: 'https://other.example.com' })),
  'an identity of another issuer': () => send(identity({ iss: 'https://other.example.com' })),
  'an expired identity': () => send(identity({ iat: nowSeconds() - 400, exp: nowSeconds() - 100 })),
  'an identity that was made to last': () =>
    send(identity({ iat: nowSeconds() - 400, exp: nowSeconds() + 9_000 })),
  'an identity without an end': () => send(identity({ exp: undefined })),
  'an identity signed with another key': () => send(identity({}, {}, otherKey.privateKey)),
  'an identity with an unknown key': () => send(identity({}, { kid: 'key-2' }, otherKey.privateKey)),
  'a token of another kind': () => send(identity({}, { typ: 'at+jwt' })),
  'an identity without a signature': () => send(new UnsecuredJWT(claimsOf({})).encode()),
  'an identity signed by HMAC with the public key': async () =>
    send(identity({}, { alg: 'HS256' }, Buffer.from(await exportSPKI(zoetropeKey.publicKey)))),
  'no identity': () => send(null),
  'no access token': () => send(identity(), { headers: { authorization: '' } }),
  'an access token that the identity does not name': async () => {
    const other = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
      .setIssuer(`${base}/provider`)
      .setExpirationTime('1h')
      .sign(providerKey.privateKey)
    return send(identity(), { headers: { authorization: `Bearer ${other}` } })
  },
  'an access token of nobody': () =>
    send(identity({ ath: sha256('x') }), { headers: { authorization: 'Bearer x' } }),
}

test('rejects forged, altered and misdirected requests', async () => {
  const statuses: Record<string, number> = {}
  for (const [name, attempt] of Object.entries(refused)) statuses[name] = await attempt()
  expect(statuses).toEqual(Object.fromEntries(Object.keys(refused).map((name) => [name, 401])))
})
