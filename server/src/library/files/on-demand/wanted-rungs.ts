import { sql } from 'kysely'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { makeChunksJob } from '../queue/file-jobs.ts'
import { isNotEvicted, lockRung } from './wanted-chunks.ts'

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
        wanted_until = excluded.wanted_until
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
