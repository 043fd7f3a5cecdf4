import { createHmac } from 'node:crypto'
import { keysOf } from './secret.ts'

export interface SignInput {
  /** The same over all attempts to deliver one event. Visible ASCII without '.', which separates the signed parts. */
  id: string
  /** Of this attempt; whole, since 1970. */
  timestampSeconds: number
  /** Exactly the bytes that are sent; a string is taken as UTF-8. */
  body: string | Uint8Array
  /** While a secret is rotated: the new one and the old. */
  secrets: readonly string[]
}

/** The value of the header `webhook-signature`: one signature per secret. Throws TypeError on unusable arguments. */
export function sign({ id, timestampSeconds, body, secrets }: SignInput): string {
  if (!isSignableId(id))
    throw new TypeError(`a webhook id is visible ASCII without '.', not ${JSON.stringify(id)}`)
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0)
    throw new TypeError(`timestampSeconds must be a whole number from 0, not ${timestampSeconds}`)
  return keysOf(secrets)
    .map((key) => signature(key, id, String(timestampSeconds), body))
    .join(' ')
}

/** A '.' in the id would let parts of the signed content move from one field to the next. */
export function isSignableId(id: string): boolean {
  return /^[!-~]+$/.test(id) && !id.includes('.')
}

export function signature(key: Buffer, id: string, timestamp: string, body: string | Uint8Array): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`)
  return `v1,${hmac.update(body).digest('base64')}`
}
