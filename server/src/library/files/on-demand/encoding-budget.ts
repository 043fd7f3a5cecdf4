import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { soonSeconds } from './wanted-rungs.ts'

/** Whether more media may be encoded on demand for the project today (UTC). */
export const hasBudgetLeft = async (
  { kysely }: Database,
  projectId: number,
  secondsPerDay: number,
): Promise<boolean> => {
  if (secondsPerDay === 0) return true
  const row = await kysely
    .selectFrom('on_demand_days')
    .select('encoded_seconds')
    .where('project_id', '=', projectId)
    .where('day', '=', new Date().toISOString().slice(0, 10))
    .executeTakeFirst()
  return (row?.encoded_seconds ?? 0) < secondsPerDay
}

/**
 * Whether another download may have a rung encoded today: what earlier downloads still want counts, too, at the mean length of
 * their segments.
 */
export const hasDownloadBudgetLeft = async (
  { kysely }: Database,
  projectId: number,
  secondsPerDay: number,
): Promise<boolean> => {
  if (secondsPerDay === 0) return true
  const { rows } = await sql<{ is_left: boolean }>`
    select ${secondsPerDay}::float8 >
      coalesce((
        select encoded_seconds from on_demand_days
        where project_id = ${projectId} and day = (now() at time zone 'utc')::date
      ), 0) + coalesce((
        select sum((f.properties ->> 'Length')::float8 / o.chunk_count)
        from on_demand_chunks c
        join on_demand_renditions o on o.rendition_id = c.rendition_id
        join media_files f on f.id = o.file_id and f.project_id = ${projectId} and f.deleted_at is null
        where c.state <> 'ready' and c.wanted_until > now() + make_interval(secs => ${soonSeconds})
      ), 0) as is_left`.execute(kysely)
  return rows[0]?.is_left === true
}

/** Past days no longer count. */
export const dropOldEncodingDays = async ({ kysely }: Database): Promise<void> => {
  const before = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  await kysely.deleteFrom('on_demand_days').where('day', '<', before).execute()
}
