import type { Database } from '../../../platform/db/database.ts'
import type { InstallationMetrics } from '../../../platform/telemetry/installation-metrics.ts'

const chunks = 'zoetrope_ondemand_chunks'

const stored = 'zoetrope_stored_bytes'
/** The sum over all renditions on demand changes slowly. */
const storedForMs = 60_000

/** Bytes of the media of all projects, as in their usage. */
const readStored = async ({ sql }: Database): Promise<Readonly<Record<'pinned' | 'evictable', number>>> => {
  const [row] = await sql<{ total: number; evictable: number }[]>`
    select coalesce((
        select sum(storage_bytes + coalesce((select sum(c.storage_bytes) from project_counts c where c.project_id = p.id), 0))
        from projects p where deleted_at is null
      ), 0)::float8 as total,
      coalesce((
        select sum(r.size_bytes) from on_demand_renditions o
        join renditions r on r.id = o.rendition_id
        join media_files f on f.id = r.file_id and f.generation = r.generation and f.deleted_at is null
        join projects p on p.id = f.project_id and p.deleted_at is null
        where r.size_bytes > 0
      ), 0)::float8 as evictable`
  const { total = 0, evictable = 0 } = row ?? {}
  return { pinned: Math.max(0, total - evictable), evictable }
}

export const storedMetrics = (database: Database): InstallationMetrics => {
  let readAtMs = -Infinity
  let values: Awaited<ReturnType<typeof readStored>> = { pinned: 0, evictable: 0 }
  return {
    metrics: [
      {
        name: stored,
        help: 'Media of all projects: evictable is what can be encoded again on demand, pinned is the rest. Read once a minute.',
        labelNames: ['kind'],
      },
    ],
    read: async () => {
      if (performance.now() - readAtMs > storedForMs) {
        values = await readStored(database)
        readAtMs = performance.now()
      }
      return {
        [stored]: Object.entries(values).map(([kind, value]) => ({ labels: { kind }, value })),
      }
    },
  }
}

export const onDemandMetrics = ({ sql }: Database): InstallationMetrics => ({
  metrics: [
    {
      name: chunks,
      help: 'Segments that viewers want and that are not encoded yet: awaited by a viewer, ahead of one, or being encoded.',
      labelNames: ['state'],
    },
  ],
  read: async () => {
    const [row] = await sql<{ awaited: number; ahead: number; encoding: number }[]>`
      select count(*) filter (where leased_until >= now())::int as encoding,
        count(*) filter (where coalesce(leased_until < now(), true) and coalesce(awaited_until > now(), false))::int as awaited,
        count(*) filter (where coalesce(leased_until < now(), true) and coalesce(awaited_until <= now(), true))::int as ahead
      from on_demand_chunks where state <> 'ready' and (wanted_until > now() or leased_until >= now())`
    const { awaited = 0, ahead = 0, encoding = 0 } = row ?? {}
    return {
      [chunks]: Object.entries({ awaited, ahead, encoding }).map(([state, value]) => ({
        labels: { state },
        value,
      })),
    }
  },
})
