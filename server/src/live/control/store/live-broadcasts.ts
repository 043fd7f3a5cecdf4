import { sql, type Selectable } from 'kysely'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import type { LiveBroadcastsTable } from '../../../platform/db/tables/live.ts'
import type { LiveStreamRow } from './live-stream-store.ts'

export type LiveBroadcastRow = Selectable<LiveBroadcastsTable>

export const broadcastOf = async (
  queryable: Queryable,
  { account_id, broadcast_id }: Pick<LiveStreamRow, 'account_id' | 'broadcast_id'>,
): Promise<LiveBroadcastRow | null> => {
  if (broadcast_id === null) return null
  const row = await queryable
    .selectFrom('live_broadcasts')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', broadcast_id)
    .executeTakeFirst()
  return row ?? null
}

const rowsAtOnce = 5_000

/** Housekeeping: deletes old broadcasts that never reached viewers. The log has a record of them. */
export const dropFailedBroadcasts = async (database: Database, retentionDays: number): Promise<void> => {
  const before = new Date(Date.now() - retentionDays * 86_400_000)
  let dropped: number
  do {
    const { rows } = await sql`
      delete from live_broadcasts where id in (
        select id from live_broadcasts where online_at is null and ended_at < ${before} and not has_stored_window order by ended_at limit ${rowsAtOnce}
      )
      returning id`.execute(database.kysely)
    dropped = rows.length
  } while (dropped === rowsAtOnce)
}
