import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/**
 * A batch takes some tens of milliseconds. Rows are locked in the order in which the engine writes results,
 * so neither blocks the other for long.
 */
const batchSize = 1_000

/**
 * Cancels the unfinished deliveries of a disabled or deleted webhook. It runs outside the transaction that
 * disables or deletes, because there may be very many rows. If the process dies midway, the engine cancels
 * the remaining deliveries of a deleted webhook; those of a disabled webhook are kept.
 */
export const cancelUnfinished = async (database: Database, webhookId: number): Promise<void> => {
  for (const state of ['pending', 'waiting'] as const) {
    let lastId = 0
    let count: number
    do {
      const { rows } = await sql<{ id: number }>`
        update deliveries set state = 'cancelled', finished_at = now(), blocks_lane = false
        where id in (
          select id from deliveries
          where webhook_id = ${webhookId} and state = ${sql.lit(state)} and id > ${lastId}
          order by id limit ${batchSize} for update
        ) and exists (
          select from webhooks where id = ${webhookId} and (not is_enabled or deleted_at is not null)
        )
        returning id`.execute(database.kysely)
      count = rows.length
      lastId = Math.max(lastId, ...rows.map(({ id }) => id))
    } while (count === batchSize)
  }
}
