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

/** Returns the rendition that has taken the place of an evicted one of the file. Null when there is none. */
export const findSuccessor = async (
  { kysely }: Database,
  fileId: number,
  formerId: number,
): Promise<number | null> => {
  const row = await kysely
    .selectFrom('evicted_renditions')
    .select('rendition_id')
    .where('former_id', '=', formerId)
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  return row?.rendition_id ?? null
}
