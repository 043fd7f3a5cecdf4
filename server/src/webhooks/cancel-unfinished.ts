import { sql } from 'kysely'
import type { Database } from '../kernel/db/database.ts'

/** Some tens of milliseconds of work, in the order in which the engine writes its results: neither waits long for the other. */
const batchSize = 1_000

/**
 * Cancels what a disabled or deleted webhook would still get. It runs outside of the transaction that disables or deletes, because there may be
 * very much of it. If a process dies meanwhile, the engine cancels what is left of a deleted webhook; what is left of a disabled one is kept.
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
