import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from '../../platform/base/secrets.ts'
import type { LinkKey, LinkKeys } from './link-keys.ts'

/**
 * Scope of a token. `preview`: also unpublished media, for API users and the console. `viewer`: published
 * media of projects that require signed links.
 */
export type PlayoutGrant = 'preview' | 'viewer'

/** A token that `check` accepted. */
export interface GrantedToken {
  readonly kind: PlayoutGrant
  readonly expiresAt: Date
  /** Identifies the token for its revocation; empty for preview tokens and those of earlier versions. */
  readonly tokenId: string
}

/**
 * Tokens `k<p or v><key>.<expiry, unix seconds in base 36>.<id><base64url HMAC-SHA256>` for one playout. A
 * token stands in the path before `/v/`, so that relative URIs carry it into every playlist, segment and
 * picture without rewriting. Deployed players accept three parts, so the id stands before the signature.
 */
export interface PlayoutTokens {
  readonly issuePreview: (playoutId: string, expiresAt: Date) => string
  /** The tokens of a playlist's elements have the id of its token. */
  readonly issueViewer: (playoutId: string, expiresAt: Date, tokenId?: string) => string
  /** Returns null for an invalid, expired or revoked token, or one of another playout. */
  readonly check: (token: string, playoutId: string) => GrantedToken | null
  /** Whether the token was valid for the playout and has expired since. */
  readonly hasExpired: (token: string, playoutId: string) => boolean
  /** Cheap check of a token that `check` has accepted before. */
  readonly isStillValid: (token: string) => boolean
  readonly newTokenId: (playoutId: string) => string
  /** Whether `newTokenId` returned this id for the playout. */
  readonly isTokenIdOf: (tokenId: string, playoutId: string) => boolean
  /**
   * Proves that the stream of a playlist had this layout for the token; the fingerprint is the same for all
   * viewers. Returns null for a token whose key or id is no longer valid.
   */
  readonly layoutProof: (token: string, fingerprint: string) => string | null
  readonly isLayoutProof: (proof: string, token: string, fingerprint: string) => boolean
}

const nonceBytes = 6
const proofBytes = 6
const layoutProofBytes = 16
/** Length of an id in base64url. */
const idLength = 16
const signatureLength = 43
const letters = { preview: 'p', viewer: 'v' } as const
const grants = new Map<string, PlayoutGrant>([
  ['p', 'preview'],
  ['v', 'viewer'],
])

interface TokenParts {
  readonly grant: PlayoutGrant
  readonly keyId: number
  readonly expiry: string
  readonly tokenId: string
  readonly signature: string
}

const parse = (token: string): TokenParts | null => {
  const found = /^k([pv])([1-9][0-9]{0,6})\.([0-9a-z]{1,9})\.([A-Za-z0-9_-]+)$/.exec(token)
  if (found === null) return null
  const [, letter = '', keyId = '', expiry = '', rest = ''] = found
  const grant = grants.get(letter)
  const length = rest.length - signatureLength
  if (grant === undefined || (length !== 0 && length !== idLength)) return null
  return {
    grant,
    keyId: Number(keyId),
    expiry,
    tokenId: rest.slice(0, length),
    signature: rest.slice(length),
  }
}

const expiryInstant = (expiry: string): Date => new Date(Number.parseInt(expiry, 36) * 1000)

/** Compares texts, because base64url can encode the same bytes in several ways and a token has only one form. */
const isSame = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const signatureOf = (
  key: LinkKey,
  { grant, expiry, tokenId }: Pick<TokenParts, 'grant' | 'expiry' | 'tokenId'>,
  playoutId: string,
): string => {
  const name = `k${letters[grant]}${key.id}`
  const parts = tokenId === '' ? [name, expiry, playoutId] : [name, expiry, tokenId, playoutId]
  return hmacSha256(key[grant], parts.join('.')).toString('base64url')
}

const proofOf = (key: LinkKey, nonce: Buffer, playoutId: string): Buffer =>
  hmacSha256(key.viewer, `id.${nonce.toString('base64url')}.${playoutId}`).subarray(0, proofBytes)

export const createPlayoutTokens = (keys: LinkKeys): PlayoutTokens => {
  const issue = (grant: PlayoutGrant, playoutId: string, expiresAt: Date, tokenId: string): string => {
    const key = keys.current()
    const expiry = Math.floor(expiresAt.getTime() / 1000).toString(36)
    const signature = signatureOf(key, { grant, expiry, tokenId }, playoutId)
    return `k${letters[grant]}${key.id}.${expiry}.${tokenId}${signature}`
  }
  const newTokenId = (playoutId: string): string => {
    const nonce = randomBytes(nonceBytes)
    return Buffer.concat([nonce, proofOf(keys.current(), nonce, playoutId)]).toString('base64url')
  }
  /** Returns null for a token whose key or id is no longer valid. */
  const known = (
    token: string,
  ): (TokenParts & { readonly key: LinkKey; readonly isExpired: boolean }) | null => {
    const parts = parse(token)
    const key = parts === null ? null : keys.find(parts.keyId)
    if (parts === null || key === null || keys.isRevoked(parts.tokenId)) return null
    return { ...parts, key, isExpired: expiryInstant(parts.expiry).getTime() <= Date.now() }
  }
  /** Returns null for a token whose key, expiry or id is no longer valid. */
  const current = (token: string): (TokenParts & { readonly key: LinkKey }) | null => {
    const parts = known(token)
    return parts === null || parts.isExpired ? null : parts
  }
  const layoutProof = (token: string, fingerprint: string): string | null => {
    const parts = known(token)
    if (parts === null) return null
    const proof = hmacSha256(parts.key[parts.grant], `layout.${token}.${fingerprint}`)
    return proof.subarray(0, layoutProofBytes).toString('base64url')
  }
  return {
    issuePreview: (playoutId, expiresAt) => issue('preview', playoutId, expiresAt, ''),
    issueViewer: (playoutId, expiresAt, tokenId = newTokenId(playoutId)) =>
      issue('viewer', playoutId, expiresAt, tokenId),
    check: (token, playoutId) => {
      const parts = current(token)
      if (parts === null || !isSame(parts.signature, signatureOf(parts.key, parts, playoutId))) return null
      return { kind: parts.grant, expiresAt: expiryInstant(parts.expiry), tokenId: parts.tokenId }
    },
    hasExpired: (token, playoutId) => {
      const parts = known(token)
      return parts?.isExpired === true && isSame(parts.signature, signatureOf(parts.key, parts, playoutId))
    },
    isStillValid: (token) => current(token) !== null,
    newTokenId,
    isTokenIdOf: (tokenId, playoutId) => {
      const bytes = Buffer.from(tokenId, 'base64url')
      if (tokenId.length !== idLength || bytes.length !== nonceBytes + proofBytes) return false
      const [nonce, proof] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes)]
      return keys.all().some((key) => timingSafeEqual(proof, proofOf(key, nonce, playoutId)))
    },
    layoutProof,
    isLayoutProof: (proof, token, fingerprint) => {
      const own = layoutProof(token, fingerprint)
      return own !== null && isSame(own, proof)
    },
  }
}
