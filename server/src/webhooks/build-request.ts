import { sign } from '@zoetrope/webhook-signature'
import { renderEvent, type StoredEvent } from '../kernel/events/domain-event.ts'
import type { Secrets } from '../kernel/secrets.ts'
import type { DeliverableWebhook } from './due-delivery.ts'

export interface WebhookRequest {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** The query that the contract fixes, behind the one that the target has; ids are left out where there are none. */
const withEventQuery = (targetUrl: string, event: StoredEvent): string => {
  const url = new URL(targetUrl)
  const added = [
    ...(event.projectId === null ? [] : [`ProjectId=${event.projectId}`]),
    ...(event.fileId === null ? [] : [`FileId=${event.fileId}`]),
    `event=${encodeURIComponent(event.name)}`,
  ].join('&')
  return `${url.origin}${url.pathname}${url.search === '' ? '?' : `${url.search}&`}${added}`
}

/** While a secret is rotated both sign, so that receivers may change over at any moment. */
const secretsInForce = (webhook: DeliverableWebhook, secrets: Secrets, now: Date): string[] => {
  const { sealedSecret, previousSealedSecret, previousSecretUntil } = webhook
  const sealed = [sealedSecret]
  if (previousSealedSecret !== null && previousSecretUntil !== null && previousSecretUntil > now)
    sealed.push(previousSealedSecret)
  return sealed.map((one) => secrets.open(one).toString('utf8'))
}

/** One attempt, signed by the Standard Webhooks convention; the id is the same over all attempts. */
export const buildRequest = (
  webhook: DeliverableWebhook,
  event: StoredEvent,
  secrets: Secrets,
  now: Date,
): WebhookRequest => {
  const body = Buffer.from(`[${renderEvent(event)}]`)
  const id = `evt_${event.id}_${webhook.id}`
  const timestampSeconds = Math.floor(now.getTime() / 1000)
  return {
    url: withEventQuery(webhook.targetUrl, event),
    body,
    headers: {
      ...webhook.customHeaders,
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Zoetrope-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': sign({
        id,
        timestampSeconds,
        body,
        secrets: secretsInForce(webhook, secrets, now),
      }),
    },
  }
}
