import { sql, type RawBuilder } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

/** Usage of one project or of several together. Deleted files do not count. */
export interface UsageFigures {
  readonly file_count: number
  readonly playable_seconds: number
  readonly storage_bytes: number
  readonly source_bytes: number
  readonly picture_bytes: number
  readonly caption_bytes: number
  /** Size of the DVR windows and recordings in progress in the media storage. */
  readonly live_bytes: number
  /** Part of `storage_bytes`: segments that can be encoded again on demand. */
  readonly evictable_bytes: number
}

export interface ProjectFigures extends UsageFigures {
  readonly account_id: number
  readonly project_id: number
}

export const noFigures: UsageFigures = {
  file_count: 0,
  playable_seconds: 0,
  storage_bytes: 0,
  source_bytes: 0,
  picture_bytes: 0,
  caption_bytes: 0,
  live_bytes: 0,
  evictable_bytes: 0,
}

const names = Object.keys(noFigures) as (keyof UsageFigures)[]

export const addFigures = (one: UsageFigures, other: UsageFigures): UsageFigures =>
  Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as UsageFigures

/**
 * Query for the columns of `usage_days` except the day, for each project that has files or stored live media. Null = of all
 * accounts.
 */
export const figuresQuery = (accountId: number | null): RawBuilder<ProjectFigures> => {
  const ofAccount = accountId === null ? sql`true` : sql`f.account_id = ${accountId}`
  const extras = (table: string) => sql`
    select e.file_id, sum(e.size_bytes)::bigint as bytes from ${sql.table(table)} e
    ${accountId === null ? sql`` : sql`where e.account_id = ${accountId}`} group by e.file_id`
  const ofLive = (table: string) =>
    accountId === null ? sql`true` : sql`${sql.ref(table)}.account_id = ${accountId}`
  return sql<ProjectFigures>`
    with pictures as (${extras('file_pictures')}), captions as (${extras('file_captions')}),
    rungs as (
      select r.file_id, r.generation, sum(r.size_bytes)::bigint as bytes
      from on_demand_renditions o join renditions r on r.id = o.rendition_id
      where r.size_bytes > 0 ${accountId === null ? sql`` : sql`and o.account_id = ${accountId}`}
      group by r.file_id, r.generation
    ),
    files as (
      select f.account_id, f.project_id,
        count(*)::bigint as file_count,
        coalesce(sum((f.properties ->> 'Length')::double precision)
          filter (where f.state in ('playable', 'finished', 'degraded')), 0) as playable_seconds,
        sum(f.storage_bytes)::bigint as storage_bytes,
        sum(case when f.source_removed_at is null and f.uploaded_at is not null
          then least(coalesce(f.source_size_bytes, 0), f.storage_bytes) else 0 end)::bigint as source_bytes,
        sum(coalesce(pictures.bytes, 0) + coalesce((f.storyboard ->> 'sizeBytes')::bigint, 0))::bigint as picture_bytes,
        sum(coalesce(captions.bytes, 0))::bigint as caption_bytes,
        sum(coalesce(rungs.bytes, 0))::bigint as evictable_bytes
      from media_files f
        join projects on projects.id = f.project_id and projects.deleted_at is null
        left join pictures on pictures.file_id = f.id
        left join captions on captions.file_id = f.id
        left join rungs on rungs.file_id = f.id and rungs.generation = f.generation
      where f.deleted_at is null and ${ofAccount}
      group by f.account_id, f.project_id
    ), live as (
      select stored.account_id, stored.project_id, sum(stored.bytes)::bigint as live_bytes
      from (
        select b.account_id, b.project_id, b.stored_window_bytes as bytes
        from live_broadcasts b where b.has_stored_window and ${ofLive('b')}
        union all
        select r.account_id, r.project_id, p.size_bytes as bytes
        from live_recordings r join live_recording_pieces p on p.recording_id = r.id where ${ofLive('r')}
      ) stored
        join projects on projects.id = stored.project_id and projects.deleted_at is null
      group by stored.account_id, stored.project_id
    )
    select coalesce(files.account_id, live.account_id) as account_id,
      coalesce(files.project_id, live.project_id) as project_id,
      coalesce(file_count, 0)::bigint as file_count, coalesce(playable_seconds, 0) as playable_seconds,
      coalesce(storage_bytes, 0)::bigint as storage_bytes, coalesce(source_bytes, 0)::bigint as source_bytes,
      coalesce(picture_bytes, 0)::bigint as picture_bytes, coalesce(caption_bytes, 0)::bigint as caption_bytes,
      coalesce(live_bytes, 0)::bigint as live_bytes, coalesce(evictable_bytes, 0)::bigint as evictable_bytes
    from files full join live on live.project_id = files.project_id`
}

export type FiguresOfProjects = ReadonlyMap<number, UsageFigures>

export const measureAccount = async (queryable: Queryable, accountId: number): Promise<FiguresOfProjects> => {
  const { rows } = await figuresQuery(accountId).execute(queryable)
  return new Map(rows.map(({ account_id: _account, project_id, ...figures }) => [project_id, figures]))
}
