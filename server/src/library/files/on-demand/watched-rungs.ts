import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/**
 * Records that viewers watch these renditions, as far as they are encoded on demand. HEVC and AV1 rungs count as watched with any
 * rendition of their file, because players cannot load them before they are complete.
 */
export const markWatched = async ({ kysely }: Database, renditionIds: readonly number[]): Promise<void> => {
  const ids = [...renditionIds]
  // A fixed order, so that concurrent statements cannot deadlock.
  await sql`
    update on_demand_renditions o set watched_at = now()
    from (
      select rendition_id from on_demand_renditions
      where (
        rendition_id = any(${ids}::bigint[])
        or rendition_id in (
          select other.id from renditions seen
          join renditions other on other.file_id = seen.file_id and other.kind = 'video' and other.codec not like 'avc%'
          where seen.id = any(${ids}::bigint[])
        )
      ) and coalesce(watched_at < now() - interval '1 hour', true)
      order by rendition_id for no key update
    ) watched
    where o.rendition_id = watched.rendition_id`.execute(kysely)
}

/** Returns the renditions that have replaced evicted ones, by the former ids. They may be of files that the caller may not see. */
export const findSuccessors = async (
  { kysely }: Database,
  formerIds: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const rows = await kysely
    .selectFrom('evicted_renditions')
    .select(['former_id', 'rendition_id'])
    .where('former_id', 'in', formerIds)
    .execute()
  return new Map(rows.map(({ former_id, rendition_id }) => [former_id, rendition_id]))
}
