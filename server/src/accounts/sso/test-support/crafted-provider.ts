import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { startLoopback } from './people-provider.ts'

export interface Flaw {
  readonly claims?: JWTPayload
  readonly signature?: 'none' | 'of the secret' | 'of another key'
}

export const startCraftedProvider = async (client: { readonly id: string; readonly secret: string }) => {
  const pair = await generateKeyPair('ES256')
  const other = await generateKeyPair('ES256')
  const publicKey = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  let nonce = ''
  let flaw: Flaw = {}
  let isClientRefused = false

  const idToken = async (issuer: string): Promise<string> => {
    const now = Math.floor(Date.now() / 1_000)
    const claims: JWTPayload = {
      iss: issuer,
      aud: client.id,
      sub: 'crafted-1',
      iat: now,
      exp: now + 60,
      nonce,
      email: 'Kim@two.example',
      email_verified: true,
      ...flaw.claims,
    }
    if (flaw.signature === 'none') return new UnsecuredJWT(claims).encode()
    if (flaw.signature === 'of the secret')
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(client.secret))
    const { privateKey } = flaw.signature === 'of another key' ? other : pair
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey)
  }

  const answerFor = async (
    issuer: string,
    path: string,
    body: URLSearchParams,
  ): Promise<[number, object]> => {
    if (path === '/jwks') return [200, { keys: [publicKey] }]
    if (path.startsWith('/.well-known/'))
      return [
        200,
        {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
        },
      ]
    if (body.get('grant_type') === 'client_credentials')
      return [200, { access_token: 'a', token_type: 'Bearer' }]
    if (isClientRefused) return [401, { error: 'invalid_client', error_description: `gone ${client.secret}` }]
    if (body.get('code') !== 'good') return [400, { error: 'invalid_grant' }]
    return [200, { access_token: 'a', token_type: 'Bearer', id_token: await idToken(issuer) }]
  }

  const handle = async (issuer: string, request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const [status, answer] = await answerFor(issuer, request.url ?? '', new URLSearchParams(body))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  const loopback = await startLoopback((issuer) => (request, response) => {
    handle(issuer, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  return {
    ...loopback,
    prepare: (expectedNonce: string, wanted: Flaw): void => {
      nonce = expectedNonce
      flaw = wanted
    },
    refuseClient: (wanted: boolean): void => {
      isClientRefused = wanted
    },
  }
}
