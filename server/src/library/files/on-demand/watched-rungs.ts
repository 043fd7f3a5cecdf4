import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** Records that viewers watch these renditions. Those that are not encoded on demand are left alone. */
export const markWatched = async ({ kysely }: Database, renditionIds: readonly number[]): Promise<void> => {
  // A fixed order, so that concurrent statements cannot deadlock.
  await sql`
    update on_demand_renditions o set watched_at = now()
    from (
      select rendition_id from on_demand_renditions
      where rendition_id = any(${[...renditionIds]}::bigint[]) and coalesce(watched_at < now() - interval '1 hour', true)
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
