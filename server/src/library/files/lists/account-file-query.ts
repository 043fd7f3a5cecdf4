import type { Page } from '../../../platform/http/responses/paging.ts'
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

/** An account and, optionally, some of its projects; null = all projects. */
export interface AccountFiles {
  readonly accountId: number
  readonly projectIds: readonly number[] | null
}

/**
 * Takes the first files of each live project's own list, which an index finds, and returns the first of them
 * all.
 */
const accountStatement = (
  { accountId, projectIds }: AccountFiles,
  filter: FileFilter,
  page: Page,
): Statement => {
  const values: unknown[] = [accountId]
  const bind: Bind = (value) => `$${values.push(value)}`
  const column = sortColumnOf(page)
  const ofProjects = projectIds === null ? '' : `and id = any(${bind(projectIds)}::bigint[])`
  const matching = matchingConditions(filter, 'p.id', bind)
  const count = isFilterless(filter)
    ? 'select coalesce(sum(file_count), 0) from shown'
    : `select coalesce(sum(one.file_count), 0)
        from shown p cross join lateral (select count(*) as file_count from file_list where ${matching.join(' and ')}) one`
  const onPage = [...matching, ...afterPosition(page, column, bind)]
  const limit = `${bind(page.limit + 1)}::bigint`
  const offset = `${bind(page.offset)}::bigint`
  const order = orderOf(page, column)
  const found = `select file_id, version, ${column?.name ?? 'null::text'} as sort_key from file_list where ${onPage.join(' and ')}`
  // Finds all matches before sorting: an index in sort order could lead through every file of a project.
  const ofProject = filter.termQueries.length > 0 ? `select * from (${found} offset 0) found` : found
  return {
    isPrepared: false,
    values,
    text: `
      with shown as materialized (
        select id, ${countOf('file_count', 'projects')} as file_count from projects where account_id = $1::bigint and deleted_at is null ${ofProjects}
      ), total as materialized (${count}), outline (entries) as materialized (
        ${outlineOf(
          `select one.* from shown p cross join lateral (
            ${ofProject} order by ${order} limit ${limit} + ${offset}
          ) one order by ${order} limit ${limit} offset ${offset}`,
          order,
        )}
      ) ${pageRecords(limit)}`,
  }
}

/**
 * Reads a page of the files of several projects, without parsing the records. Throws 'invalid' for a forged
 * cursor.
 */
export const readAccountFilePage = (
  database: Pick<Database, 'sql'>,
  files: AccountFiles,
  filter: FileFilter,
  page: Page,
): Promise<FoundPage> => runStatement(database, accountStatement(files, filter, page), page)
