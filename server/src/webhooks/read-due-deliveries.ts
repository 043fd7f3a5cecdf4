import type { Database } from '../kernel/db/database.ts'
import type { StoredEvent } from '../kernel/events/domain-event.ts'
import type { DeliverableWebhook, DueDelivery } from './due-delivery.ts'
import { shardCount } from './shard-locks.ts'

export interface DueRead {
  readonly sendable: DueDelivery[]
  /** Behind a delivery of their lane that has failed. */
  readonly blockedIds: number[]
}

/**
 * What is to be sent in these shards, at most `limitPerWebhook` of each webhook in the order of their ids. The recursion hops from one
 * webhook with pending deliveries to the next, so that neither a backlog of one nor the number of idle ones costs anything. Where the breaker
 * pauses, nothing is to be sent.
 */
export const readDueDeliveries = async (
  { sql }: Database,
  options: {
    readonly shards: readonly number[]
    readonly skippedWebhookIds: readonly number[]
    readonly limitPerWebhook: number
    readonly now: Date
  },
): Promise<DueRead> => {
  const rows = await sql<(DueDelivery & { isBlocked: boolean })[]>`
    with recursive busy (webhook_id) as (
      (select webhook_id from deliveries where state = 'pending' order by webhook_id limit 1)
      union all
      select (select d.webhook_id from deliveries d
              where d.state = 'pending' and d.webhook_id > busy.webhook_id
              order by d.webhook_id limit 1)
      from busy where busy.webhook_id is not null
    )
    select d.id, d.webhook_id as "webhookId", d.event_id as "eventId", d.file_id as "fileId",
      d.attempt_count as "attemptCount", d.schedule_start as "scheduleStart",
      d.schedule_start = 0 and exists (
        select from deliveries b
        where b.blocks_lane and b.webhook_id = d.webhook_id and b.file_id = d.file_id and b.id < d.id
      ) as "isBlocked"
    from busy cross join lateral (
      select * from deliveries p
      where p.state = 'pending' and p.webhook_id = busy.webhook_id
      order by p.id limit ${options.limitPerWebhook}::int
    ) d
    where busy.webhook_id % ${shardCount}::int = any(${options.shards}::int[])
      and busy.webhook_id <> all(${options.skippedWebhookIds}::bigint[])
      and not exists (
        select from webhook_health h where h.webhook_id = busy.webhook_id and h.paused_until > ${options.now}
      )`
  const sendable: DueDelivery[] = []
  const blockedIds: number[] = []
  for (const { isBlocked, ...delivery } of rows)
    if (isBlocked) blockedIds.push(delivery.id)
    else sendable.push(delivery)
  return { sendable, blockedIds }
}

/** Lets go what waited long enough. */
export const wakeDeliveries = async ({ sql }: Database, shards: readonly number[]): Promise<void> => {
  await sql`
    update deliveries set state = 'pending'
    where state = 'waiting' and next_attempt_at <= now()
      and webhook_id % ${shardCount}::int = any(${shards}::int[])`
}

/** Takes what is blocked out of the way of the reads until its lane moves; a second is what an attempt under way may need. */
export const parkDeliveries = async ({ sql }: Database, ids: readonly number[]): Promise<void> => {
  await sql`
    update deliveries d set state = 'waiting', next_attempt_at = greatest(b.next_attempt_at, now() + interval '1 second')
    from deliveries b
    where d.id = any(${ids}::bigint[]) and d.state = 'pending'
      and b.blocks_lane and b.webhook_id = d.webhook_id and b.file_id = d.file_id and b.id < d.id`
}

/** What was written for a webhook that was disabled or deleted at the same moment. */
export const cancelDeliveries = async ({ sql }: Database, ids: readonly number[]): Promise<void> => {
  await sql`
    update deliveries set state = 'cancelled', finished_at = now(), blocks_lane = false
    where id = any(${ids}::bigint[]) and state in ('pending', 'waiting')`
}

export const readEvents = async (
  { sql }: Database,
  ids: readonly number[],
): Promise<Map<number, StoredEvent>> => {
  if (ids.length === 0) return new Map()
  const rows = await sql<StoredEvent[]>`
    select id, name, sequence, project_id as "projectId", file_id as "fileId", subject, record, occurred_at as "occurredAt"
    from events where id = any(${ids}::bigint[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Those that are enabled; what is missing in the map gets no more deliveries. */
export const readDeliverableWebhooks = async (
  { sql }: Database,
  ids: readonly number[],
): Promise<Map<number, DeliverableWebhook>> => {
  if (ids.length === 0) return new Map()
  const rows = await sql<DeliverableWebhook[]>`
    select w.id, w.account_id as "accountId", p.id as "connectionId", p.version as "connectionVersion",
      w.target_url as "targetUrl", w.custom_headers as "customHeaders", w.sealed_secret as "sealedSecret",
      w.previous_sealed_secret as "previousSealedSecret", w.previous_secret_until as "previousSecretUntil"
    from webhooks w left join identity_providers p on p.account_id = w.account_id
    where w.id = any(${ids}::bigint[]) and w.is_enabled and w.deleted_at is null`
  return new Map(rows.map((row) => [row.id, row]))
}
