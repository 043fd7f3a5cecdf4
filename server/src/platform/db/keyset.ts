import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { invalidField } from '../base/problem.ts'

/**
 * Last record of a page, after which the next one begins. `key` is its value in the sort order, as PostgreSQL
 * writes it.
 */
export interface Position {
  readonly key: string | null
  readonly id: number
}

export interface PageCut {
  readonly limit: number
  readonly offset: number
  readonly sort: 'asc' | 'desc'
  /** Null on the first page and for pages addressed by offset. */
  readonly after: Position | null
}

/** Sort column beside the id. Null sorts by id alone, which is the order of creation. */
export type SortColumn = {
  readonly expression: RawBuilder<unknown>
  readonly type: 'timestamptz' | 'text' | 'double precision' | 'bigint'
} | null

export interface PageOf<Row> {
  readonly rows: Row[]
  readonly last: Position | null
}

/**
 * Number of characters that decide the order before the id does, so that a cursor contains them all.
 * Migration 0005 truncates the sort key of files alike.
 */
const sortedCharacters = 200

const sortExpression = ({ expression, type }: NonNullable<SortColumn>): RawBuilder<unknown> =>
  type === 'text' ? sql`left(${expression}, ${sql.lit(sortedCharacters)})` : expression

/**
 * SQLSTATE class 22, data exception: a forged cursor contains a value that does not fit the column's type.
 */
export const refuseForgedCursor =
  ({ after }: Pick<PageCut, 'after'>) =>
  (error: unknown): never => {
    const { code } = error as { code?: string }
    if (after === null || code?.startsWith('22') !== true) throw error
    throw invalidField('cursor', 'cursor_invalid')
  }

/**
 * Reads one page in the order of `column`, ties by id, so that paging neither skips nor repeats rows. Uses a
 * keyset, or an offset when given. `query` must select the `id` of each row; `id` is its name in the query.
 * The column must never be null. Reads one extra row to know whether a next page exists.
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
    // Casts from text, because the driver would send a timestamptz with the milliseconds of a Date and lose
    // PostgreSQL's microseconds.
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
