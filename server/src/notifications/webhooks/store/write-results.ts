import type { Message } from '@zoetrope/vocabulary'
import { sql } from 'kysely'
import { storedParams } from '../../../platform/base/message.ts'
import type { Database, Queryable } from '../../../platform/db/database.ts'

export interface AttemptResult {
  readonly deliveryId: number
  readonly webhookId: number
  readonly orderingKey: number | null
  /** Counts from 1 over all attempts of the delivery. */
  readonly number: number
  readonly state: 'delivered' | 'waiting' | 'failed'
  /** Milliseconds until the next attempt; null when none follows. */
  readonly delayMs: number | null
  readonly blocksKey: boolean
  /** True when the delivery blocked its ordering key before and no longer does. */
  readonly releasesKey: boolean
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly responseExcerpt: string | null
  readonly error: Message | null
}

/** PostgreSQL text cannot contain NUL. */
export const storableText = (text: string | null): string | null =>
  text?.replaceAll('\0', '\ufffd').toWellFormed() ?? null

/**
 * Writes all results in one statement. A delivery that was changed concurrently keeps its state:
 * `attempt_count` must be the one at the start of the attempt.
 * The list of ids makes PostgreSQL use the primary key. With only the join, a plan cached while the table was
 * small reads the whole table for each batch until it is analyzed.
 */
export const writeResults = async (database: Database, results: readonly AttemptResult[]): Promise<void> => {
  // Other statements lock the rows in the same order.
  const inOrder = results.toSorted((one, other) => one.deliveryId - other.deliveryId)
  const rows = JSON.stringify(
    inOrder.map((one) => ({
      ...one,
      responseExcerpt: storableText(one.responseExcerpt),
      error: storableText(one.error?.text ?? null),
      errorReason: one.error?.reason ?? null,
      errorParams: one.error === null ? null : storedParams(one.error.params),
    })),
  )
  const ids = inOrder.map(({ deliveryId }) => deliveryId)
  const releases = results.filter(({ releasesKey }) => releasesKey)
  const write = async (queryable: Queryable): Promise<void> => {
    await sql`
      with result as (
        select * from json_to_recordset(${rows}::json) as r(
          "deliveryId" bigint, number int, state text, "delayMs" float8, "blocksKey" boolean, "startedAt" timestamptz,
          "durationMs" int, "statusCode" int, "responseExcerpt" text, error text,
          "errorReason" text, "errorParams" text)
      ), changed as (
        update deliveries d set
          state = r.state,
          attempt_count = r.number,
          blocks_lane = r."blocksKey",
          next_attempt_at = now() + coalesce(r."delayMs", 0) * interval '1 millisecond',
          finished_at = case when r.state = 'waiting' then null else now() end
        from result r
        where d.id = any(${ids}::bigint[]) and d.id = r."deliveryId" and d.attempt_count = r.number - 1 and d.state in ('pending', 'waiting')
        returning d.id, r.number, r."startedAt", r."durationMs", r."statusCode", r."responseExcerpt", r.error, r."errorReason",
          r."errorParams"::jsonb
      )
      insert into delivery_attempts (delivery_id, number, started_at, duration_ms, status_code, response_excerpt, error, error_reason, error_params)
      select * from changed`.execute(queryable)
    for (const { webhookId, orderingKey } of releases)
      await sql`
        update deliveries set state = 'pending'
        where webhook_id = ${webhookId} and lane = ${orderingKey} and state = 'waiting' and attempt_count = schedule_start`.execute(
        queryable,
      )
  }
  // One transaction, so that later deliveries of the ordering key cannot overtake the parked ones.
  if (releases.length > 0) await database.transaction(write)
  else await write(database.kysely)
}
