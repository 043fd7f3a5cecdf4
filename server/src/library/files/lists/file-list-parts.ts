import type { Page } from '../../../platform/http/responses/paging.ts'
import type { Database } from '../../../platform/db/database.ts'
import { refuseForgedCursor, type Position } from '../../../platform/db/keyset.ts'
import type { Bind, FileFilter } from './file-filters.ts'

/** Sort columns of `file_list` other than the id, which stands for creation. They are never null. */
const sortColumns = {
  updated: { name: 'updated_at', type: 'timestamptz' },
  title: { name: 'title', type: 'text' },
  length: { name: 'length', type: 'double precision' },
  size: { name: 'size', type: 'bigint' },
} as const

export const fileOrders = ['created', 'updated', 'title', 'length', 'size'] as const

export interface FoundPage {
  readonly totalCount: number
  /** Comma-separated `<id>.<version>` of the files, in list order. */
  readonly versions: string
  /** Comma-separated JSON records, as they are sent. */
  readonly records: string
  /** Value of `cursor` for the next page. Null on the last page. */
  readonly last: Position | null
}

export const matchingConditions = (filter: FileFilter, project: string, bind: Bind): string[] => {
  const { termQueries, conditions } = filter
  return [
    `project_id = ${project}`,
    ...(filter.includeDeleted ? [] : ['not is_deleted']),
    ...(termQueries.length === 0
      ? []
      : [`terms @@ (${termQueries.map((write) => write(bind, project)).join(' && ')})`]),
    ...conditions.map((write) => write(bind, project)),
  ]
}

type SortColumn = (typeof sortColumns)[keyof typeof sortColumns]

export const sortColumnOf = ({ orderBy }: Page): SortColumn | undefined =>
  sortColumns[orderBy as keyof typeof sortColumns]

export const afterPosition = (page: Page, column: SortColumn | undefined, bind: Bind): string[] => {
  const { sort, after } = page
  if (after === null) return []
  const comparison = sort === 'desc' ? '<' : '>'
  return column === undefined
    ? [`file_id ${comparison} ${bind(after.id)}::bigint`]
    : [
        `(${column.name}, file_id) ${comparison} (${bind(after.key)}::text::${column.type}, ${bind(after.id)}::bigint)`,
      ]
}

export const isFilterless = ({ includeDeleted, conditions, termQueries }: FileFilter): boolean =>
  !includeDeleted && conditions.length === 0 && termQueries.length === 0

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Statements with filters are not prepared: rare and common words need different plans. */
  readonly isPrepared: boolean
}

export const orderOf = ({ sort }: Page, column: SortColumn | undefined): string =>
  column === undefined ? `file_id ${sort}` : `sort_key ${sort}, file_id ${sort}`

export const outlineOf = (entries: string, order: string): string =>
  `select coalesce(json_agg(json_build_array(file_id, version, sort_key::text) order by ${order}), '[]') from (${entries}) page`

export const pageRecords = (limit: string): string => `
  select (table total), json_array_length((table outline)) = ${limit}, (table outline)->(${limit} - 2)::int->>2, shown.*
  from (
    select string_agg(f.id || '.' || f.version, ',' order by one.position), string_agg(f.record, ',' order by one.position)
    from outline, json_array_elements(entries) with ordinality as one (entry, position)
    join media_files f on f.id = (one.entry->>0)::bigint
    where one.position < ${limit}
  ) shown`

export const runStatement = async (
  { sql }: Pick<Database, 'sql'>,
  { text, values, isPrepared }: Statement,
  page: Page,
): Promise<FoundPage> => {
  const rows = await sql.rawText(text, values, { isPrepared }).catch(refuseForgedCursor(page))
  const [totalCount, hasMore, lastKey, versions, records] = rows[0] ?? []
  const listed = versions ?? ''
  const lastId = Number.parseInt(listed.slice(listed.lastIndexOf(',') + 1), 10)
  return {
    totalCount: Number(totalCount),
    versions: listed,
    records: records ?? '',
    last: hasMore === 't' ? { id: lastId, key: lastKey ?? null } : null,
  }
}
