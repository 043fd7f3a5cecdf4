import type { Database } from '../../../platform/db/database.ts'
import { readDueDeliveries, type DueRead } from './read-due-deliveries.ts'

/**
 * Visiting this many webhooks that have pending deliveries but may not be sent to takes 2 ms, 20 times a
 * second.
 */
const webhooksPerRead = 256
/** Webhooks that recently had something to send are part of each read, however many others there are. */
const recentWebhooks = 256

export type DueReader = (options: {
  readonly shards: readonly number[]
  readonly skippedWebhookIds: readonly number[]
  readonly limitPerWebhook: number
  readonly limit: number
  readonly now: Date
}) => Promise<DueRead>

/**
 * Reads due deliveries in bounded parts; each read continues where the last one stopped. The cost of a read
 * is therefore independent of a backlog, of failing endpoints and of webhooks of other processes.
 */
export const createDueReader = (database: Database): DueReader => {
  const recentIds = new Set<number>()
  let fromWebhookId = 0
  let hasManyParts = false
  let isHopOnly = false

  const markRecent = (webhookId: number): void => {
    recentIds.delete(webhookId)
    recentIds.add(webhookId)
  }

  const evictOldest = (): void => {
    for (const webhookId of recentIds) {
      if (recentIds.size <= recentWebhooks) return
      recentIds.delete(webhookId)
    }
  }

  return async (options) => {
    const read = await readDueDeliveries(database, {
      ...options,
      fromWebhookId,
      firstWebhookIds: hasManyParts && !isHopOnly ? [...recentIds] : [],
      maxWebhooks: webhooksPerRead,
    })
    // The recent webhooks filled the limit, so the next read visits only the others.
    isHopOnly = read.cutAtWebhookId === fromWebhookId
    if (fromWebhookId === 0) hasManyParts = read.cutAtWebhookId !== null
    fromWebhookId = read.cutAtWebhookId ?? 0
    for (const { webhookId } of read.sendable) markRecent(webhookId)
    evictOldest()
    return read
  }
}
