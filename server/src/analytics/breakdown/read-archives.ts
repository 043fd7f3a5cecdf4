import type { Queryable } from '../../platform/db/database.ts'
import type { ArchiveReader } from '../archive/archive-copies.ts'
import { columnOf, listArchives, type Archive } from '../archive/list-archives.ts'
import { groupOf, mostGroups, summed, type BreakdownQuestion, type Group } from './breakdown.ts'

/** Dimensions that no archive has are the same for all views: unknown. */
const keyOf = (name: string, archives: readonly Archive[]): string => {
  if (name === 'project') return 'project_id::varchar'
  if (name === 'file') return 'file_id::varchar'
  if (name === 'day') return "strftime(ended_at, '%Y-%m-%d')"
  return archives.some(({ dimensions }) => dimensions.includes(name)) ? columnOf(name) : 'null::varchar'
}

const within = (column: string, ids: readonly number[] | null): string =>
  ids === null ? 'true' : `${column} in (${[-1, ...ids].join(', ')})`

const instant = (at: Date): string => `timestamp '${at.toISOString().slice(0, 19).replace('T', ' ')}'`

/** Groups the views that are in archives. The names of dimensions are those of archives, so they are safe in SQL. */
export const groupArchived = async (
  { duckDb, copies }: ArchiveReader,
  queryable: Queryable,
  question: BreakdownQuestion,
): Promise<Group[]> => {
  const { projectIds, fileIds, from, to, by } = question
  const archives = await listArchives(queryable, question)
  if (archives.length === 0) return []
  const paths = await copies.pathsOf(archives.map(({ blob }) => blob))
  const keys = by.map((name, index) => `${keyOf(name, archives)} as k${index}`)
  const files = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ')
  const rows = await duckDb.query(`
    select ${keys.join(', ')}, ${summed} from read_parquet([${files}], union_by_name = true)
    where kind = 'viewer' and ended_at >= ${instant(from)} and ended_at < ${instant(to)}
      and ${within('project_id', projectIds)} and ${within('file_id', fileIds)}
    group by all order by s1 desc limit ${mostGroups}`)
  return rows.map((row) => groupOf(row, by.length))
}
