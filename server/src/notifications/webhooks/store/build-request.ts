import { buildRequest as buildSignedRequest, type WebhookRequest } from '@zoetrope/webhook-signature'
import { renderEvent, type CausedEvent } from '../../../platform/outbox/domain-event.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'
import type { RequestProof } from '../../../accounts/partners/tokens/delivery-identity.ts'
import { openHeaders } from './custom-headers.ts'
import type { DeliverableWebhook } from './due-delivery.ts'

/**
 * Returns the secrets that sign now. During a rotation both sign, so that receivers can switch at any moment.
 */
export const secretsInForce = (
  webhook: DeliverableWebhook,
  secrets: Sealer<'workers'>,
  now: Date,
): string[] => {
  const { sealedSecret, previousSealedSecret, previousSecretUntil } = webhook
  const sealed = [sealedSecret]
  if (previousSealedSecret !== null && previousSecretUntil !== null && previousSecretUntil > now)
    sealed.push(previousSealedSecret)
  return sealed.map((one) => openOnce(secrets, one))
}

/**
 * Caches decrypted secrets: the engine reads settings twice a second but signs thousands of requests with
 * them.
 */
const opened = new WeakMap<Buffer, string>()

const openOnce = (secrets: Sealer<'workers'>, sealed: Buffer): string => {
  const known = opened.get(sealed) ?? secrets.open(sealed).toString('utf8')
  opened.set(sealed, known)
  return known
}

/**
 * Builds the signed request of one attempt (Standard Webhooks). All attempts of a delivery share one
 * `webhook-id`.
 */
export const buildRequest = (
  webhook: DeliverableWebhook,
  event: CausedEvent,
  secrets: Sealer<'workers'>,
  now: Date,
): WebhookRequest => {
  const request = buildSignedRequest({
    targetUrl: webhook.targetUrl,
    query: { ProjectId: event.projectId, FileId: event.fileId, event: event.name },
    id: `evt_${event.id}_${webhook.id}`,
    body: Buffer.from(`[${renderEvent(event)}]`),
    secrets: secretsInForce(webhook, secrets, now),
    customHeaders: openHeaders(webhook.sealedHeaders, secrets),
    now,
  })
  if (event.requestId !== null) request.headers['zoetrope-request-id'] = event.requestId
  return request
}

/** Adds the identity provider's proof, which replaces an `Authorization` header set by the owner. */
export const withProof = (request: WebhookRequest, proof: RequestProof, now: Date): WebhookRequest => {
  const { url, headers, body } = request
  const id = headers['webhook-id'] ?? ''
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization')
  return { ...request, headers: { ...Object.fromEntries(others), ...proof.headers({ url, body, id, now }) } }
}
