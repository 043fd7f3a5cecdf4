import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readOptions, report } from './child-side.ts'

export interface TokenEndpoint {
  readonly port: number
}

readOptions()

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const accessToken = (issuer: string): string => {
  const signed = `${encode({ alg: 'RS256', kid: 'bench' })}.${encode({ iss: issuer, sub: 'zoetrope', exp: 4_102_444_800 })}`
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}

/** The parts of an OpenID provider that a sender needs. The benchmark requests one token an hour. */
const server = createServer((request, response) => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const documents: Readonly<Record<string, object>> = {
    '/.well-known/openid-configuration': {
      issuer,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    },
    '/keys': { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'RS256' }] },
    '/token': { access_token: accessToken(issuer), token_type: 'Bearer', expires_in: 3600 },
  }
  const document = documents[request.url ?? '']
  request.resume().on('end', () => {
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document ?? {}))
  })
})
server.listen(0, '127.0.0.1', () =>
  report({ port: (server.address() as AddressInfo).port } satisfies TokenEndpoint),
)
