import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { invalidField } from '../problem.ts'

/** The last record of a page: where the next one begins. `key` is its value in the list's order as PostgreSQL writes it. */
export interface Position {
  readonly key: string | null
  readonly id: number
}

export interface PageCut {
  readonly limit: number
  readonly offset: number
  readonly sort: 'asc' | 'desc'
  /** Null on the first page, and on those that are named by their offset. */
  readonly after: Position | null
}

/** What a list is sorted by beside the id; null where the id itself is the order (records are created in the order of their ids). */
export type SortColumn = {
  readonly expression: RawBuilder<unknown>
  readonly type: 'timestamptz' | 'text' | 'double precision' | 'bigint'
} | null

export interface PageOf<Row> {
  readonly rows: Row[]
  /** Null on the last page. */
  readonly last: Position | null
}

/** So much of a text decides the order, then the id: a cursor holds it whole. That of files is cut alike (migration 0005). */
const sortedCharacters = 200

const sortExpression = ({ expression, type }: NonNullable<SortColumn>): RawBuilder<unknown> =>
  type === 'text' ? sql`left(${expression}, ${sql.lit(sortedCharacters)})` : expression

/** SQLSTATE class 22, data exception: a cursor that was not ours holds a value that is none of the column's type. */
export const refuseForgedCursor =
  ({ after }: Pick<PageCut, 'after'>) =>
  (error: unknown): never => {
    const { code } = error as { code?: string }
    if (after === null || code?.startsWith('22') !== true) throw error
    throw invalidField('cursor', 'must be the NextCursor of an earlier page.')
  }

/**
 * Reads one page in the order of `column`, ties by id, so that paging neither skips nor repeats (keyset, or offset where one is given).
 * `query` selects what the rows hold, their `id` among it; `id` is how the query calls it. The column must never be null. One row more
 * than asked for is read, to know whether a next page exists.
 */
export const readPage = async <DB, TB extends keyof DB, Row extends { id: number }>(
  query: SelectQueryBuilder<DB, TB, Row>,
  page: PageCut,
  column: SortColumn,
  id: RawBuilder<number> = sql`id`,
): Promise<PageOf<Row>> => {
  const direction = sql.raw(page.sort)
  const comparison = sql.raw(page.sort === 'desc' ? '<' : '>')
  const expression = column === null ? null : sortExpression(column)
  let cut = query.limit(page.limit + 1).offset(page.offset)
  if (column === null || expression === null) {
    if (page.after !== null) cut = cut.where(sql<boolean>`${id} ${comparison} ${page.after.id}`)
    cut = cut.orderBy(sql`${id} ${direction}`)
  } else {
    // As text first: the driver would send a timestamptz with the milliseconds of a Date and lose PostgreSQL's microseconds.
    if (page.after !== null)
      cut = cut.where(
        sql<boolean>`(${expression}, ${id}) ${comparison} (${page.after.key}::text::${sql.raw(column.type)}, ${page.after.id}::bigint)`,
      )
    cut = cut.orderBy(sql`${expression} ${direction}, ${id} ${direction}`)
  }
  const sortKey = expression === null ? sql<string | null>`null` : sql<string | null>`(${expression})::text`
  const found = (await cut
    .select(sortKey.as('sort_key'))
    .execute()
    .catch(refuseForgedCursor(page))) as unknown as (Row & { sort_key: string | null })[]
  const rows = found.slice(0, page.limit)
  const lastRow = rows.at(-1)
  const hasMore = found.length > page.limit && lastRow !== undefined
  return { rows, last: hasMore ? { key: lastRow.sort_key, id: lastRow.id } : null }
}
