import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { encodeLadderJob, processFileJob } from '../../../../library/files/queue/file-jobs.ts'
import type { Database } from '../../../../platform/db/database.ts'
import { isServed, leaseEnd, mostFailures, type ClaimedChunk, type ClaimedRow } from './claimed-chunk.ts'

/** Whether any file waits for its first step or its ladder, or any viewer for a segment. */
export const isAnythingElseToDo = async ({ kysely }: Database): Promise<boolean> => {
  const { rows } = await sql<{ is_busy: boolean }>`
    select exists (
      select from pgboss.job
      where name in (${processFileJob.name}, ${encodeLadderJob.name}) and state <= 'active' and start_after <= now()
    ) or exists (
      select from on_demand_chunks c
      join renditions r on r.id = c.rendition_id
      join media_files f on f.id = r.file_id and ${isServed}
      where c.state <> 'ready' and c.wanted_until > now()
    ) as is_busy`.execute(kysely)
  return rows[0]?.is_busy === true
}

const isOtherCodec = sql`r.codec not like 'avc%'`

/** Evicted rungs are left alone until they are watched again. */
const isFilled = sql`(
  o.watched_at is not null
  or not exists (select from evicted_renditions e where e.rendition_id = o.rendition_id and not e.is_relisted)
)`

/**
 * Returns the rung to fill next. Rungs that were watched come first, then the oldest ones; among each, H.264 comes before HEVC and
 * AV1. With LadderMode `on-demand`, only watched HEVC and AV1 rungs are filled. Reads all rungs (0.1 s for 20,000), so it is called
 * once for all chunks of a rung.
 */
export const findRungToFill = async (
  { kysely }: Database,
  skippedIds: readonly number[],
): Promise<number | null> => {
  const { rows } = await sql<{ rendition_id: number }>`
    select o.rendition_id
    from renditions r
    join on_demand_renditions o on o.rendition_id = r.id
    join media_files f on f.id = r.file_id and ${isServed}
    where (f.ladder_mode = 'auto' or (o.watched_at is not null and ${isOtherCodec}))
      and ${isFilled} and o.rendition_id <> all(${[...skippedIds]}::bigint[])
    order by o.watched_at is null, ${isOtherCodec}, o.watched_at desc, o.rendition_id
    limit 1`.execute(kysely)
  return rows[0]?.rendition_id ?? null
}

/** Leases the first absent chunk of a rung, and the same one of the other rungs of its file in its codec. */
export const claimFillingChunks = async ({ kysely }: Database, rungId: number): Promise<ClaimedChunk[]> => {
  const claim = randomUUID()
  const codecOf = sql`split_part(r.codec, '.', 1)`
  const isAbsent = sql`not exists (
    select from on_demand_chunks c
    where c.rendition_id = o.rendition_id and c.number = number.number
      and (c.state = 'ready' or c.leased_until >= now() or c.failures >= ${mostFailures})
  )`
  const { rows } = await sql<ClaimedRow>`
    with rung as (
      select o.rendition_id, o.account_id, o.file_id, o.chunk_count, r.generation, ${codecOf} as codec
      from on_demand_renditions o
      join renditions r on r.id = o.rendition_id
      join media_files f on f.id = r.file_id and ${isServed}
      where o.rendition_id = ${rungId}
    ), absent as (
      select o.*, number from rung o, generate_series(0, o.chunk_count - 1) number
      where ${isAbsent}
      order by number limit 1
    )
    insert into on_demand_chunks as chunk
      (rendition_id, number, account_id, file_id, wanted_until, state, claim, leased_until, attempt)
    select o.rendition_id, number.number, o.account_id, o.file_id, now(), 'claimed', ${claim}, ${leaseEnd}, 1
    from absent number
    join on_demand_renditions o on o.account_id = number.account_id and o.file_id = number.file_id
    join renditions r on r.id = o.rendition_id and r.state = 'on_demand' and r.generation = number.generation
      and ${codecOf} = number.codec
    where number.number < o.chunk_count and ${isAbsent} and ${isFilled}
    order by o.rendition_id
    on conflict (rendition_id, number) do update set state = 'claimed', claim = excluded.claim,
      leased_until = excluded.leased_until, attempt = chunk.attempt + 1, continues = false
    where chunk.state <> 'ready' and coalesce(chunk.leased_until < now(), true)
    returning rendition_id, number, attempt, failures`.execute(kysely)
  return rows.map(({ rendition_id: renditionId, number, attempt, failures }) => ({
    ...{ renditionId, number, claim, attempt, failures, followers: 0 },
    urgency: 'idle',
  }))
}
