import type { FastifyRequest } from 'fastify'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { invalidField } from '../../../platform/base/problem.ts'
import { bringAllForward } from '../store/bring-forward.ts'
import { cancelUnfinished } from '../store/cancel-unfinished.ts'
import { clearFailures } from '../health/health-store.ts'
import { recordWebhookAct } from '../store/record-webhook-act.ts'
import type { WebhookRow } from '../store/webhook-record.ts'
import { scopeOf } from '../store/webhook-request.ts'
import { changeWebhook, lockWebhook, type WebhookChange } from '../store/webhook-store.ts'

export interface WebhookUpdate {
  readonly webhookId: number
  readonly change: WebhookChange
  /** Part of the change that depends on the present row. */
  readonly lateChange: (before: WebhookRow) => WebhookChange
  /** Cancel waiting deliveries if the webhook is disabled before or after the change. */
  readonly isDiscarding: boolean
  readonly check: (tx: Tx, before: WebhookRow) => Promise<void>
}

/**
 * Changes a webhook. Waiting deliveries are kept while it is disabled; enabling it sends them at once, in
 * order. Throws 'invalid' when `isDiscarding` is set for a webhook that stays enabled.
 */
export const updateWebhook = async (
  database: Database,
  request: FastifyRequest,
  { webhookId, change, lateChange, isDiscarding, check }: WebhookUpdate,
): Promise<WebhookRow> => {
  const lockAndCheck = async (tx: Tx): Promise<WebhookRow> => {
    const before = await lockWebhook(tx, scopeOf(request), webhookId)
    await check(tx, before)
    return before
  }
  if (isDiscarding || change.is_enabled === true) {
    const found = await database.transaction(lockAndCheck)
    if (isDiscarding && found.is_enabled && change.is_enabled !== false)
      throw invalidField('discard', 'discard_not_applicable')
    // Runs before the webhook is enabled. Afterwards, new deliveries mix with the old ones, and a repeated request
    // would not complete what an interrupted one has begun.
    if (!found.is_enabled) await (isDiscarding ? cancelUnfinished : bringAllForward)(database, webhookId)
  }
  const after = await database.transaction(async (tx) => {
    const locked = await lockAndCheck(tx)
    const changed = await changeWebhook(tx, locked, { ...change, ...lateChange(locked) })
    if (change.is_enabled === true || changed.target_url !== locked.target_url)
      await clearFailures(tx, webhookId)
    await recordWebhookAct(tx, request, 'webhook.updated', locked, changed)
    return changed
  })
  if (isDiscarding && !after.is_enabled) await cancelUnfinished(database, webhookId)
  return after
}
