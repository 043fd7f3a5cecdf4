import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import type { WebhookHealthTable } from '../../../platform/db/tables/webhooks.ts'
import { storedParams } from '../../../platform/base/message.ts'
import { afterAttempt, neverTried, type EndpointHealth } from './endpoint-health.ts'
import { storableText, type AttemptResult } from '../store/write-results.ts'

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
  lastFailureReason: row.last_failure_reason,
  lastFailureParams: row.last_failure_params,
})

/** Returns health by webhook id; webhooks never tried are missing from the map. */
export const readHealth = async (
  queryable: Queryable,
  webhookIds: readonly number[],
): Promise<Map<number, EndpointHealth>> => {
  if (webhookIds.length === 0) return new Map()
  const rows = await queryable
    .selectFrom('webhook_health')
    .selectAll()
    .where('webhook_id', 'in', [...webhookIds])
    .execute()
  return new Map(rows.map((row) => [row.webhook_id, healthOf(row)]))
}

interface EndpointAttempt {
  readonly result: AttemptResult
  readonly targetUrl: string
}

/** Health together with the URL it applies to, because a webhook may change its URL. */
interface EndpointState {
  readonly health: EndpointHealth
  readonly targetUrl: string
}

const lockStates = async (tx: Tx, webhookIds: readonly number[]): Promise<Map<number, EndpointState>> => {
  const rows = await tx
    .selectFrom('webhook_health as h')
    .innerJoin('webhooks as w', 'w.id', 'h.webhook_id')
    .selectAll('h')
    .select('w.target_url')
    .where('h.webhook_id', 'in', [...webhookIds])
    .orderBy('h.webhook_id')
    .forUpdate('h')
    .execute()
  return new Map(rows.map((row) => [row.webhook_id, { health: healthOf(row), targetUrl: row.target_url }]))
}

/** Only attempts to the current URL count. */
const afterAttempts = (
  before: EndpointState | undefined,
  attempts: readonly EndpointAttempt[],
): EndpointState | null => {
  const targetUrl = before?.targetUrl ?? attempts.at(-1)?.targetUrl ?? ''
  const ofTarget = attempts.filter((one) => one.targetUrl === targetUrl)
  if (ofTarget.length === 0) return null
  const health = ofTarget.reduce(
    (former, { result }) => afterAttempt(former, { ...result, isDelivered: result.state === 'delivered' }),
    before?.health ?? neverTried,
  )
  return { health, targetUrl }
}

/**
 * Applies attempts in order and returns the new state of their endpoints. It uses its own transaction after
 * the one that writes the results. A process that dies in between undercounts slightly, and no delivery stays
 * locked while this waits for a webhook.
 */
export const recordAttempts = async (
  database: Database,
  attempts: readonly EndpointAttempt[],
): Promise<Map<number, EndpointState>> => {
  const byWebhook = Map.groupBy(attempts, ({ result }) => result.webhookId)
  if (byWebhook.size === 0) return new Map()
  return database.transaction(async (tx) => {
    const before = await lockStates(tx, [...byWebhook.keys()])
    const after = new Map<number, EndpointState>()
    for (const [webhookId, ofWebhook] of byWebhook) {
      const state = afterAttempts(before.get(webhookId), ofWebhook)
      if (state !== null) after.set(webhookId, state)
    }
    const writtenIds = await writeHealth(tx, after)
    return new Map([...after].filter(([webhookId]) => writtenIds.has(webhookId)))
  })
}

/** Returns the ids written; a webhook whose URL changed concurrently is skipped. */
const writeHealth = async (
  tx: Tx,
  states: ReadonlyMap<number, EndpointState>,
): Promise<ReadonlySet<number>> => {
  const values = [...states].map(([webhookId, { health, targetUrl }]) => ({
    ...health,
    webhookId,
    targetUrl,
    lastFailureError: storableText(health.lastFailureError),
    lastFailureParams: health.lastFailureParams === null ? null : storedParams(health.lastFailureParams),
  }))
  const { rows } = await sql<{ id: number }>`
    insert into webhook_health as h (webhook_id, account_id, revision, failures_in_row, failing_since, pause_count, paused_until,
      last_success_at, last_failure_at, last_failure_status, last_failure_error, last_failure_reason, last_failure_params)
    select w.id, w.account_id, r.revision, r."failuresInRow", r."failingSince", r."pauseCount", r."pausedUntil",
      r."lastSuccessAt", r."lastFailureAt", r."lastFailureStatus", r."lastFailureError", r."lastFailureReason",
      r."lastFailureParams"::jsonb
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as r(
      "webhookId" bigint, revision bigint, "failuresInRow" int, "failingSince" timestamptz, "pauseCount" int,
      "pausedUntil" timestamptz, "lastSuccessAt" timestamptz, "lastFailureAt" timestamptz, "lastFailureStatus" int,
      "lastFailureError" text, "lastFailureReason" text, "lastFailureParams" text, "targetUrl" text)
    join webhooks w on w.id = r."webhookId" and w.target_url = r."targetUrl"
    on conflict (webhook_id) do update set
      revision = greatest(excluded.revision, h.revision + 1),
      failures_in_row = excluded.failures_in_row,
      failing_since = excluded.failing_since,
      pause_count = excluded.pause_count,
      paused_until = excluded.paused_until,
      last_success_at = excluded.last_success_at,
      last_failure_at = excluded.last_failure_at,
      last_failure_status = excluded.last_failure_status,
      last_failure_error = excluded.last_failure_error,
      last_failure_reason = excluded.last_failure_reason,
      last_failure_params = excluded.last_failure_params
    returning webhook_id as id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Closes the breaker and clears the failure streak that would disable the webhook. The caller holds the
 * webhook's lock.
 */
export const clearFailures = async (tx: Tx, webhookId: number): Promise<void> => {
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

/** Lets the next request start at once, because a user who sends by hand wants to see the result. */
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

/** Reads the undelivered counts and the oldest times; both states use their own partial index. */
export const readBacklogs = async (
  queryable: Queryable,
  webhookIds: readonly number[],
): Promise<Map<number, Backlog>> => {
  const { rows } = await sql<Backlog & { id: number }>`
    select w.id, least(counted.count, ${countedAtMost})::int as count, oldest.at as "oldestAt"
    from unnest(${webhookIds}::bigint[]) as w(id)
    cross join lateral (
      select min(created_at) as at from (
        (select created_at from deliveries where webhook_id = w.id and state = 'pending' order by id limit 1)
        union all
        (select created_at from deliveries where webhook_id = w.id and state = 'waiting' order by id limit 1)
      ) as first
    ) as oldest
    cross join lateral (
      select count(*) from (
        (select from deliveries where webhook_id = w.id and state = 'pending' limit ${countedAtMost})
        union all
        (select from deliveries where webhook_id = w.id and state = 'waiting' limit ${countedAtMost})
      ) as due
    ) as counted`.execute(queryable)
  return new Map(rows.map(({ id, count, oldestAt }) => [id, { count, oldestAt }]))
}

export const countBacklog = async (queryable: Queryable, webhookId: number): Promise<number> => {
  const backlogs = await readBacklogs(queryable, [webhookId])
  return backlogs.get(webhookId)?.count ?? 0
}
