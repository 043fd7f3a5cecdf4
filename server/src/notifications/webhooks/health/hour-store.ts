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

export interface AttemptCounts {
  readonly deliveredCount: number
  readonly failedCount: number
}

export const countAttempts = async (
  queryable: Queryable,
  webhookId: number,
  from: Date,
): Promise<AttemptCounts> => {
  const { rows } = await sql<AttemptCounts>`
    select coalesce(sum(delivered_count), 0)::bigint as "deliveredCount", coalesce(sum(failed_count), 0)::bigint as "failedCount"
    from webhook_hours where webhook_id = ${webhookId} and hour >= ${from}`.execute(queryable)
  return rows[0] ?? { deliveredCount: 0, failedCount: 0 }
}

/** Housekeeping task: deletes hours older than 72 hours. */
export const dropOldHours = async (database: Database): Promise<void> => {
  await database.kysely
    .deleteFrom('webhook_hours')
    .where('hour', '<', new Date(Date.now() - keptHours * hourMs))
    .execute()
}
