import type { Database } from '../kernel/db/database.ts'
import { readDueDeliveries, type DueRead } from './read-due-deliveries.ts'

/** With so many webhooks that have pending deliveries and get none a read costs 2 ms, twenty times a second. */
const webhooksPerRead = 256
/** Those that had something to send lately are looked at in each read, however many others there are. */
const recentWebhooks = 256

export type DueReader = (options: {
  readonly shards: readonly number[]
  readonly skippedWebhookIds: readonly number[]
  readonly limitPerWebhook: number
  readonly limit: number
  readonly now: Date
}) => Promise<DueRead>

/**
 * Reads what is due, a bounded part at a time: the next read begins where this one was cut. So neither an outage's backlog nor thousands of
 * endpoints that are down, or of other processes, cost more than a read may.
 */
export const createDueReader = (database: Database): DueReader => {
  const recentIds = new Set<number>()
  let fromWebhookId = 0
  let hasManyParts = false
  let isHopOnly = false

  const noteRecent = (webhookId: number): void => {
    recentIds.delete(webhookId)
    recentIds.add(webhookId)
  }

  const forgetOldest = (): void => {
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
    // Those that come first took all there was to take: the others are next.
    isHopOnly = read.cutAtWebhookId === fromWebhookId
    if (fromWebhookId === 0) hasManyParts = read.cutAtWebhookId !== null
    fromWebhookId = read.cutAtWebhookId ?? 0
    for (const { webhookId } of read.sendable) noteRecent(webhookId)
    forgetOldest()
    return read
  }
}
