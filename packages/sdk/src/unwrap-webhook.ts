import { WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './webhook-event.ts'

export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Parses a webhook request after it has verified the signature (Standard Webhooks) and the age, at most five
 * minutes. `rawBody` is the body as received: parsed and serialized again, it has another signature. Delivery
 * is at least once, so skip each `EventId` that you have processed. Throws WebhookVerificationError, or
 * TypeError for a missing or invalid secret. Requires Node.js, because secrets do not belong in a browser.
 */
export const unwrapWebhook = async (
  rawBody: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string | readonly string[],
): Promise<WebhookEvent[]> => {
  const secrets = typeof secret === 'string' ? [secret] : secret
  // JavaScript callers may pass an unset environment variable.
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
