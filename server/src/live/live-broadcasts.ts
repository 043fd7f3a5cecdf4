import type { Selectable } from 'kysely'
import type { Queryable } from '../kernel/db/database.ts'
import type { LiveBroadcastsTable } from '../kernel/db/tables.ts'
import type { LiveStreamRow } from './live-stream-store.ts'

export type LiveBroadcastRow = Selectable<LiveBroadcastsTable>

/** The one that goes on; null while there is none. */
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
