import type { Database } from '../../../platform/db/database.ts'
import type { CausedEvent } from '../../../platform/outbox/domain-event.ts'
import type { DeliverableWebhook, DueDelivery } from '../store/due-delivery.ts'
import { shardCount, shardStep } from './shard-locks.ts'

export interface DueRead {
  readonly sendable: DueDelivery[]
  /** Deliveries that wait for a failed delivery with the same ordering key. */
  readonly blockedIds: number[]
  /** Webhook id at which the next read starts; null when this read reached the last webhook. */
  readonly cutAtWebhookId: number | null
}

interface DueRow extends DueDelivery {
  readonly isBlocked: boolean
  readonly hop: number
}

/** Marks the last webhook visited when none of its deliveries may be sent. */
type LastHop = Pick<DueRow, 'webhookId' | 'hop'> & { readonly id: null }

/**
 * Reads the deliveries due in these shards: at most `limitPerWebhook` of each webhook, in id order, and at
 * most `limit` in total. The recursion jumps from one webhook with pending deliveries to the next, so neither
 * a backlog nor idle webhooks add cost. It stops after `maxWebhooks`. Paused and disabled webhooks yield
 * nothing.
 */
export const readDueDeliveries = async (
  { sql }: Database,
  options: {
    readonly shards: readonly number[]
    readonly skippedWebhookIds: readonly number[]
    /** Webhooks to read before the recursion starts. */
    readonly firstWebhookIds: readonly number[]
    readonly fromWebhookId: number
    readonly maxWebhooks: number
    readonly limitPerWebhook: number
    readonly limit: number
    readonly now: Date
  },
): Promise<DueRead> => {
  const { firstWebhookIds, fromWebhookId, maxWebhooks, limit } = options
  const rows = await sql<(DueRow | LastHop)[]>`
    with recursive hops (webhook_id, hop) as (
      (select webhook_id, 1 from deliveries
       where state = 'pending' and webhook_id >= ${fromWebhookId}::bigint
       order by webhook_id limit 1)
      union all
      select (select d.webhook_id from deliveries d
              where d.state = 'pending' and d.webhook_id > hops.webhook_id
              order by d.webhook_id limit 1), hops.hop + 1
      from hops where hops.webhook_id is not null and hops.hop < ${maxWebhooks}::int
    ), busy as (
      select unnest(${firstWebhookIds}::bigint[]) as webhook_id, 0 as hop
      union all
      select webhook_id, hop from hops where webhook_id is not null
    )
    select d.id, busy.hop, busy.webhook_id as "webhookId", d.event_id as "eventId", d.lane as "orderingKey",
      d.attempt_count as "attemptCount", d.schedule_start as "scheduleStart",
      exists (
        select from deliveries b
        where b.blocks_lane and b.webhook_id = d.webhook_id and b.lane = d.lane and b.id < d.id
      ) as "isBlocked"
    from busy left join lateral (
      select * from deliveries p
      where p.state = 'pending' and p.webhook_id = busy.webhook_id
        and busy.webhook_id * ${shardStep}::int % ${shardCount}::int = any(${options.shards}::int[])
        and busy.webhook_id <> all(${options.skippedWebhookIds}::bigint[])
        and (busy.hop = 0 or busy.webhook_id <> all(${firstWebhookIds}::bigint[]))
        and not exists (
          select from webhook_health h where h.webhook_id = busy.webhook_id and h.paused_until > ${options.now}
        )
        and not exists (
          select from webhooks w where w.id = busy.webhook_id and not w.is_enabled and w.deleted_at is null
        )
      order by p.id limit ${options.limitPerWebhook}::int
    ) d on true
    where d.id is not null or busy.hop = ${maxWebhooks}::int
    limit ${limit}::int`
  const sendable: DueDelivery[] = []
  const blockedIds: number[] = []
  for (const row of rows) {
    if (row.id === null) continue
    const { isBlocked, hop: _hop, ...delivery } = row
    if (isBlocked) blockedIds.push(delivery.id)
    else sendable.push(delivery)
  }
  const last = rows.at(-1)
  const isCut = last !== undefined && (rows.length === limit || last.hop === maxWebhooks)
  // If the limit cut a webhook's deliveries, the next read starts with that webhook.
  const cutAt = last?.hop === 0 ? fromWebhookId : (last?.webhookId ?? 0)
  return { sendable, blockedIds, cutAtWebhookId: isCut ? cutAt : null }
}

/** Bounds the statement: an outage may leave very many rows to wake. */
const wokenAtOnce = 2_000

/**
 * Makes waiting deliveries pending when their time has come, longest overdue first. Returns whether more may
 * be due.
 */
export const wakeDeliveries = async ({ sql }: Database, shards: readonly number[]): Promise<boolean> => {
  const woken = await sql<{ id: number }[]>`
    update deliveries set state = 'pending'
    where state = 'waiting' and id in (
      select id from deliveries
      where state = 'waiting' and next_attempt_at <= now() and webhook_id * ${shardStep}::int % ${shardCount}::int = any(${shards}::int[])
      order by next_attempt_at, id limit ${wokenAtOnce}::int
    )
    returning id`
  return woken.length === wokenAtOnce
}

/**
 * Takes blocked deliveries out of the reads until the delivery that blocks them is due. The wait of at least
 * a second covers an attempt in flight.
 */
export const parkDeliveries = async ({ sql }: Database, ids: readonly number[]): Promise<void> => {
  await sql`
    update deliveries d set state = 'waiting', next_attempt_at = greatest(b.next_attempt_at, now() + interval '1 second')
    from deliveries b
    where d.id = any(${ids}::bigint[]) and d.state = 'pending'
      and b.blocks_lane and b.webhook_id = d.webhook_id and b.lane = d.lane and b.id < d.id`
}

/** Cancels deliveries written for a webhook that was deleted, or moved to another project, at the same time. */
export const cancelDeliveries = async ({ sql }: Database, ids: readonly number[]): Promise<void> => {
  await sql`
    update deliveries set state = 'cancelled', finished_at = now(), blocks_lane = false
    where id = any(${ids}::bigint[]) and state in ('pending', 'waiting')
      and exists (
        select from webhooks w join events e on e.id = event_id
        where w.id = webhook_id
          and (w.deleted_at is not null or (w.project_id is not null and w.project_id is distinct from e.project_id))
      )`
}

export const readEvents = async (
  { sql }: Database,
  ids: readonly number[],
): Promise<Map<number, CausedEvent>> => {
  if (ids.length === 0) return new Map()
  const rows = await sql<CausedEvent[]>`
    select id, name, sequence, project_id as "projectId", file_id as "fileId", subject, record, occurred_at as "occurredAt",
      request_id as "requestId", traceparent
    from events where id = any(${ids}::bigint[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the enabled webhooks by id; the engine sends nothing to webhooks missing from the map. */
export const readDeliverableWebhooks = async (
  { sql }: Database,
  ids: readonly number[],
): Promise<Map<number, DeliverableWebhook>> => {
  if (ids.length === 0) return new Map()
  const readAtMs = performance.now()
  const rows = await sql<Omit<DeliverableWebhook, 'readAtMs'>[]>`
    select w.id, w.account_id as "accountId", w.project_id as "projectId", p.id as "connectionId", p.version as "connectionVersion",
      w.target_url as "targetUrl", w.sealed_headers as "sealedHeaders", w.sealed_secret as "sealedSecret",
      w.previous_sealed_secret as "previousSealedSecret", w.previous_secret_until as "previousSecretUntil"
    from webhooks w left join identity_providers p on p.account_id = w.account_id
    where w.id = any(${ids}::bigint[]) and w.is_enabled and w.deleted_at is null`
  return new Map(rows.map((row) => [row.id, { ...row, readAtMs }]))
}
