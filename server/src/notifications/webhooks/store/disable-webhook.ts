import { recordAct, systemOf } from '../../../accounts/audit/record-act.ts'
import { mailAdministrators } from '../../../platform/mail/mail-administrators.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { MailQueue } from '../../../platform/mail/mail-queue.ts'
import { webhookChanges } from './record-webhook-act.ts'
import { changeWebhook } from './webhook-store.ts'

export interface DisableDependencies {
  readonly database: Database
  readonly publicUrl: string
  /** Absent where the engine runs alone. */
  readonly mails?: MailQueue
}

/**
 * Disables a webhook whose endpoint answered 410 or has failed for days. Waiting deliveries are kept until it
 * is enabled again. Returns false when the webhook is already disabled or deleted, or has a new URL that
 * these failures do not concern.
 */
export const disableWebhook = (
  { database, mails, publicUrl }: DisableDependencies,
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
    if (mails !== undefined)
      await mailAdministrators(tx, mails, {
        accountId: before.account_id,
        kind: 'webhook-disabled',
        params: {
          webhook: before.label === '' ? new URL(targetUrl).host : before.label,
          reason,
          at: change.disabled_at.toISOString(),
          link: `${publicUrl}/console/notifications/${webhookId}`,
        },
      })
    return true
  })
