import { buildRequest as buildSignedRequest, type WebhookRequest } from '@zoetrope/webhook-signature'
import { renderEvent, type StoredEvent } from '../kernel/events/domain-event.ts'
import type { Secrets } from '../kernel/secrets.ts'
import type { RequestProof } from '../partners/delivery-identity.ts'
import type { DeliverableWebhook } from './due-delivery.ts'

/** While a secret is rotated both sign, so that receivers may change over at any moment. */
export const secretsInForce = (webhook: DeliverableWebhook, secrets: Secrets, now: Date): string[] => {
  const { sealedSecret, previousSealedSecret, previousSecretUntil } = webhook
  const sealed = [sealedSecret]
  if (previousSealedSecret !== null && previousSecretUntil !== null && previousSecretUntil > now)
    sealed.push(previousSealedSecret)
  return sealed.map((one) => openOnce(secrets, one))
}

/** Settings are read anew twice a second, and signed by thousands of times. */
const opened = new WeakMap<Buffer, string>()

const openOnce = (secrets: Secrets, sealed: Buffer): string => {
  const known = opened.get(sealed) ?? secrets.open(sealed).toString('utf8')
  opened.set(sealed, known)
  return known
}

/** One attempt, signed by the Standard Webhooks convention; the id is the same over all attempts. */
export const buildRequest = (
  webhook: DeliverableWebhook,
  event: StoredEvent,
  secrets: Secrets,
  now: Date,
): WebhookRequest =>
  buildSignedRequest({
    targetUrl: webhook.targetUrl,
    query: { ProjectId: event.projectId, FileId: event.fileId, event: event.name },
    id: `evt_${event.id}_${webhook.id}`,
    body: Buffer.from(`[${renderEvent(event)}]`),
    secrets: secretsInForce(webhook, secrets, now),
    customHeaders: webhook.customHeaders,
    now,
  })

/** The same with the proof of the identity provider, which takes the place of a header `Authorization` that the owner chose. */
export const withProof = (request: WebhookRequest, proof: RequestProof, now: Date): WebhookRequest => {
  const { url, headers, body } = request
  const id = headers['webhook-id'] ?? ''
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization')
  return { ...request, headers: { ...Object.fromEntries(others), ...proof.headers({ url, body, id, now }) } }
}
