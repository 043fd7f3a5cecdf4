import { once } from 'node:events'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors, Provider } from 'oidc-provider'

export const testClient = { id: 'zoetrope', secret: 'a-client-secret-of-the-tests' }
export const testAudience = 'https://hooks.example.com'

/** down: closes every connection; hanging: answers nothing until the mode changes, then everything. */
type Mode = 'working' | 'down' | 'hanging'

export interface TestIdentityProvider {
  readonly issuer: string
  readonly tokenRequests: () => number
  readonly hangingRequests: () => number
  readonly setMode: (mode: Mode) => void
  readonly setClient: (client: object) => void
  readonly rotateKeys: () => void
  readonly close: () => Promise<void>
}

const newKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: crypto.randomUUID(),
  alg: 'ES256',
  use: 'sig',
})

/** Tokens are JWTs and the client is in the configuration, so nothing is stored. */
const nothing = async (): Promise<undefined> => undefined
const noStore = { find: nothing, upsert: nothing, consume: nothing, destroy: nothing }

const buildProvider = (issuer: string, client: object, key: object) =>
  new Provider(issuer, {
    clients: [
      {
        client_id: testClient.id,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
        ...client,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['not used'] },
    adapter: () => noStore,
    ttl: { ClientCredentials: 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, resource: string) => {
          if (resource !== testAudience) throw new errors.InvalidTarget()
          return {
            scope: 'webhooks/send',
            audience: testAudience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: 600,
            jwt: { sign: { alg: 'ES256' } },
          }
        },
      },
    },
    scopes: ['webhooks/send'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  }).callback()

export const startIdentityProvider = async (): Promise<TestIdentityProvider> => {
  let mode: Mode = 'working'
  let client: object = {
    client_secret: testClient.secret,
    token_endpoint_auth_method: 'client_secret_basic',
  }
  let key = newKey()
  let tokenRequests = 0
  let waiting: [IncomingMessage, ServerResponse][] = []
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/token') === true) tokenRequests += 1
    if (mode === 'down') request.destroy()
    else if (mode === 'hanging') waiting.push([request, response])
    else handle(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let handle = buildProvider(issuer, client, key)
  const rebuild = (): void => {
    handle = buildProvider(issuer, client, key)
  }
  return {
    issuer,
    tokenRequests: () => tokenRequests,
    hangingRequests: () => waiting.length,
    setMode: (wanted) => {
      mode = wanted
      if (mode !== 'hanging') for (const one of waiting.splice(0)) handle(...one)
    },
    setClient: (wanted) => {
      client = wanted
      rebuild()
    },
    rotateKeys: () => {
      key = newKey()
      rebuild()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
