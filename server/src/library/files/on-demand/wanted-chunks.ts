import { sql } from 'kysely'
import { createBatchLoader } from '../../../platform/db/batch-loader.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { makeChunksJob } from '../queue/file-jobs.ts'

/**
 * A chunk of a rung that is encoded on demand is one segment. Api processes write which chunks viewers want, and workers
 * encode them (ingest/encoding/on-demand).
 */
export interface ChunkKey {
  readonly renditionId: number
  readonly number: number
}

export interface FoundChunk {
  readonly isReady: boolean
  /** Whether an encoder is at work on it. */
  readonly isClaimed: boolean
  /** HEVC and AV1 take too long for a viewer who waits, and players know them only once they are complete. */
  readonly isMadeOnRequest: boolean
  /** Number of claims; names the folder of the segment. */
  readonly attempt: number
  /** Whether the chunk before is ready, as for a viewer who plays on. */
  readonly isNextOfReady: boolean
  readonly projectId: number
  /** Rendition that has taken the place of this one; null = none has. */
  readonly successorId: number | null
  /** False for a former revision of the file: what it lacks is not encoded any more. */
  readonly isOfCurrentRevision: boolean
}

interface FoundRow {
  readonly rendition_id: number
  readonly number: number
  readonly is_ready: boolean
  readonly is_claimed: boolean
  readonly is_made_on_request: boolean
  readonly attempt: number
  readonly is_next: boolean
  readonly project_id: number
  readonly successor_id: number | null
  readonly is_current: boolean
}

const textOf = ({ renditionId, number }: ChunkKey): string => `${renditionId} ${number}`

/** Returns null for a number past the last segment. Concurrent reads share a query. */
export const createChunkReader = ({
  sql: query,
}: Database): ((key: ChunkKey) => Promise<FoundChunk | null>) => {
  const load = createBatchLoader<string, FoundChunk>(async (keys) => {
    const asked = keys.map((key) => key.split(' ').map(Number))
    const rows = await query<FoundRow[]>`
      select o.rendition_id::float8, asked.number::float8, coalesce(c.state = 'ready', false) as is_ready,
        r.codec like 'avc%' as is_made_on_request,
        coalesce(c.state = 'claimed' and c.leased_until >= now(), false) as is_claimed, coalesce(c.attempt, 0) as attempt,
        coalesce(before.state = 'ready', false) as is_next, f.project_id::float8, e.rendition_id::float8 as successor_id,
        r.generation = f.generation as is_current
      from unnest(${asked.map(([id]) => id)}::bigint[], ${asked.map(([, number]) => number)}::bigint[])
        as asked (rendition_id, number)
      join on_demand_renditions o on o.rendition_id = asked.rendition_id and asked.number < o.chunk_count
      join media_files f on f.id = o.file_id
      join renditions r on r.id = o.rendition_id
      left join evicted_renditions e on e.former_id = o.rendition_id
      left join on_demand_chunks c on c.rendition_id = o.rendition_id and c.number = asked.number
      left join on_demand_chunks before on before.rendition_id = o.rendition_id and before.number = asked.number - 1`
    return new Map(
      rows.map((row) => [
        textOf({ renditionId: row.rendition_id, number: row.number }),
        {
          isReady: row.is_ready,
          isClaimed: row.is_claimed,
          isMadeOnRequest: row.is_made_on_request,
          attempt: row.attempt,
          isNextOfReady: row.is_next,
          projectId: row.project_id,
          successorId: row.successor_id,
          isOfCurrentRevision: row.is_current,
        },
      ]),
    )
  })
  return (key) => load(textOf(key))
}

/** A rung that is withdrawn meanwhile gets no chunks. A withdrawal also deletes the rung before its chunks. */
export const lockRung = async (tx: Tx, renditionId: number): Promise<void> => {
  await sql`select from on_demand_renditions where rendition_id = ${renditionId} for key share`.execute(tx)
}

/** Nothing more is encoded for a rendition that another one has replaced. */
export const isNotEvicted = sql`not exists (select from evicted_renditions e where e.former_id = o.rendition_id)`

/** Waiting requests ask for their chunk every second. A redirected player returns within this time. */
const awaitedSeconds = 3
/** A viewer who returns within this time keeps the place in the order. */
const returnSeconds = 2
/** Encoders run ahead for this long after the last request of a viewer whose segments are ready. */
const watchedSeconds = 30
/** They do so for this long before the viewer's next request. */
const firstSeconds = 6

/** Asks the workers for a chunk that a viewer waits for. */
export const awaitChunk = (
  database: Database,
  jobs: Pick<Jobs, 'enqueue'>,
  { renditionId, number }: ChunkKey,
): Promise<void> =>
  database.transaction(async (tx) => {
    await lockRung(tx, renditionId)
    const until = sql`now() + make_interval(secs => ${awaitedSeconds})`
    const { rows } = await sql`
      insert into on_demand_chunks as chunk (rendition_id, number, account_id, file_id, wanted_until, awaited_until)
      select o.rendition_id, ${number}::int, o.account_id, o.file_id, ${until}, ${until}
      from on_demand_renditions o
      where o.rendition_id = ${renditionId} and ${isNotEvicted}
      on conflict (rendition_id, number) do update set
        wanted_at = case when chunk.awaited_until > now() - make_interval(secs => ${returnSeconds})
          then chunk.wanted_at else now() end,
        wanted_until = greatest(chunk.wanted_until, excluded.wanted_until),
        awaited_until = excluded.awaited_until
      where chunk.state <> 'ready'
      returning chunk.number`.execute(tx)
    await markWatchedNow(tx, renditionId)
    if (rows.length === 0) return
    await jobs.enqueue(tx, makeChunksJob, { renditionId }, { key: `${renditionId}.${number}`, priority: 1 })
  })

/**
 * Withdraws what the last viewer of this process who waited for a chunk had asked for. Viewers of other api processes ask again
 * within a second.
 */
export const stopAwaiting = async (
  { kysely }: Database,
  { renditionId, number }: ChunkKey,
): Promise<void> => {
  await sql`
    update on_demand_chunks set awaited_until = now(),
      wanted_until = case when wanted_until > awaited_until then wanted_until else now() end
    where rendition_id = ${renditionId} and number = ${number} and state <> 'ready' and awaited_until > now()`.execute(
    kysely,
  )
}

export interface RunAhead {
  readonly count: number
  /** Whether the chunk before them is being encoded, rather than ready. */
  readonly isFirst: boolean
}

/** Asks the workers for the chunks after this one, which are encoded ahead of a viewer. */
export const wantAhead = (
  database: Database,
  jobs: Pick<Jobs, 'enqueue'>,
  { renditionId, number }: ChunkKey,
  { count, isFirst }: RunAhead,
): Promise<void> =>
  database.transaction(async (tx) => {
    await lockRung(tx, renditionId)
    const isTaken = isFirst && (await holdClaim(tx, { renditionId, number }))
    const { rows } = await sql`
      insert into on_demand_chunks as chunk (rendition_id, number, account_id, file_id, wanted_until)
      select o.rendition_id, number, o.account_id, o.file_id, now() + make_interval(secs => ${isFirst ? firstSeconds : watchedSeconds})
      from on_demand_renditions o,
        generate_series(${number + 1}::int, least(${number + count}::int, o.chunk_count - 1)) number
      where o.rendition_id = ${renditionId} and ${isNotEvicted}
      order by number
      on conflict (rendition_id, number) do update set
        wanted_at = case when chunk.wanted_until > now() then chunk.wanted_at else now() end,
        wanted_until = greatest(chunk.wanted_until, excluded.wanted_until)
      where chunk.state <> 'ready'
      returning chunk.number`.execute(tx)
    await markWatchedNow(tx, renditionId)
    // The encoder of this chunk takes them next.
    if (rows.length === 0 || isTaken) return
    await jobs.enqueue(tx, makeChunksJob, { renditionId }, { key: `${renditionId}.ahead`, priority: 0 })
  })

/** Returns whether an encoder has the chunk. The encoder finishes it only after this transaction, so it sees what is wanted then. */
const holdClaim = async (tx: Tx, { renditionId, number }: ChunkKey): Promise<boolean> => {
  const { rows } = await sql`
    select from on_demand_chunks where rendition_id = ${renditionId} and number = ${number} and state = 'claimed'
    for share`.execute(tx)
  return rows.length > 0
}

const markWatchedNow = (tx: Tx, renditionId: number): Promise<unknown> =>
  sql`
    update on_demand_renditions set watched_at = now()
    where rendition_id = ${renditionId} and coalesce(watched_at < now() - interval '1 minute', true)`.execute(
    tx,
  )
