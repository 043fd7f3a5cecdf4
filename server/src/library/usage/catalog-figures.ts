import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

interface CatalogFigures {
  readonly project_id: number
  readonly entry_id: number
  readonly file_count: number
}

/**
 * Counts the files of each project by category, video type and share in one pass over all files. Row-level
 * security prevents the use of an index on JSON values (decision 0010), so a query per entry would read all
 * files each time.
 */
export const measureCatalog = async (
  queryable: Queryable,
  accountId: number,
): Promise<readonly CatalogFigures[]> => {
  const { rows } = await sql<CatalogFigures>`
    select f.project_id, (named ->> 'Id')::bigint as entry_id, count(*)::bigint as file_count
    from media_files f
      join projects on projects.id = f.project_id and projects.deleted_at is null
      cross join jsonb_array_elements((f.metadata -> 'Category') || (f.metadata -> 'Videotype') || (f.metadata -> 'Share')) as named
    where f.account_id = ${accountId} and f.deleted_at is null
    group by f.project_id, entry_id`.execute(queryable)
  return rows
}

/** Sums the figures of the visible projects. Null = all. */
export const countByEntry = (
  figures: readonly CatalogFigures[],
  projectIds: readonly number[] | null,
): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const { project_id, entry_id, file_count } of figures)
    if (projectIds === null || projectIds.includes(project_id))
      counts.set(entry_id, (counts.get(entry_id) ?? 0) + file_count)
  return counts
}
