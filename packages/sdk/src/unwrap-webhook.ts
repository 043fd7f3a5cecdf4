import { WebhookVerificationError } from './errors.ts'
import type { MediaFile, Project } from './operation-types.ts'

/** One thing that happened; `File`, `Project`, `Playlist`, `Live` or `Webhook` holds the record at that moment. */
export interface WebhookEvent {
  readonly Event: string
  readonly EventId: number
  readonly OccurredAt: string
  readonly Sequence: number
  readonly ProjectId: number | null
  readonly File?: MediaFile
  readonly Project?: Project
  readonly Playlist?: Readonly<Record<string, unknown>>
  readonly Live?: Readonly<Record<string, unknown>>
  readonly Webhook?: Readonly<Record<string, unknown>>
}

export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Checks that a webhook request is signed with the secret (Standard Webhooks) and not older than five minutes, and parses it. `rawBody` is
 * the body as received: parsed and written again it is another one. Delivery is at least once: drop an `EventId` that you had already.
 * Throws WebhookVerificationError. Needs Node.js, because secrets have no place in a browser.
 */
export const unwrapWebhook = async (
  rawBody: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string | readonly string[],
): Promise<WebhookEvent[]> => {
  const { verify, WebhookSignatureError } = await import('@zoetrope/webhook-signature')
  try {
    verify({ headers, body: rawBody, secrets: typeof secret === 'string' ? [secret] : secret })
  } catch (error) {
    if (error instanceof WebhookSignatureError)
      throw new WebhookVerificationError(error.message, { cause: error })
    throw error
  }
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
  return JSON.parse(text) as WebhookEvent[]
}
