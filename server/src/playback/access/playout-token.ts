import { timingSafeEqual } from 'node:crypto'
import { hmacSha256, type Secrets } from '../../platform/base/secrets.ts'

/**
 * Scope of a token. `preview`: also unpublished media, for API users and the console. `viewer`: published
 * media of projects that require signed links.
 */
export type PlayoutGrant = 'preview' | 'viewer'

/**
 * Tokens `k<kid>.<expiry, unix seconds in base 36>.<base64url HMAC-SHA256>` for one playout. A token stands
 * in the path before `/v/`, so that relative URIs carry it into every playlist, segment and picture without
 * rewriting.
 */
export interface PlayoutTokens {
  readonly issuePreview: (playoutId: string, expiresAt: Date) => string
  readonly issueViewer: (playoutId: string, expiresAt: Date) => string
  /** Returns null for an invalid or expired token, or one of another playout. */
  readonly check: (token: string, playoutId: string) => PlayoutGrant | null
  /** Expiry of a token that `check` accepted. */
  readonly expiryOf: (token: string) => Date
}

const keyIds = { preview: 'kp1', viewer: 'kv1' } as const

const expiryInstant = (expiry: string): Date => new Date(Number.parseInt(expiry, 36) * 1000)

export const createPlayoutTokens = (secrets: Secrets): PlayoutTokens => {
  const keys = {
    preview: secrets.derive('playout preview token'),
    viewer: secrets.derive('playout viewer token'),
  }
  const sign = (grant: PlayoutGrant, expiry: string, playoutId: string): Buffer =>
    hmacSha256(keys[grant], `${keyIds[grant]}.${expiry}.${playoutId}`)
  const issue =
    (grant: PlayoutGrant) =>
    (playoutId: string, expiresAt: Date): string => {
      const expiry = Math.floor(expiresAt.getTime() / 1000).toString(36)
      return `${keyIds[grant]}.${expiry}.${sign(grant, expiry, playoutId).toString('base64url')}`
    }
  return {
    issuePreview: issue('preview'),
    issueViewer: issue('viewer'),
    check: (token, playoutId) => {
      const [keyId, expiry = '', signature = ''] = token.split('.', 4)
      const grant = (['preview', 'viewer'] as const).find((one) => keyIds[one] === keyId)
      if (grant === undefined || token.split('.').length !== 3 || !/^[0-9a-z]{1,9}$/.test(expiry)) return null
      // Compares texts, because base64url can encode the same bytes in several ways and a token has only one
      // form.
      const sent = Buffer.from(signature)
      const expected = Buffer.from(sign(grant, expiry, playoutId).toString('base64url'))
      if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null
      return expiryInstant(expiry).getTime() > Date.now() ? grant : null
    },
    expiryOf: (token) => expiryInstant(token.split('.', 2)[1] ?? ''),
  }
}
