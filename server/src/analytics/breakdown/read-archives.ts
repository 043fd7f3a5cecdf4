import type { Database } from '../../platform/db/database.ts'
import { readArchived, type StoredViews } from '../store/stored-views.ts'
import type { ArchiveReader } from '../archive/archive-copies.ts'
import { columnOf, listArchives, type Archive } from '../archive/list-archives.ts'
import { groupOf, mostGroups, sumColumns, summed, type BreakdownQuestion, type Group } from './breakdown.ts'

/** Dimensions that no archive has are the same for all views: unknown. */
const keyOf = (name: string, archives: readonly Archive[]): string => {
  if (name === 'project') return 'project_id'
  if (name === 'file') return 'file_id'
  if (name === 'day') return 'ended_at::date'
  return archives.some(({ dimensions }) => dimensions.includes(name)) ? columnOf(name) : 'null::varchar'
}

const within = (column: string, ids: readonly number[] | null): string =>
  ids === null ? 'true' : `${column} in (${[-1, ...ids].join(', ')})`

const instant = (at: Date): string => `timestamp '${at.toISOString().slice(0, 19).replace('T', ' ')}'`

export interface ArchivedViews {
  readonly archives: readonly Archive[]
  /** Which views are in archives. PostgreSQL has the others. */
  readonly stored: StoredViews
}

/** Archives that are published between two queries would count twice, so the point up to which views are stored is read again. */
export const findArchived = async (
  database: Database,
  question: BreakdownQuestion,
): Promise<ArchivedViews> => {
  for (;;) {
    const stored = await readArchived(database)
    const archives = await listArchives(database.kysely, question)
    const { viewId, before } = await readArchived(database)
    if (viewId === stored.viewId && before === stored.before) return { stored, archives }
  }
}

/** Groups the views that are in archives. The names of dimensions are those of archives, so they are safe in SQL. */
export const groupArchived = async (
  { duckDb, copies }: ArchiveReader,
  archives: readonly Archive[],
  { projectIds, fileIds, from, to, by }: BreakdownQuestion,
): Promise<Group[]> => {
  if (archives.length === 0) return []
  const paths = await copies.pathsOf(archives.map(({ blob }) => blob))
  const keys = by.map((name, index) => `${keyOf(name, archives)} as k${index}`)
  // Texts are made of groups, because that takes longer than to add up a view.
  const texts = by.map((_, index) => `k${index}::varchar as k${index}`)
  const files = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ')
  const rows = await duckDb.query(`
    select ${texts.join(', ')}, ${sumColumns.join(', ')} from (
      select ${keys.join(', ')}, ${summed} from read_parquet([${files}], union_by_name = true)
      where kind = 'viewer' and ended_at >= ${instant(from)} and ended_at < ${instant(to)}
        and ${within('project_id', projectIds)} and ${within('file_id', fileIds)}
      group by all order by s1 desc limit ${mostGroups}
    )`)
  return rows.map((row) => groupOf(row, by.length))
}
