import { sql } from 'kysely'
import { Type, type Static, type TObject } from 'typebox'
import { booleanText, idListText, instantText } from '../../platform/http/openapi/openapi-query.ts'
import type { Page } from '../../platform/http/responses/paging.ts'
import {
  checkText,
  parseBoolean,
  parseIdList,
  parseInstantParameter,
  parseTextList,
} from '../../platform/http/requests/query-values.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { readPage, type PageOf, type SortColumn } from '../../platform/db/keyset.ts'
import { exactCounts } from './project-counts.ts'
import type { ProjectRow } from './project-record.ts'

const byName: SortColumn = { expression: sql`fold_text(name) collate "C"`, type: 'text' }

const orders: Record<string, SortColumn> = {
  created: null,
  updated: { expression: sql`updated_at`, type: 'timestamptz' },
  name: byName,
  title: byName,
}
export const projectOrders = Object.keys(orders)

const text = (description: string, maxLength: number, example: string) =>
  Type.Optional(Type.String({ description, maxLength, examples: [example] }))

const instant = (description: string) => Type.Optional(instantText(description))

export const projectFilterQuery = {
  search: text(
    'Search words, ignoring case and accents. For each of them, name or description must contain a word that starts with it.',
    500,
    'spring camp',
  ),
  isLive: Type.Optional(booleanText('Whether the project is live now.')),
  ids: Type.Optional(idListText('Projects with any of these Ids. Comma-separated list.')),
  externalId: text(
    'Projects with any of these `ExternalId`s, matched exactly. Comma-separated list.',
    10_000,
    'campaign-2026',
  ),
  createdFrom: instant('At or after this time.'),
  createdTo: instant('At or before this time.'),
  updatedFrom: instant('At or after this time.'),
  updatedTo: instant('At or before this time.'),
  includeDeleted: Type.Optional(
    booleanText(
      'Whether to include deleted projects (`IsEnabled` false) that are not purged yet. Default false.',
    ),
  ),
}

type ProjectFilterQuery = Static<TObject<typeof projectFilterQuery>>

export interface ProjectFilter {
  readonly search: string | null
  readonly isLive: boolean | null
  readonly ids: readonly number[] | null
  readonly externalIds: readonly string[] | null
  readonly createdFrom: Date | null
  readonly createdTo: Date | null
  readonly updatedFrom: Date | null
  readonly updatedTo: Date | null
  readonly includeDeleted: boolean
}

/** Throws 'invalid' with the name of the parameter. */
export const parseProjectFilter = (query: ProjectFilterQuery): ProjectFilter => {
  const parsed = <T>(name: keyof ProjectFilterQuery, parse: (value: string, name: string) => T): T | null =>
    query[name] === undefined ? null : parse(query[name], name)
  const search = parsed('search', checkText)
  return {
    // An empty search field is the same as no search.
    search: search?.trim() === '' ? null : search,
    isLive: parsed('isLive', parseBoolean),
    ids: parsed('ids', parseIdList),
    externalIds: parsed('externalId', parseTextList),
    createdFrom: parsed('createdFrom', parseInstantParameter),
    createdTo: parsed('createdTo', parseInstantParameter),
    updatedFrom: parsed('updatedFrom', parseInstantParameter),
    updatedTo: parsed('updatedTo', parseInstantParameter),
    includeDeleted: parsed('includeDeleted', parseBoolean) ?? false,
  }
}

/**
 * As in the search of files, every search word must be the start of a word of the project. A search without
 * words finds nothing.
 */
const hasWords = (search: string) => sql<boolean>`
  cardinality(search_words(${search})) > 0 and not exists (
    select from unnest(search_words(${search})) as wanted where not exists (
      select from unnest(search_words(name || ' ' || description)) as word where starts_with(word, wanted)))`

/**
 * Records show milliseconds, but the database stores microseconds: the upper bound includes its whole
 * millisecond.
 */
const justAfter = (last: Date): Date => new Date(last.getTime() + 1)

export const listProjects = async (
  queryable: Queryable,
  accountId: number,
  visibleIds: readonly number[] | null,
  filter: ProjectFilter,
  page: Page,
): Promise<PageOf<ProjectRow> & { totalCount: number }> => {
  let found = queryable
    .selectFrom('projects')
    .where('account_id', '=', accountId)
    .where('purged_at', 'is', null)
  if (!filter.includeDeleted) found = found.where('deleted_at', 'is', null)
  if (visibleIds !== null) found = found.where('id', 'in', [...visibleIds, 0])
  if (filter.ids !== null) found = found.where('id', 'in', [...filter.ids])
  if (filter.externalIds !== null) found = found.where('external_id', 'in', [...filter.externalIds])
  if (filter.isLive !== null) found = found.where('is_live', '=', filter.isLive)
  if (filter.createdFrom !== null) found = found.where('created_at', '>=', filter.createdFrom)
  if (filter.createdTo !== null) found = found.where('created_at', '<', justAfter(filter.createdTo))
  if (filter.updatedFrom !== null) found = found.where('updated_at', '>=', filter.updatedFrom)
  if (filter.updatedTo !== null) found = found.where('updated_at', '<', justAfter(filter.updatedTo))
  if (filter.search !== null) found = found.where(hasWords(filter.search))
  const rows = await readPage(found.selectAll().select(exactCounts), page, orders[page.orderBy] ?? null)
  const { count } = await found
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...rows, totalCount: count }
}
