import { sql } from 'kysely'
import type { Database } from '../kernel/db/database.ts'

/** Some hundred milliseconds of work: nobody waits long for a row, and a kill loses little. */
const defaultBatchSize = 2_000

/** Part of the housekeeping. Deliveries and attempts go with their events; the oldest first, a batch to a transaction. */
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
        select id from events where occurred_at < ${before} order by occurred_at limit ${batchSize}
      )
      returning id`.execute(database.kysely)
    dropped = rows.length
  } while (dropped === batchSize)
  await database.kysely.deleteFrom('webhook_replays').where('created_at', '<', before).execute()
}
