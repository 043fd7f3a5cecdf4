import { timingSafeEqual } from 'node:crypto'
import { hmacSha256, type Secrets } from '../kernel/secrets.ts'

/**
 * `k<kid>.<expiry, unix seconds in base 36>.<base64url HMAC-SHA256>`, for one playout. It stands in the path before `/v/`, so that relative URIs
 * carry it into every playlist, segment and picture without rewriting (design.md section 6). A preview token also opens what is not
 * published yet; it is for API users and the console.
 */
export interface PlayoutTokens {
  readonly issuePreview: (playoutId: string, expiresAt: Date) => string
  /** Null for a bad or expired token, or one of another playout. */
  readonly check: (token: string, playoutId: string) => 'preview' | null
  /** Of one that `check` has let pass. */
  readonly expiryOf: (token: string) => Date
}

const previewKeyId = 'kp1'

const expiryInstant = (expiry: string): Date => new Date(Number.parseInt(expiry, 36) * 1000)

export const createPlayoutTokens = (secrets: Secrets): PlayoutTokens => {
  const key = secrets.derive('playout preview token')
  const sign = (expiry: string, playoutId: string): Buffer =>
    hmacSha256(key, `${previewKeyId}.${expiry}.${playoutId}`)
  return {
    issuePreview: (playoutId, expiresAt) => {
      const expiry = Math.floor(expiresAt.getTime() / 1000).toString(36)
      return `${previewKeyId}.${expiry}.${sign(expiry, playoutId).toString('base64url')}`
    },
    check: (token, playoutId) => {
      const [keyId, expiry = '', signature = ''] = token.split('.', 4)
      if (keyId !== previewKeyId || token.split('.').length !== 3 || !/^[0-9a-z]{1,9}$/.test(expiry))
        return null
      const sent = Buffer.from(signature, 'base64url')
      const expected = sign(expiry, playoutId)
      if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null
      return expiryInstant(expiry).getTime() > Date.now() ? 'preview' : null
    },
    expiryOf: (token) => expiryInstant(token.split('.', 2)[1] ?? ''),
  }
}
