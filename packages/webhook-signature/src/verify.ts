import { timingSafeEqual } from 'node:crypto'
import { keysOf } from './secret.ts'
import { isSignableId, signature } from './sign.ts'
import { WebhookSignatureError } from './webhook-signature-error.ts'

/** Headers of fetch or node:http; names are case-insensitive. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyInput {
  headers: WebhookHeaders
  /** The raw body as received. A body that is parsed and serialized again has other bytes. */
  body: string | Uint8Array
  /** The signature must match one of them. */
  secrets: readonly string[]
  /** Accepted clock difference in either direction. Defaults to 300. */
  toleranceSeconds?: number
  /** Defaults to the system clock. */
  nowSeconds?: number
}

export interface VerifiedWebhook {
  /** Store it while the sender may retry and drop duplicates: delivery is at least once. */
  id: string
  timestampSeconds: number
}

/**
 * Verifies that one of the secrets signed this id, time and body. Throws WebhookSignatureError otherwise, and
 * TypeError on unusable secrets.
 */
export function verify(input: VerifyInput): VerifiedWebhook {
  const { headers, body, secrets, toleranceSeconds = 300, nowSeconds = Date.now() / 1000 } = input
  const keys = keysOf(secrets)
  const id = requireHeader(headers, 'webhook-id')
  const timestamp = requireHeader(headers, 'webhook-timestamp')
  const signatures = requireHeader(headers, 'webhook-signature').split(' ')
  if (!/^[0-9]{1,15}$/.test(timestamp))
    throw new WebhookSignatureError('malformed_header', 'webhook-timestamp is not a whole number of seconds')

  const timestampSeconds = Number(timestamp)
  const ageSeconds = Math.floor(nowSeconds) - timestampSeconds
  if (ageSeconds > toleranceSeconds)
    throw new WebhookSignatureError('too_old', `the webhook was signed ${ageSeconds} s ago`)
  if (-ageSeconds > toleranceSeconds)
    throw new WebhookSignatureError('too_new', `the webhook was signed ${-ageSeconds} s in the future`)

  const isSigned =
    isSignableId(id) &&
    keys.some((key) => {
      const expected = signature(key, id, timestamp, body)
      return signatures.some((candidate) => isEqual(candidate, expected))
    })
  if (!isSigned)
    throw new WebhookSignatureError('no_match', 'no signature matches the id, the time and the body')
  return { id, timestampSeconds }
}

/** Compares in constant time. */
function isEqual(candidate: string, expected: string): boolean {
  const a = Buffer.from(candidate)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = headerValue(headers, name)
  if (!value) throw new WebhookSignatureError('missing_header', `the header ${name} is missing`)
  return value
}

function headerValue(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.join(' ')
}
