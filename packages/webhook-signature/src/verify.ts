import { timingSafeEqual } from 'node:crypto'
import { keysOf } from './secret.ts'
import { isSignableId, signature } from './sign.ts'
import { WebhookSignatureError } from './webhook-signature-error.ts'

/** As fetch or node:http have them; names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyInput {
  headers: WebhookHeaders
  /** The body as received: parsed and written again it is another one. */
  body: string | Uint8Array
  /** One match with one of them is enough. */
  secrets: readonly string[]
  /** How far the sender's clock may be off, either way. Default 300. */
  toleranceSeconds?: number
  /** Default: the clock. */
  nowSeconds?: number
}

export interface VerifiedWebhook {
  /** Remember it for as long as the sender may try again, and drop repeats: delivery is at least once. */
  id: string
  timestampSeconds: number
}

/** Throws WebhookSignatureError unless one of the secrets signed just this id, time and body; TypeError on unusable secrets. */
export function verify(input: VerifyInput): VerifiedWebhook {
  const { headers, body, secrets, toleranceSeconds = 300, nowSeconds = Date.now() / 1000 } = input
  const keys = keysOf(secrets)
  const id = requireHeader(headers, 'webhook-id')
  const timestamp = requireHeader(headers, 'webhook-timestamp')
  const signatures = requireHeader(headers, 'webhook-signature').split(' ')
  if (!/^[0-9]{1,15}$/.test(timestamp))
    throw new WebhookSignatureError('missing_header', 'webhook-timestamp is no whole number of seconds')

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

/** Takes as long for a wrong first character as for a wrong last one. */
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
