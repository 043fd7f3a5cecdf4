import { createHmac } from 'node:crypto'
import { keysOf } from './secret.ts'

export interface SignInput {
  /**
   * Constant across all delivery attempts of one event. Visible ASCII without '.', which separates the signed
   * parts.
   */
  id: string
  /** Unix time of this attempt; an integer. */
  timestampSeconds: number
  /** The exact bytes that are sent; a string is encoded as UTF-8. */
  body: string | Uint8Array
  /** Holds the new and the old secret while a secret is rotated. */
  secrets: readonly string[]
}

/**
 * Returns the value of the `webhook-signature` header: one signature per secret. Throws TypeError on invalid
 * arguments.
 */
export function sign({ id, timestampSeconds, body, secrets }: SignInput): string {
  if (!isSignableId(id))
    throw new TypeError(`a webhook id must be visible ASCII without '.', not ${JSON.stringify(id)}`)
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0)
    throw new TypeError(`timestampSeconds must be a whole number from 0, not ${timestampSeconds}`)
  return keysOf(secrets)
    .map((key) => signature(key, id, String(timestampSeconds), body))
    .join(' ')
}

/** A '.' in the id would let signed content move from one field to the next. */
export function isSignableId(id: string): boolean {
  return /^[!-~]+$/.test(id) && !id.includes('.')
}

export function signature(key: Buffer, id: string, timestamp: string, body: string | Uint8Array): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`)
  return `v1,${hmac.update(body).digest('base64')}`
}
