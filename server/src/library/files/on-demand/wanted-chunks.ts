import { sql } from 'kysely'
import { createBatchLoader } from '../../../platform/db/batch-loader.ts'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
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
  /** Number of claims; names the folder of the segment. */
  readonly attempt: number
  /** Whether the chunk before is ready, as for a viewer who plays on. */
  readonly isNextOfReady: boolean
  readonly projectId: number
  /** Rendition that has taken the place of this one; null = none has. */
  readonly successorId: number | null
}

interface FoundRow {
  readonly rendition_id: number
  readonly number: number
  readonly is_ready: boolean
  readonly attempt: number
  readonly is_next: boolean
  readonly project_id: number
  readonly successor_id: number | null
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
        coalesce(c.attempt, 0) as attempt, coalesce(before.state = 'ready', false) as is_next, f.project_id::float8,
        e.rendition_id::float8 as successor_id
      from unnest(${asked.map(([id]) => id)}::bigint[], ${asked.map(([, number]) => number)}::bigint[])
        as asked (rendition_id, number)
      join on_demand_renditions o on o.rendition_id = asked.rendition_id and asked.number < o.chunk_count
      join media_files f on f.id = o.file_id
      left join evicted_renditions e on e.former_id = o.rendition_id
      left join on_demand_chunks c on c.rendition_id = o.rendition_id and c.number = asked.number
      left join on_demand_chunks before on before.rendition_id = o.rendition_id and before.number = asked.number - 1`
    return new Map(
      rows.map((row) => [
        textOf({ renditionId: row.rendition_id, number: row.number }),
        {
          isReady: row.is_ready,
          attempt: row.attempt,
          isNextOfReady: row.is_next,
          projectId: row.project_id,
          successorId: row.successor_id,
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
const isNotEvicted = sql`not exists (select from evicted_renditions e where e.former_id = o.rendition_id)`

/** An encoder that is late by more than this begins with chunks that viewers still wait for. */
const awaitedSeconds = 6
/** Encoders run ahead for this long after the last request. */
const watchedSeconds = 30

/**
 * Asks the workers for a chunk, and for those after it. `isAwaited` is false when the first one is ready already.
 */
export const wantChunks = (
  database: Database,
  jobs: Pick<Jobs, 'enqueue'>,
  { renditionId, number }: ChunkKey,
  { isAwaited, aheadCount }: { readonly isAwaited: boolean; readonly aheadCount: number },
): Promise<void> =>
  database.transaction(async (tx) => {
    await lockRung(tx, renditionId)
    const { rows } = await sql<{ number: number }>`
      insert into on_demand_chunks as chunk (rendition_id, number, account_id, file_id, wanted_until, is_awaited)
      select o.rendition_id, number, o.account_id, o.file_id,
        now() + make_interval(secs => case when number = ${number}::int then ${awaitedSeconds}::int else ${watchedSeconds}::int end),
        number = ${number}::int
      from on_demand_renditions o,
        generate_series(${number + (isAwaited ? 0 : 1)}::int, least(${number + aheadCount}::int, o.chunk_count - 1)) number
      where o.rendition_id = ${renditionId} and ${isNotEvicted}
      order by number
      on conflict (rendition_id, number) do update set
        wanted_at = case when chunk.wanted_until > now() and chunk.is_awaited >= excluded.is_awaited
          then chunk.wanted_at else now() end,
        wanted_until = greatest(chunk.wanted_until, excluded.wanted_until),
        is_awaited = excluded.is_awaited or (chunk.is_awaited and chunk.wanted_until > now())
      where chunk.state <> 'ready'
      returning chunk.number`.execute(tx)
    await sql`
      update on_demand_renditions set watched_at = now()
      where rendition_id = ${renditionId} and coalesce(watched_at < now() - interval '1 minute', true)`.execute(
      tx,
    )
    if (rows.length === 0) return
    const key = `${renditionId}.${isAwaited ? number : 'ahead'}`
    await jobs.enqueue(tx, makeChunksJob, { renditionId }, { key, priority: isAwaited ? 1 : 0 })
  })

/** A rung that is wanted as a whole is encoded without further requests. */
const wholeSeconds = 6 * 3_600
/** Chunks that viewers want are wanted for less. */
export const soonSeconds = 60

export interface WantedRung {
  readonly chunkCount: number
  readonly readyCount: number
  /** Whether all chunks are ready or wanted. */
  readonly isUnderWay: boolean
  readonly projectId: number
}

/** Returns null when the rung has been withdrawn. */
export const readWantedRung = async (
  { sql: query }: Database,
  renditionId: number,
): Promise<WantedRung | null> => {
  const [row] = await query<{ count: number; ready: number; wanted: number; project_id: number }[]>`
    select o.chunk_count as count, f.project_id::float8,
      count(c.number) filter (where c.state = 'ready')::int as ready,
      count(c.number) filter (where c.state <> 'ready' and c.wanted_until > now() + make_interval(secs => ${soonSeconds}))::int as wanted
    from on_demand_renditions o
    join media_files f on f.id = o.file_id
    left join on_demand_chunks c on c.rendition_id = o.rendition_id
    where o.rendition_id = ${renditionId}
    group by o.rendition_id, f.project_id`
  if (row === undefined) return null
  return {
    chunkCount: row.count,
    readyCount: row.ready,
    isUnderWay: row.ready + row.wanted >= row.count,
    projectId: row.project_id,
  }
}

/** Asks the workers for all chunks of a rung, after those that viewers want. */
export const wantRung = (
  database: Database,
  jobs: Pick<Jobs, 'enqueue'>,
  renditionId: number,
): Promise<void> =>
  database.transaction(async (tx) => {
    await lockRung(tx, renditionId)
    await sql`
      insert into on_demand_chunks as chunk (rendition_id, number, account_id, file_id, wanted_until)
      select o.rendition_id, number, o.account_id, o.file_id, now() + make_interval(secs => ${wholeSeconds}::int)
      from on_demand_renditions o, generate_series(0, o.chunk_count - 1) number
      where o.rendition_id = ${renditionId} and ${isNotEvicted}
      order by number
      on conflict (rendition_id, number) do update set
        wanted_until = excluded.wanted_until,
        is_awaited = chunk.is_awaited and chunk.wanted_until > now()
      where chunk.state <> 'ready'`.execute(tx)
    await wakeForRung(tx, jobs, renditionId)
  })

/** Wakes a worker for a rung that is wanted as a whole, unless one is at work. The run that began it may have ended early. */
export const wakeForRung = (
  queryable: Queryable,
  jobs: Pick<Jobs, 'enqueue'>,
  renditionId: number,
): Promise<void> =>
  jobs.enqueue(queryable, makeChunksJob, { renditionId }, { key: `${renditionId}.whole`, priority: 0 })
