import { sign, type KeyObject } from 'node:crypto'

export interface JwtHeader {
  readonly alg: 'ES256' | 'RS256'
  readonly typ: string
  readonly kid?: string
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs a JWT (RFC 7515, section 7.1). Uses node:crypto for speed, because every delivery waits for it. */
export const signJwt = (header: JwtHeader, claims: object, key: KeyObject): string => {
  const signed = `${encode(header)}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
