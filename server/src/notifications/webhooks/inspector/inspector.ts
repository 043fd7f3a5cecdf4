import { verify, type WebhookRequest } from '@zoetrope/webhook-signature'
import type { Database } from '../../../platform/db/database.ts'
import type { CausedEvent } from '../../../platform/outbox/domain-event.ts'
import type { OutboundAnswer } from '../../../platform/outbound/await-answer.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'
import { maskHeaders } from '../store/custom-headers.ts'
import { buildRequest, secretsInForce } from '../store/build-request.ts'
import type { DeliverableWebhook } from '../store/due-delivery.ts'
import { keepInspectedRequest } from './inspected-requests.ts'

/**
 * TargetURL of webhooks whose requests are shown in the console. It is not an address: nothing is sent, so it
 * cannot bypass the outbound guard.
 */
export const inspectorTarget = 'zoetrope:inspector'

/** Receives the request of an event: checks its signature, stores it and answers 200. */
export type Inspect = (webhook: DeliverableWebhook, event: CausedEvent, now: Date) => Promise<OutboundAnswer>

const isGenuine = ({ headers, body }: WebhookRequest, secrets: readonly string[], now: Date): boolean => {
  try {
    verify({ headers, body, secrets, nowSeconds: now.getTime() / 1_000 })
    return true
  } catch {
    return false
  }
}

export const createInspector = ({
  database,
  secrets,
  publicUrl,
}: {
  readonly database: Database
  readonly secrets: Sealer<'workers'>
  readonly publicUrl: string
}): Inspect => {
  const targetUrl = `${publicUrl}/inspector`
  return async (webhook, event, now) => {
    const request = buildRequest({ ...webhook, targetUrl }, event, secrets, now)
    const { pathname, search } = new URL(request.url)
    await keepInspectedRequest(database, {
      account_id: webhook.accountId,
      webhook_id: webhook.id,
      project_id: event.projectId,
      path: pathname + search,
      headers: JSON.stringify({ ...request.headers, ...maskHeaders(webhook.sealedHeaders) }),
      body: request.body.toString('utf8'),
      is_genuine: isGenuine(request, secretsInForce(webhook, secrets, now), now),
    })
    return { status: 200, headers: {}, bodyExcerpt: 'The inspector of Zoetrope has it.' }
  }
}
