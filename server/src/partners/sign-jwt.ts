import { sign, type KeyObject } from 'node:crypto'

export interface JwtHeader {
  readonly alg: 'ES256' | 'RS256'
  readonly typ: string
  readonly kid?: string
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** RFC 7515 7.1. With node:crypto: deliveries wait for it. */
export const signJwt = (header: JwtHeader, claims: object, key: KeyObject): string => {
  const signed = `${encode(header)}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
