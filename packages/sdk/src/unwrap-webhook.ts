import { WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './webhook-event.ts'

export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Checks that a webhook request is signed with the secret (Standard Webhooks) and not older than five minutes, and parses it. `rawBody` is
 * the body as received: parsed and written again it is another one. Delivery is at least once: drop an `EventId` that you had already.
 * Throws WebhookVerificationError, or TypeError where the secret is missing or unusable. Needs Node.js, because secrets have no place in a
 * browser.
 */
export const unwrapWebhook = async (
  rawBody: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string | readonly string[],
): Promise<WebhookEvent[]> => {
  const secrets = typeof secret === 'string' ? [secret] : secret
  // In JavaScript it may be an environment variable that is not set.
  if (!Array.isArray(secrets) || secrets.length === 0 || secrets.some((one: unknown) => !one))
    throw new TypeError(
      'The webhook secret is missing: pass the Secret that webhooks.create or webhooks.rotateSecret returned.',
    )
  const { verify, WebhookSignatureError } = await import('@zoetrope/webhook-signature')
  try {
    verify({ headers, body: rawBody, secrets })
  } catch (error) {
    if (error instanceof WebhookSignatureError)
      throw new WebhookVerificationError(error.message, { cause: error })
    throw error
  }
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
  return JSON.parse(text) as WebhookEvent[]
}
