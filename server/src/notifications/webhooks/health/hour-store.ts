import { sql } from 'kysely'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import { hourMs, type HourCount } from './hour-counts.ts'

const keptHours = 72

/** Adds to the stored counts, including those of other workers. Counts of deleted webhooks are dropped. */
export const addToHours = async (queryable: Queryable, counts: readonly HourCount[]): Promise<void> => {
  await sql`
    insert into webhook_hours as h (webhook_id, account_id, hour, delivered_count, failed_count, latency_counts)
    select w.id, w.account_id, r.hour, r."deliveredCount", r."failedCount", r."latencyCounts"
    from json_to_recordset(${JSON.stringify(counts)}::json) as r(
      "webhookId" bigint, hour timestamptz, "deliveredCount" bigint, "failedCount" bigint, "latencyCounts" int[])
    join webhooks w on w.id = r."webhookId"
    order by w.id, r.hour
    on conflict (webhook_id, hour) do update set
      delivered_count = h.delivered_count + excluded.delivered_count,
      failed_count = h.failed_count + excluded.failed_count,
      latency_counts = array(
        select coalesce(mine, 0) + coalesce(added, 0)
        from unnest(h.latency_counts, excluded.latency_counts) with ordinality as step(mine, added, place)
        order by place)`.execute(queryable)
}

/** Returns the hours from `from` on; hours without requests have no row. */
export const readHours = async (queryable: Queryable, webhookId: number, from: Date): Promise<HourCount[]> =>
  queryable
    .selectFrom('webhook_hours')
    .select([
      'webhook_id as webhookId',
      'hour',
      'delivered_count as deliveredCount',
      'failed_count as failedCount',
      'latency_counts as latencyCounts',
    ])
    .where('webhook_id', '=', webhookId)
    .where('hour', '>=', from)
    .execute()

export type AttemptCount = Omit<HourCount, 'latencyCounts'>

/** Returns the attempts by webhook id; hours and webhooks without requests are missing. */
export const readAttempts = async (
  queryable: Queryable,
  webhookIds: readonly number[],
  from: Date,
): Promise<Map<number, AttemptCount[]>> => {
  if (webhookIds.length === 0) return new Map()
  const rows = await queryable
    .selectFrom('webhook_hours')
    .select([
      'webhook_id as webhookId',
      'hour',
      'delivered_count as deliveredCount',
      'failed_count as failedCount',
    ])
    .where('webhook_id', 'in', [...webhookIds])
    .where('hour', '>=', from)
    .execute()
  return Map.groupBy(rows, ({ webhookId }) => webhookId)
}

/** Housekeeping task: deletes hours older than 72 hours. */
export const dropOldHours = async (database: Database): Promise<void> => {
  await database.kysely
    .deleteFrom('webhook_hours')
    .where('hour', '<', new Date(Date.now() - keptHours * hourMs))
    .execute()
}
