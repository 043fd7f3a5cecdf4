import { hash, type KeyObject } from 'node:crypto'
import { signJwt } from '../provider/sign-jwt.ts'

export interface ProvableRequest {
  /** Target URL including the query. */
  readonly url: string
  readonly body: Buffer
  readonly id: string
  readonly now: Date
}

export interface RequestSigner {
  readonly issuer: string
  readonly kid: string
  readonly privateKey: KeyObject
}

const validSeconds = 300

/**
 * Returns the value of `Webhook-Identity`: a JWT, valid for five minutes, that binds the sender, URL with
 * query, body and access token.
 */
export const proveRequest = (
  { url, body, id, now }: ProvableRequest,
  accessTokenSha256: string,
  { issuer, kid, privateKey }: RequestSigner,
): string => {
  const issuedAt = Math.floor(now.getTime() / 1_000)
  return signJwt(
    { alg: 'ES256', typ: 'webhook+jwt', kid },
    {
      iss: issuer,
      aud: new URL(url).origin,
      jti: id,
      iat: issuedAt,
      exp: issuedAt + validSeconds,
      htm: 'POST',
      htu: url,
      bh: hash('sha256', body, 'base64url'),
      ath: accessTokenSha256,
    },
    privateKey,
  )
}
