import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/**
 * A batch takes some hundred milliseconds, so rows stay locked briefly and a killed process loses little
 * work.
 */
const defaultBatchSize = 2_000

/**
 * Housekeeping task: deletes events older than `retentionDays`, oldest first, one batch per transaction.
 * Deliveries and attempts are deleted by cascade. Processes that run it at the same time share the work.
 */
export const dropOldEvents = async (
  database: Database,
  retentionDays: number,
  batchSize = defaultBatchSize,
): Promise<void> => {
  const before = new Date(Date.now() - retentionDays * 86_400_000)
  let dropped: number
  do {
    const { rows } = await sql`
      delete from events where id in (
        select id from events where occurred_at < ${before} order by occurred_at limit ${batchSize} for update skip locked
      )
      returning id`.execute(database.kysely)
    dropped = rows.length
  } while (dropped === batchSize)
  await database.kysely.deleteFrom('webhook_replays').where('created_at', '<', before).execute()
}
