import { defaultLimit, type Page } from '../../../platform/http/responses/paging.ts'
import { countOf } from '../../projects/project-counts.ts'
import type { Database } from '../../../platform/db/database.ts'
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

/** Up to this offset the query walks through the index; beyond it, the query adds up blocks of ids. */
const longestWalk = 1_024

/** Finds the start of a page in the unfiltered list: an id bound and the number of rows to skip from it. */
const deepStart = ({ sort }: Page, offset: string): string => `
  start as materialized (
    select ${sort === 'desc' ? '(block + 1) << 10' : '(block << 10) - 1'} as bound, ${offset} - before as skip
    from (
      select block, file_count, sum(file_count) over (order by block ${sort} rows unbounded preceding) - file_count as before
      from (
        select block, sum(file_count)::int as file_count from (
          select block, file_count from file_blocks where project_id = $1
          union all select block, file_count from file_block_counts where project_id = $1
        ) parts group by block
      ) counted
    ) blocks
    where before <= ${offset} and before + file_count > ${offset} limit 1
  ),`

/**
 * Lists all files of a project in the order of their ids, as nearly every listing starts. One index finds the
 * page, and the records are read as one range of rows without further steps. One extra row shows whether
 * there is a next page.
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
 * Returns one statement for page, records and count, so that all show the same moment. It is written by hand
 * to help the planner: rows are narrow and every order has an index. Search terms are known when the
 * statement is planned.
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
  const fileCount = `select ${countOf('file_count', 'projects')} from projects where id = $1::bigint`
  const count =
    knownCount !== undefined
      ? `select ${bind(knownCount)}::bigint`
      : isPlain
        ? fileCount
        : `select count(*) from file_list where ${matching.join(' and ')}`

  const onPage = [...matching, ...afterPosition(page, column, bind)]
  // A literal for the default limit, so that one prepared plan serves all such pages; each other number would
  // be a statement of its own.
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
    // PostgreSQL cannot estimate how many files a prefix matches, but `total` has counted them. With many
    // matches, walking in sort order until the page is full is faster. With few, finding all and sorting them
    // is. `offset 0` keeps the planner from merging the two steps.
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

/**
 * Reads a page of one project as a single buffer, without parsing the records. `knownCount` saves a second
 * count. Throws 'invalid' for a forged cursor.
 */
export const readFilePage = (
  database: Pick<Database, 'sql'>,
  projectId: number,
  filter: FileFilter,
  page: Page,
  knownCount: number | undefined,
): Promise<FoundPage> => runStatement(database, projectStatement(projectId, filter, page, knownCount), page)
