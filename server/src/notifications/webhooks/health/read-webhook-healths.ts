import { findConnection } from '../../../accounts/partners/store/connection-store.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import type { WebhookRow } from '../store/webhook-record.ts'
import { neverTried } from './endpoint-health.ts'
import { webhookHealthRecord } from './health-record.ts'
import { readBacklogs, readHealth } from './health-store.ts'
import { readAttempts } from './hour-store.ts'
import { firstShownHour } from './hours-record.ts'

type WebhookHealth = ReturnType<typeof webhookHealthRecord>

/** Returns the health of webhooks of one account, by id. */
export const readWebhookHealths = async (
  queryable: Queryable,
  accountId: number,
  webhooks: readonly WebhookRow[],
): Promise<Map<number, WebhookHealth>> => {
  if (webhooks.length === 0) return new Map()
  const ids = webhooks.map(({ id }) => id)
  const now = new Date()
  const [healths, backlogs, attempts, connection] = await Promise.all([
    readHealth(queryable, ids),
    readBacklogs(queryable, ids),
    readAttempts(queryable, ids, firstShownHour(now)),
    findConnection(queryable, accountId),
  ])
  return new Map(
    webhooks.map((webhook) => {
      const known = {
        health: healths.get(webhook.id) ?? neverTried,
        backlog: backlogs.get(webhook.id) ?? { count: 0, oldestAt: null },
        attempts: attempts.get(webhook.id) ?? [],
        connection,
      }
      return [webhook.id, webhookHealthRecord(webhook, known, now)]
    }),
  )
}
