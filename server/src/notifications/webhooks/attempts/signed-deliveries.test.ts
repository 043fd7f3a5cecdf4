import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { SignJWT, decodeJwt } from 'jose'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import {
  startIdentityProvider,
  testAudience,
  testClient,
  type TestIdentityProvider,
} from '../../../accounts/partners/test-support/identity-provider.ts'
import { createVerifier } from '../../../accounts/partners/test-support/verify-delivery.ts'
import { startReceiver, type Received, type Receiver } from '../test-support/receiver.ts'

let server: TestServer
let provider: TestIdentityProvider
let receiver: Receiver
let webhook: { Id: number; Secret: string }
let verify: ReturnType<typeof createVerifier>

const connectionPath = '/modules/partners/identityprovider'
const rightClient = { client_secret: testClient.secret, token_endpoint_auth_method: 'client_secret_basic' }

/** Also makes the worker fetch a new token, because its tokens belong to the former settings. */
const connect = async (): Promise<void> => {
  const { status, body } = await server.call('PUT', connectionPath, {
    body: {
      Issuer: provider.issuer,
      ClientId: testClient.id,
      ClientSecret: testClient.secret,
      Scope: 'webhooks/send',
      Audience: testAudience,
    },
  })
  expect({ status, body }).toMatchObject({ status: 200 })
}

const newVerifier = () =>
  createVerifier({
    zoetropeUrl: server.url,
    issuer: provider.issuer,
    keySetUri: `${provider.issuer}/jwks`,
    audience: testAudience,
    clientId: testClient.id,
  })

const asRequest = ({ path, headers, body }: Received) => ({
  url: new URL(path, receiver.url).href,
  headers,
  body,
})

const ping = async (): Promise<number> =>
  (await server.call('POST', `/modules/notifications/${webhook.Id}/test`)).body.Id

const delivery = async (id: number) =>
  (await server.call('GET', `/modules/notifications/${webhook.Id}/deliveries/${id}`)).body

const pingAndReceive = async (): Promise<Received> => {
  const count = receiver.received.length
  await ping()
  await receiver.until(count + 1)
  return receiver.received[count] as Received
}

const untilState = (state: string) =>
  waitFor(
    async () => (await server.call('GET', connectionPath)).body,
    ({ State }) => State === state,
  )

beforeAll(async () => {
  provider = await startIdentityProvider()
  receiver = await startReceiver()
  server = await startTestServer({ withWorker: true })
  webhook = (
    await server.call('POST', '/modules/notifications', {
      body: {
        TargetURL: `${receiver.url}?tenant=a%20b`,
        EventTypes: ['webhook.ping', 'file.*'],
        CustomHeaders: { Authorization: 'Basic of-the-owner' },
      },
    })
  ).body
})

afterAll(async () => {
  await server.stop()
  await receiver.close()
  await provider.close()
})

beforeEach(() => {
  provider.setMode('working')
  provider.setClient(rightClient)
  verify = newVerifier()
})

test("a delivery without an identity provider carries only the webhook's signature", async () => {
  const { headers } = await pingAndReceive()
  expect(headers['authorization']).toBe('Basic of-the-owner')
  expect(headers['webhook-identity']).toBeUndefined()
})

test("each delivery with an identity provider proves its sender in addition to the webhook's signature", async () => {
  await connect()
  const tokenRequests = provider.tokenRequests()
  for (let index = 0; index < 3; index += 1) {
    const received = await pingAndReceive()
    await verify(asRequest(received))
    new Webhook(webhook.Secret).verify(received.body, received.headers as Record<string, string>)
  }
  expect(provider.tokenRequests()).toBe(tokenRequests + 1)
  const { headers } = receiver.received.at(-1) as Received
  const claims = decodeJwt(String(headers['webhook-identity']))
  expect(claims).toMatchObject({
    iss: server.url,
    aud: new URL(receiver.url).origin,
    jti: headers['webhook-id'],
    htm: 'POST',
    htu: `${receiver.url}?tenant=a%20b&event=webhook.ping`,
  })
  expect(Number(claims.exp) - Number(claims.iat)).toBe(300)
  expect(claims.iat).toBe(Number(headers['webhook-timestamp']))
})

test('a receiver rejects every changed, replayed or forged request', async () => {
  await connect()
  const received = await pingAndReceive()
  const genuine = asRequest(received)
  await verify(genuine)
  const withHeader = (name: string, value: string) => ({
    ...genuine,
    headers: { ...genuine.headers, [name]: value },
  })
  const token = String(genuine.headers['webhook-identity'])
  const [header = '', payload = '', signature = ''] = token.split('.')
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const kid = JSON.parse(Buffer.from(header, 'base64url').toString()).kid
  const { keys } = (await request(`${server.url}/.well-known/jwks.json`, 'GET')).body
  const publicKey = JSON.stringify(keys.find((one: { kid: string }) => one.kid === kid))
  const hs256 = `${encode({ alg: 'HS256', typ: 'webhook+jwt', kid })}.${payload}`
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const strangersJwk = stranger.publicKey.export({ format: 'jwk' })
  const signedByStranger = (head: object) =>
    new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'ES256', typ: 'webhook+jwt', ...head })
      .sign(stranger.privateKey)
  const derSignature = sign('sha256', Buffer.from(`${header}.${payload}`), stranger.privateKey)
  const other = await pingAndReceive()

  const forged: Record<string, Parameters<typeof verify>[0]> = {
    'the body was changed': { ...genuine, body: genuine.body.replace('webhook.ping', 'webhook.pong') },
    'the query was changed': { ...genuine, url: genuine.url.replace('tenant=a%20b', 'tenant=other') },
    'a parameter was added': { ...genuine, url: `${genuine.url}&event=file.deleted` },
    'it was sent to another target': { ...genuine, url: genuine.url.replace('127.0.0.1', 'localhost') },
    'it has the id of another delivery': withHeader('webhook-id', String(other.headers['webhook-id'])),
    'it has the token of somebody else': withHeader('authorization', `Bearer ${token}`),
    'it has no token': withHeader('authorization', ''),
    'it has no proof': withHeader('webhook-identity', ''),
    'the access token stands for the proof': withHeader(
      'webhook-identity',
      String(genuine.headers['authorization']).slice(7),
    ),
    'alg is none': withHeader(
      'webhook-identity',
      `${encode({ alg: 'none', typ: 'webhook+jwt', kid })}.${payload}.`,
    ),
    'alg is HS256 with the public key': withHeader(
      'webhook-identity',
      `${hs256}.${createHmac('sha256', publicKey).update(hs256).digest('base64url')}`,
    ),
    'it was signed by a key of its own': withHeader('webhook-identity', await signedByStranger({ kid })),
    'it brings its key along': withHeader(
      'webhook-identity',
      await signedByStranger({ kid, jwk: strangersJwk }),
    ),
    'its kid is unknown': withHeader(
      'webhook-identity',
      await signedByStranger({ kid: crypto.randomUUID() }),
    ),
    'its type is another': withHeader('webhook-identity', await signedByStranger({ kid, typ: 'at+jwt' })),
    'its claims were changed': withHeader(
      'webhook-identity',
      `${header}.${encode({ ...decodeJwt(token), exp: 4_000_000_000 })}.${signature}`,
    ),
    'its signature has another encoding': withHeader(
      'webhook-identity',
      `${header}.${payload}.${derSignature.toString('base64url')}`,
    ),
  }
  const accepted: string[] = []
  for (const [what, one] of Object.entries(forged))
    await verify(one).then(
      () => accepted.push(what),
      () => {},
    )
  expect(accepted).toEqual([])
  const sentAtMs = Number(decodeJwt(token).iat) * 1_000
  await expect(verify(genuine, new Date(sentAtMs + 299_000))).resolves.toBeUndefined()
  await expect(verify(genuine, new Date(sentAtMs + 301_000))).rejects.toThrow(/"exp"|too far in the past/)
})

test('deliveries wait unsent, without counting attempts, while the identity provider is down', async () => {
  await connect()
  provider.setMode('down')
  const count = receiver.received.length
  const ids = [await ping(), await ping()]
  const { StateReason } = await untilState('unreachable')
  expect(StateReason).toContain('127.0.0.1')
  for (const id of ids) expect(await delivery(id)).toMatchObject({ Status: 'pending', Attempts: [] })
  expect(receiver.received).toHaveLength(count)

  provider.setMode('working')
  await receiver.until(count + 2)
  for (const received of receiver.received.slice(count)) await verify(asRequest(received))
  await untilState('working')
  for (const id of ids)
    expect(
      await waitFor(
        () => delivery(id),
        ({ Status }) => Status === 'delivered',
      ),
    ).toMatchObject({
      Attempts: [{ Number: 1 }],
    })
})

test('paused deliveries of a file are sent in order, before later events', async () => {
  await connect()
  const project = await server.call('POST', '/projects', { body: { Name: 'Paused' } })
  provider.setMode('down')
  const files = `/projects/${project.body.Id}/files`
  const file = (await server.call('POST', files, { body: { FileName: 'a.mp4' } })).body.Id
  const retitle = (title: string) =>
    server.call('PUT', `${files}/${file}/metadata`, { body: { Title: title } })
  const count = receiver.received.length
  for (const title of ['first', 'second', 'third']) await retitle(title)
  await untilState('unreachable')
  provider.setMode('working')
  await receiver.until(count + 1)
  await retitle('fourth')
  await receiver.until(count + 5)
  const events = receiver.received.slice(count)
  expect(events.map(({ fileId }) => fileId)).toEqual(Array(5).fill(file))
  const sequences = events.map(({ body }) => (JSON.parse(body) as [{ Sequence: number }])[0].Sequence)
  expect(sequences).toEqual([1, 2, 3, 4, 5])
})

test('an identity provider that hangs delays only its own account', async () => {
  await connect()
  provider.setMode('hanging')
  const tokenRequests = provider.tokenRequests()
  const count = receiver.received.length
  for (let index = 0; index < 20; index += 1) await ping()
  await waitFor(
    async () => provider.tokenRequests(),
    (now) => now > tokenRequests,
  )
  const stranger = { apiKey: await server.newKey({ inNewAccount: true }) }
  const others = await startReceiver()
  const { body } = await server.call('POST', '/modules/notifications', {
    body: { TargetURL: others.url, EventTypes: ['webhook.ping'] },
    ...stranger,
  })
  await server.call('POST', `/modules/notifications/${body.Id}/test`, stranger)
  await others.until(1)
  expect(others.received[0]?.headers['webhook-identity']).toBeUndefined()
  await others.close()
  expect(receiver.received).toHaveLength(count)
  expect(provider.tokenRequests()).toBe(tokenRequests + 1)

  provider.setMode('working')
  await receiver.until(count + 20)
  for (const received of receiver.received.slice(count)) await verify(asRequest(received))
})

test('a refused token request breaks the connection with a reason, and a successful test resumes deliveries', async () => {
  await connect()
  provider.setClient({ ...rightClient, client_secret: 'changed at the provider' })
  const count = receiver.received.length
  const id = await ping()
  const { StateReason, StateErrorReason, StateErrorParams } = await untilState('broken')
  expect(StateReason).toContain('invalid_client')
  expect(StateReason).not.toContain(testClient.secret)
  expect(StateErrorReason).toBe('provider_refused_token')
  expect(StateErrorParams).toEqual({
    url: `${provider.issuer}/token`,
    words: expect.stringContaining('invalid_client'),
  })
  expect(await delivery(id)).toMatchObject({ Status: 'pending', Attempts: [] })
  const { body: health } = await server.call('GET', `/modules/notifications/${webhook.Id}/health`)
  expect(health).toMatchObject({ Status: 'held', HeldReason: StateReason, WaitingCount: 1 })
  const { body: audit } = await server.call('GET', '/audit?action=partner.broken')
  expect(audit.AuditEntries[0]).toMatchObject({ User: null, Address: '', Subject: 'IdentityProvider' })

  provider.setClient(rightClient)
  expect((await server.call('POST', `${connectionPath}/test`)).body.IsWorking).toBe(true)
  await receiver.until(count + 1)
  await verify(asRequest(receiver.received[count] as Received))
})

test("paused deliveries carry only the webhook's signature after the provider is disconnected", async () => {
  await connect()
  provider.setMode('down')
  const count = receiver.received.length
  await ping()
  await untilState('unreachable')
  await server.call('DELETE', connectionPath)
  await receiver.until(count + 1)
  expect(receiver.received[count]?.headers['webhook-identity']).toBeUndefined()
})

test('verification survives a planned key rotation and rejects the old key after an emergency rotation', async () => {
  await connect()
  const rotate = (body: object) => server.call('POST', '/modules/partners/signingkeys/rotate', { body })
  const kidOf = ({ headers }: Received) =>
    JSON.parse(Buffer.from(String(headers['webhook-identity']).split('.')[0] ?? '', 'base64url').toString())
      .kid
  const before = await pingAndReceive()
  expect((await rotate({})).status).toBe(200)
  const during = await pingAndReceive()
  expect(kidOf(during)).toBe(kidOf(before))
  await verify(asRequest(during))

  const { body } = await rotate({ IsCompromised: true })
  const after = await waitFor(pingAndReceive, (one) => kidOf(one) !== kidOf(before))
  expect(kidOf(after)).toBe(body.SigningKeys[0].Kid)
  await waitFor(
    async () => (await request(`${server.url}/.well-known/jwks.json`, 'GET')).body.keys,
    (keys) => keys.length === 1,
  )
  verify = newVerifier()
  await verify(asRequest(after))
  await expect(verify(asRequest(before))).rejects.toThrow('no applicable key')
})

test('a connection test replaces the access token when the provider has rotated its key', async () => {
  await connect()
  const before = await pingAndReceive()
  provider.rotateKeys()
  verify = newVerifier()
  await expect(verify(asRequest(before))).rejects.toThrow('no applicable key')
  await server.call('POST', `${connectionPath}/test`)
  await verify(asRequest(await pingAndReceive()))
})
