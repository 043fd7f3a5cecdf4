import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Database, Queryable, Tx } from '../kernel/db/database.ts'
import type { WebhookHealthTable } from '../kernel/db/tables.ts'
import { afterAttempt, neverTried, type EndpointHealth } from './endpoint-health.ts'
import { storableText, type AttemptResult } from './write-results.ts'

const healthOf = (row: Selectable<WebhookHealthTable>): EndpointHealth => ({
  revision: row.revision,
  failuresInRow: row.failures_in_row,
  failingSince: row.failing_since,
  pauseCount: row.pause_count,
  pausedUntil: row.paused_until,
  lastSuccessAt: row.last_success_at,
  lastFailureAt: row.last_failure_at,
  lastFailureStatus: row.last_failure_status,
  lastFailureError: row.last_failure_error,
})

const selectHealth = (queryable: Queryable, webhookIds: readonly number[]) =>
  queryable
    .selectFrom('webhook_health')
    .selectAll()
    .where('webhook_id', 'in', [...webhookIds])

const byWebhookId = (rows: readonly Selectable<WebhookHealthTable>[]): Map<number, EndpointHealth> =>
  new Map(rows.map((row) => [row.webhook_id, healthOf(row)]))

/** Webhooks that were never tried are not in the map. */
export const readHealth = async (
  queryable: Queryable,
  webhookIds: readonly number[],
): Promise<Map<number, EndpointHealth>> =>
  webhookIds.length === 0 ? new Map() : byWebhookId(await selectHealth(queryable, webhookIds).execute())

/**
 * Takes over what attempts came to, in their order, and answers how their endpoints stand now. In a transaction of its own, after that of the
 * results: a process that dies in between has counted a few too few, and holds no delivery while it waits for a webhook.
 */
export const noteAttempts = async (
  database: Database,
  results: readonly AttemptResult[],
): Promise<Map<number, EndpointHealth>> => {
  const attempts = Map.groupBy(results, ({ webhookId }) => webhookId)
  const webhookIds = [...attempts.keys()]
  if (webhookIds.length === 0) return new Map()
  return database.transaction(async (tx) => {
    const before = byWebhookId(await selectHealth(tx, webhookIds).orderBy('webhook_id').forUpdate().execute())
    const after = new Map(
      webhookIds.map((id) => [
        id,
        (attempts.get(id) ?? []).reduce(
          (health, result) => afterAttempt(health, { ...result, isDelivered: result.state === 'delivered' }),
          before.get(id) ?? neverTried,
        ),
      ]),
    )
    await writeHealth(tx, after)
    return after
  })
}

const writeHealth = async (tx: Tx, healths: ReadonlyMap<number, EndpointHealth>): Promise<void> => {
  const rows = [...healths].map(([webhookId, health]) => ({
    ...health,
    webhookId,
    lastFailureError: storableText(health.lastFailureError),
  }))
  await sql`
    insert into webhook_health as h (webhook_id, account_id, revision, failures_in_row, failing_since, pause_count, paused_until,
      last_success_at, last_failure_at, last_failure_status, last_failure_error)
    select w.id, w.account_id, r.revision, r."failuresInRow", r."failingSince", r."pauseCount", r."pausedUntil",
      r."lastSuccessAt", r."lastFailureAt", r."lastFailureStatus", r."lastFailureError"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      "webhookId" bigint, revision bigint, "failuresInRow" int, "failingSince" timestamptz, "pauseCount" int,
      "pausedUntil" timestamptz, "lastSuccessAt" timestamptz, "lastFailureAt" timestamptz, "lastFailureStatus" int,
      "lastFailureError" text)
    join webhooks w on w.id = r."webhookId"
    on conflict (webhook_id) do update set
      revision = greatest(excluded.revision, h.revision + 1),
      failures_in_row = excluded.failures_in_row,
      failing_since = excluded.failing_since,
      pause_count = excluded.pause_count,
      paused_until = excluded.paused_until,
      last_success_at = excluded.last_success_at,
      last_failure_at = excluded.last_failure_at,
      last_failure_status = excluded.last_failure_status,
      last_failure_error = excluded.last_failure_error`.execute(tx)
}

/** A fresh start: the breaker is closed and the clock that disables stands at zero. Whoever calls this holds the webhook's lock. */
export const forgetFailures = async (tx: Tx, webhookId: number): Promise<void> => {
  await tx
    .updateTable('webhook_health')
    .set((set) => ({
      revision: set('revision', '+', 1),
      failures_in_row: 0,
      failing_since: null,
      pause_count: 0,
      paused_until: null,
    }))
    .where('webhook_id', '=', webhookId)
    .execute()
}

/** Somebody sends by hand and wants to see what comes of it: the next request may go at once. */
export const endPause = async (tx: Tx, webhookId: number): Promise<void> => {
  const now = new Date()
  await tx
    .updateTable('webhook_health')
    .set((set) => ({ revision: set('revision', '+', 1), paused_until: now }))
    .where('webhook_id', '=', webhookId)
    .where('paused_until', '>', now)
    .execute()
}

export interface Backlog {
  /** At most `countedAtMost`. */
  readonly count: number
  readonly oldestAt: Date | null
}

export const countedAtMost = 10_000

/** What is still to be delivered; both halves are read from indexes that hold nothing else. */
export const readBacklog = async (queryable: Queryable, webhookId: number): Promise<Backlog> => {
  const { rows } = await sql<Backlog>`
    with oldest as (
      (select created_at from deliveries where webhook_id = ${webhookId} and state = 'pending' order by id limit 1)
      union all
      (select created_at from deliveries where webhook_id = ${webhookId} and state = 'waiting' order by id limit 1)
    ), counted as (
      (select from deliveries where webhook_id = ${webhookId} and state = 'pending' limit ${countedAtMost})
      union all
      (select from deliveries where webhook_id = ${webhookId} and state = 'waiting' limit ${countedAtMost})
    )
    select least((select count(*) from counted), ${countedAtMost})::int as count,
      (select min(created_at) from oldest) as "oldestAt"`.execute(queryable)
  return rows[0] ?? { count: 0, oldestAt: null }
}
