import type { Page } from '../http/paging.ts'
import type { Database } from '../kernel/db/database.ts'
import { refuseForgedCursor, type Position } from '../kernel/db/keyset.ts'
import type { FileFilter } from './file-filters.ts'

/** The orders of the list beside the id, which is that of creation: columns of `file_list` that are never null. */
const sortColumns = {
  updated: { name: 'updated_at', type: 'timestamptz' },
  title: { name: 'title', type: 'text' },
  length: { name: 'length', type: 'double precision' },
  size: { name: 'size', type: 'bigint' },
} as const

export const fileOrders = ['created', 'updated', 'title', 'length', 'size'] as const

/** Which versions of which records stand on a page. */
export interface Outline {
  readonly totalCount: number
  readonly files: readonly { readonly id: number; readonly version: number }[]
  /** Null on the last page. */
  readonly last: Position | null
}

/** Beyond it a page is found by adding up the blocks of ids instead of walking through the index. */
const longestWalk = 1_024

/** The place where a page of the unfiltered list begins: a bound of the ids, and how many to skip from there. */
const deepStart = ({ sort }: Page, offset: string): string => `
  with blocks as (
    select block, file_count, sum(file_count) over (order by block ${sort}) - file_count as before
    from file_blocks where project_id = $1
  ), start as (
    select ${sort === 'desc' ? '(block + 1) << 10' : '(block << 10) - 1'} as bound, ${offset}::bigint - before as skip
    from blocks where before <= ${offset}::bigint and before + file_count > ${offset}::bigint
  )`

/**
 * One statement for the page and its count, so that both are of one moment. It is written by hand for the planner: each table row is
 * narrow, every order has its index, and what is searched for is known when it plans.
 */
const writeQuery = (
  projectId: number,
  filter: FileFilter,
  page: Page,
): { text: string; values: unknown[]; isPlain: boolean } => {
  const values: unknown[] = [projectId]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const { sort, after } = page
  const comparison = sort === 'desc' ? '<' : '>'
  const column = sortColumns[page.orderBy as keyof typeof sortColumns] as
    (typeof sortColumns)[keyof typeof sortColumns] | undefined
  const isPlain = filter.conditions.length + filter.termQueries.length === 0 && !filter.includeDeleted

  const matching = ['project_id = $1::bigint']
  if (!filter.includeDeleted) matching.push('not is_deleted')
  if (filter.termQueries.length > 0)
    matching.push(`terms @@ (${filter.termQueries.map((write) => write(bind)).join(' && ')})`)
  matching.push(...filter.conditions.map((write) => write(bind)))

  const onPage = [...matching]
  if (after !== null && column === undefined) onPage.push(`file_id ${comparison} ${bind(after.id)}::bigint`)
  if (after !== null && column !== undefined)
    onPage.push(
      `(${column.name}, file_id) ${comparison} (${bind(after.key)}::text::${column.type}, ${bind(after.id)}::bigint)`,
    )
  const isDeep = isPlain && column === undefined && page.offset > longestWalk
  const limit = bind(page.limit + 1)
  const offset = bind(page.offset)
  if (isDeep) onPage.push(`file_id ${comparison} (select bound from start)`)
  const key = column?.name ?? 'null'
  const order = column === undefined ? `file_id ${sort}` : `sort_key ${sort}, file_id ${sort}`

  return {
    isPlain,
    values,
    text: `${isDeep ? deepStart(page, offset) : ''}
      select (${
        isPlain
          ? 'select file_count from projects where id = $1::bigint'
          : `select count(*) from file_list where ${matching.join(' and ')}`
      }), (
        select coalesce(json_agg(json_build_array(file_id, version, sort_key::text) order by ${order}), '[]')
        from (
          select file_id, version, ${key} as sort_key from file_list where ${onPage.join(' and ')}
          order by ${order} limit ${limit}::bigint offset ${isDeep ? '(select skip from start)' : `${offset}::bigint`}
        ) page
      )`,
  }
}

/** Throws 'invalid' for a cursor that was made up. */
export const readOutline = async (
  { sql }: Pick<Database, 'sql'>,
  projectId: number,
  filter: FileFilter,
  page: Page,
): Promise<Outline> => {
  const { text, values, isPlain } = writeQuery(projectId, filter, page)
  // Filters are planned anew with their values: a rare word and a common one want different plans.
  const rows = await sql
    .unsafe(text, values as never[], { prepare: isPlain })
    .raw()
    .catch(refuseForgedCursor(page))
  const [totalCount, found] = rows[0] as unknown as [Buffer, Buffer]
  const entries = JSON.parse(found.toString('utf8')) as [number, number, string | null][]
  const shown = entries.slice(0, page.limit)
  const lastShown = shown.at(-1)
  return {
    totalCount: Number(totalCount),
    files: shown.map(([id, version]) => ({ id, version })),
    last:
      entries.length > page.limit && lastShown !== undefined ? { id: lastShown[0], key: lastShown[2] } : null,
  }
}
