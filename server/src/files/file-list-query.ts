import { defaultLimit, type Page } from '../http/paging.ts'
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

/** A page as the database puts it together. */
export interface FoundPage {
  readonly totalCount: number
  /** `<id>.<version>` of the files in their order, with commas in between. */
  readonly versions: string
  /** Their records as they are sent, with commas in between. */
  readonly records: Buffer
  /** Null on the last page. */
  readonly last: Position | null
}

/** Beyond it a page is found by adding up the blocks of ids instead of walking through the index. */
const longestWalk = 1_024

/** The place where a page of the unfiltered list begins: a bound of the ids, and how many to skip from there. */
const deepStart = ({ sort }: Page, offset: string): string => `
  start as materialized (
    select ${sort === 'desc' ? '(block + 1) << 10' : '(block << 10) - 1'} as bound, ${offset} - before as skip
    from (
      select block, file_count, sum(file_count::int) over (order by block ${sort} rows unbounded preceding) - file_count as before
      from file_blocks where project_id = $1
    ) blocks
    where before <= ${offset} and before + file_count > ${offset} limit 1
  ),`

/**
 * All files of a project in the order of their ids, which is how nearly every list begins: found by an index alone, read as one range of rows
 * that pass through no other step. The one file more that is found only says that there is a next page.
 */
const plainQuery = (
  page: Page,
  {
    count,
    onPage,
    limit,
    offset,
  }: { count: string; onPage: readonly string[]; limit: string; offset: string },
): string => {
  const { sort } = page
  const isDeep = page.offset > longestWalk
  const conditions = isDeep
    ? [...onPage, `file_id ${sort === 'desc' ? '<' : '>'} (select bound from start)`]
    : onPage
  const oneLess = `(count(*) = ${limit})::int`
  return `
    with ${isDeep ? deepStart(page, offset) : ''} ids as materialized (
      select file_id from file_list where ${conditions.join(' and ')}
      order by file_id ${sort} limit ${limit} offset ${isDeep ? '(select skip from start)' : offset}
    ), range as materialized (
      select min(file_id) + ${sort === 'desc' ? oneLess : '0'} as lowest, max(file_id) - ${sort === 'desc' ? '0' : oneLess} as highest,
        count(*) = ${limit} as has_more
      from ids
    )
    select (${count}), (select has_more from range), null, string_agg(id || '.' || version, ','), string_agg(record, ',')
    from (
      select id, version, record from media_files
      where project_id = $1::bigint and deleted_at is null
        and id between (select lowest from range) and (select highest from range)
      order by id ${sort}
    ) found`
}

/**
 * One statement for the page, its records and its count, so that all are of one moment. It is written by hand for the planner: the rows are narrow,
 * every order has its index, and what is searched for is known when it plans.
 */
const writeQuery = (
  projectId: number,
  filter: FileFilter,
  page: Page,
  knownCount: number | undefined,
): { text: string; values: unknown[]; isPlain: boolean } => {
  const values: unknown[] = [projectId]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const { sort, after } = page
  const comparison = sort === 'desc' ? '<' : '>'
  const column = sortColumns[page.orderBy as keyof typeof sortColumns] as
    (typeof sortColumns)[keyof typeof sortColumns] | undefined
  const isSearch = filter.termQueries.length > 0
  const isPlain = !isSearch && filter.conditions.length === 0 && !filter.includeDeleted

  const matching = ['project_id = $1::bigint']
  if (!filter.includeDeleted) matching.push('not is_deleted')
  if (isSearch) matching.push(`terms @@ (${filter.termQueries.map((write) => write(bind)).join(' && ')})`)
  matching.push(...filter.conditions.map((write) => write(bind)))
  const fileCount = 'select file_count from projects where id = $1::bigint'
  const count =
    knownCount !== undefined
      ? `select ${bind(knownCount)}::bigint`
      : isPlain
        ? fileCount
        : `select count(*) from file_list where ${matching.join(' and ')}`

  const onPage = [...matching]
  if (after !== null && column === undefined) onPage.push(`file_id ${comparison} ${bind(after.id)}::bigint`)
  if (after !== null && column !== undefined)
    onPage.push(
      `(${column.name}, file_id) ${comparison} (${bind(after.key)}::text::${column.type}, ${bind(after.id)}::bigint)`,
    )
  // Written out for the default, so that one plan is made once and serves all such pages; each number would be a statement of its own.
  const limit = page.limit === defaultLimit ? `${page.limit + 1}::bigint` : `${bind(page.limit + 1)}::bigint`
  const offset = `${bind(page.offset)}::bigint`
  if (isPlain && column === undefined)
    return { isPlain, values, text: plainQuery(page, { count, onPage, limit, offset }) }
  const order = column === undefined ? `file_id ${sort}` : `sort_key ${sort}, file_id ${sort}`
  const found = `select file_id, version, ${column?.name ?? 'null'} as sort_key from file_list where ${onPage.join(' and ')}`
  const pageOf = (files: string): string => `(
    select coalesce(json_agg(json_build_array(file_id, version, sort_key::text) order by ${order}), '[]')
    from (${files} order by ${order} limit ${limit} offset ${offset}) page
  )`

  return {
    isPlain,
    values,
    // PostgreSQL cannot tell how many files a prefix finds, but here it has been counted: with many it is quicker to walk through the order
    // until the page is full, with few to find them all and sort them. `offset 0` keeps these two steps apart.
    text: `
      with total as materialized (${count}), outline as materialized (
        select ${
          isSearch
            ? `case
                when (${limit} + ${offset})::float8 * (${fileCount}) < (table total)::float8 ^ 2 then ${pageOf(found)}
                else ${pageOf(`select * from (${found} offset 0) found`)}
              end`
            : pageOf(found)
        } as entries
      )
      select (table total), json_array_length((table outline)) = ${limit}, (table outline)->(${limit} - 2)::int->>2, shown.*
      from (
        select string_agg(f.id || '.' || f.version, ',' order by one.position), string_agg(f.record, ',' order by one.position)
        from outline, json_array_elements(entries) with ordinality as one (entry, position)
        join media_files f on f.id = (one.entry->>0)::bigint
        where one.position < ${limit}
      ) shown`,
  }
}

/** Fifty records in one piece, never taken apart here. `knownCount` saves counting again. Throws 'invalid' for a cursor that was made up. */
export const readFilePage = async (
  { sql }: Pick<Database, 'sql'>,
  projectId: number,
  filter: FileFilter,
  page: Page,
  knownCount: number | undefined,
): Promise<FoundPage> => {
  const { text, values, isPlain } = writeQuery(projectId, filter, page, knownCount)
  // Filters are planned anew with their values: a rare word and a common one want different plans.
  const rows = await sql.rawText(text, values, { isPrepared: isPlain }).catch(refuseForgedCursor(page))
  const [totalCount, hasMore, lastKey, versions, records] = rows[0] ?? []
  const listed = versions?.toString('latin1') ?? ''
  const lastId = Number.parseInt(listed.slice(listed.lastIndexOf(',') + 1), 10)
  return {
    totalCount: Number(totalCount),
    versions: listed,
    records: records ?? Buffer.alloc(0),
    last: hasMore?.toString('latin1') === 't' ? { id: lastId, key: lastKey?.toString('utf8') ?? null } : null,
  }
}
