import { recordAct, systemOf } from '../../../accounts/audit/record-act.ts'
import type { Database } from '../../../platform/db/database.ts'
import { webhookChanges } from './record-webhook-act.ts'
import { changeWebhook } from './webhook-store.ts'

/**
 * Disables a webhook whose endpoint answered 410 or has failed for days. Waiting deliveries are kept until it
 * is enabled again. Returns false when the webhook is already disabled or deleted, or has a new URL that
 * these failures do not concern.
 */
export const disableWebhook = (
  database: Database,
  { webhookId, targetUrl, reason }: { webhookId: number; targetUrl: string; reason: string },
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const before = await tx
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', webhookId)
      .where('target_url', '=', targetUrl)
      .where('is_enabled', '=', true)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (before === undefined) return false
    const change = { is_enabled: false, disabled_reason: reason, disabled_at: new Date() }
    const after = await changeWebhook(tx, before, change)
    await recordAct(tx, systemOf(before.account_id), {
      action: 'webhook.disabled',
      ...webhookChanges(before, after),
    })
    return true
  })
