import { defaultLimit, type Page } from '../http/paging.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Bind, FileFilter } from './file-filters.ts'
import {
  afterPosition,
  isFilterless,
  matchingConditions,
  orderOf,
  outlineOf,
  pageRecords,
  runStatement,
  sortColumnOf,
  type FoundPage,
  type Statement,
} from './file-list-parts.ts'

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
const projectStatement = (
  projectId: number,
  filter: FileFilter,
  page: Page,
  knownCount: number | undefined,
): Statement => {
  const values: unknown[] = [projectId]
  const bind: Bind = (value) => `$${values.push(value)}`
  const column = sortColumnOf(page)
  const isSearch = filter.termQueries.length > 0
  const isPlain = isFilterless(filter)

  const matching = matchingConditions(filter, '$1::bigint', bind)
  const fileCount = 'select file_count from projects where id = $1::bigint'
  const count =
    knownCount !== undefined
      ? `select ${bind(knownCount)}::bigint`
      : isPlain
        ? fileCount
        : `select count(*) from file_list where ${matching.join(' and ')}`

  const onPage = [...matching, ...afterPosition(page, column, bind)]
  // Written out for the default, so that one plan is made once and serves all such pages; each number would be a statement of its own.
  const limit = page.limit === defaultLimit ? `${page.limit + 1}::bigint` : `${bind(page.limit + 1)}::bigint`
  const offset = `${bind(page.offset)}::bigint`
  if (isPlain && column === undefined)
    return { isPrepared: true, values, text: plainQuery(page, { count, onPage, limit, offset }) }
  const order = orderOf(page, column)
  const found = `select file_id, version, ${column?.name ?? 'null'} as sort_key from file_list where ${onPage.join(' and ')}`
  const pageOf = (files: string): string =>
    `(${outlineOf(`${files} order by ${order} limit ${limit} offset ${offset}`, order)})`

  return {
    isPrepared: isPlain,
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
      ) ${pageRecords(limit)}`,
  }
}

/** Fifty records in one piece, never taken apart here. `knownCount` saves counting again. Throws 'invalid' for a cursor that was made up. */
export const readFilePage = (
  database: Pick<Database, 'sql'>,
  projectId: number,
  filter: FileFilter,
  page: Page,
  knownCount: number | undefined,
): Promise<FoundPage> => runStatement(database, projectStatement(projectId, filter, page, knownCount), page)
