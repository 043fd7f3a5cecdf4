import { createHash } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('base64url')

/** Returns a function that throws unless a request comes from your Zoetrope and is unchanged. */
export const createVerifier = (trusted: {
  zoetropeUrl: string
  issuer: string
  keySetUri: string
  audience: string
  clientId: string
}) => {
  const zoetropeKeys = createRemoteJWKSet(new URL(`${trusted.zoetropeUrl}/.well-known/jwks.json`))
  const providerKeys = createRemoteJWKSet(new URL(trusted.keySetUri))

  return async (
    request: {
      /** Public URL of the receiver with path and query, as requested. */
      url: string
      headers: Record<string, string | string[] | undefined>
      /** The bytes as received. */
      body: string | Buffer
    },
    currentDate = new Date(),
  ): Promise<void> => {
    const token = String(request.headers['authorization']).replace(/^Bearer /, '')
    const access = await jwtVerify(token, providerKeys, {
      issuer: trusted.issuer,
      audience: trusted.audience,
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
    })
    // Cognito and oidc-provider name the client in client_id, Keycloak and Auth0 in azp, Entra in appid or azp.
    const client = access.payload['client_id'] ?? access.payload['azp'] ?? access.payload['appid']
    if (client !== trusted.clientId) throw new Error('the token belongs to another client')

    const { payload } = await jwtVerify(String(request.headers['webhook-identity']), zoetropeKeys, {
      issuer: trusted.zoetropeUrl,
      audience: new URL(request.url).origin,
      algorithms: ['ES256'],
      typ: 'webhook+jwt',
      maxTokenAge: 300,
      currentDate,
    })
    const expected = {
      jti: request.headers['webhook-id'],
      htm: 'POST',
      htu: request.url,
      bh: sha256(request.body),
      ath: sha256(token),
    }
    for (const [name, value] of Object.entries(expected))
      if (payload[name] !== value) throw new Error(`${name} does not match the request`)
  }
}
