import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { orderingKeyOfEvent } from '../../../platform/outbox/outbox.ts'
import type { ReplayRow } from './replay-record.ts'
import { endOfRange } from './replay-store.ts'

/**
 * Creates deliveries for the next events of a replay and records its progress, in one statement. Returns
 * whether more events may follow.
 * An event with an unfinished delivery gets no second one, unless an earlier event of its ordering key is
 * sent again. Then new deliveries replace the unfinished ones of that key. Otherwise the older record would
 * arrive last and the receiver would keep it. For the same reason, the newest event of the key follows if the
 * replay does not include it, even if it was delivered before. Such an additional delivery is not counted.
 */
export const makeReplayDeliveries = async (tx: Tx, replay: ReplayRow, limit: number): Promise<boolean> => {
  const { rows } = await sql<{ count: number }>`
    with batch as (
      select id, file_id, ${orderingKeyOfEvent} as lane from events
      where account_id = ${replay.account_id} and id > ${replay.reached_event_id} and id <= ${replay.last_event_id}
        and occurred_at >= ${replay.from_at} and occurred_at < ${endOfRange(replay.to_at)}
        and name = any(${replay.event_names}::text[])
        and (${replay.project_id}::bigint is null or project_id = ${replay.project_id}::bigint)
      order by id limit ${limit}
    ), unfinished as (
      select d.id, d.event_id, d.lane from deliveries d
      where d.webhook_id = ${replay.webhook_id} and d.state in ('pending', 'waiting')
        and (d.event_id in (select id from batch) or d.lane in (select lane from batch))
      order by d.id for update
    ), repeated as (
      select * from batch where id not in (select event_id from unfinished)
    ), repeated_keys as (
      select lane, min(id) as first_event_id, max(id) as last_event_id from repeated where lane is not null group by lane
    ), replaced as (
      update deliveries d set state = 'cancelled', finished_at = now(), blocks_lane = false
      from unfinished u join repeated_keys r on r.lane = u.lane and u.event_id > r.first_event_id
      where d.id = u.id
      returning d.event_id as id, d.file_id, d.lane
    ), latest as (
      select newest.id, newest.file_id, r.lane from repeated_keys r cross join lateral (
        select id, file_id, occurred_at from events
        where account_id = ${replay.account_id} and ${orderingKeyOfEvent} = r.lane and id > r.last_event_id
          and name = any(${replay.event_names}::text[])
          and (${replay.project_id}::bigint is null or project_id = ${replay.project_id}::bigint)
        order by id desc limit 1
      ) newest
      where newest.id > ${replay.last_event_id}
        or newest.occurred_at < ${replay.from_at} or newest.occurred_at >= ${endOfRange(replay.to_at)}
    ), made as (
      insert into deliveries (account_id, webhook_id, event_id, file_id, lane)
      select ${replay.account_id}::bigint, ${replay.webhook_id}::bigint, m.id, m.file_id, m.lane
      from (
        select id, file_id, lane from repeated
        union select id, file_id, lane from replaced
        union select id, file_id, lane from latest
      ) m
      order by m.id
      returning event_id
    ), counted as (
      select (select count(*) from batch)::int as batch,
        (select count(*) from batch where id in (select event_id from made))::int as made
    )
    update webhook_replays r set
      reached_event_id = coalesce((select max(id) from batch), r.last_event_id),
      delivery_count = r.delivery_count + counted.made,
      skipped_count = r.skipped_count + counted.batch - counted.made,
      looked_at = now()
    from counted where r.id = ${replay.id}
    returning counted.batch as count`.execute(tx)
  return rows[0]?.count === limit
}
