import { Type, type Static, type TObject, type TSchema } from 'typebox'
import type { PageCut, PageOf, Position } from '../../db/keyset.ts'
import { invalidField } from '../../base/problem.ts'
import { etagOf } from './etag.ts'
import { integerText } from '../openapi/openapi-query.ts'
import { nullable } from '../requests/schemas.ts'

export const maxLimit = 500
export const defaultLimit = 50
/** Room for 200 characters of a sort key (`sortedCharacters`), at most six bytes each in JSON, in base64. */
const maxCursorLength = 2_000

/** `limit` and `offset` are read as text, so that `1e3` or `5.0` are refused like any other non-integer. */
const pagingQuery = {
  limit: Type.Optional(
    integerText(
      {
        description: `Records per page, 1–${maxLimit}. Larger values are reduced; \`Limit\` in the response is the effective value. Default ${defaultLimit}.`,
        pattern: '^[0-9]+$',
        maxLength: 40,
      },
      { minimum: 1, maximum: 2_147_483_647, example: defaultLimit },
    ),
  ),
  offset: Type.Optional(
    integerText(
      { description: 'Number of records to skip. Default 0.', pattern: '^[0-9]+$', maxLength: 40 },
      { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, example: 0 },
    ),
  ),
  cursor: Type.Optional(
    Type.String({
      description:
        '`NextCursor` of the previous page. It is equally fast at any depth and keeps the order of the first page. Cannot be combined with `offset`.',
      maxLength: maxCursorLength,
    }),
  ),
}

const oneOf = (values: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: values, description })

/**
 * Query schema of a list: paging and its sort orders, of which the first is the default. Add other parameters
 * beside it: `Type.Object({ ...listQuery(['created']), search: … })`.
 */
export const listQuery = (orders: readonly string[] = ['created']) => ({
  ...pagingQuery,
  orderBy: Type.Optional(oneOf(orders, `Sort key; equal values are sorted by Id. Default \`${orders[0]}\`.`)),
  sort: Type.Optional(oneOf(['desc', 'asc'], 'Sort direction. Default `desc`.')),
})

export const listSchema = (key: string, record: TSchema) =>
  Type.Object({
    [key]: Type.Array(record),
    TotalCount: Type.Integer({ description: 'Number of matching records on all pages.' }),
    Limit: Type.Integer({ description: 'Effective number of records per page.' }),
    Offset: Type.Integer(),
    NextCursor: nullable(
      Type.String({ description: 'Value of `cursor` for the next page. Null on the last page.' }),
    ),
  })

export interface Page extends PageCut {
  readonly orderBy: string
}

export type ListQuery = Static<TObject<ReturnType<typeof listQuery>>>

const wholeNumber = (text: string, name: string, min: number): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < min)
    throw invalidField(name, 'invalid_integer', { min, value: text.slice(0, 40) })
  return value
}

const limitOf = (text: string): number =>
  Number(text) >= maxLimit ? maxLimit : wholeNumber(text, 'limit', 1)

/** Throws 'invalid' with the name of the parameter. `orders` are those of `listQuery`. */
export const parsePage = (query: ListQuery, orders: readonly string[] = ['created']): Page => {
  const limit = query.limit === undefined ? defaultLimit : limitOf(query.limit)
  const offset = query.offset === undefined ? 0 : wholeNumber(query.offset, 'offset', 0)
  const orderBy = query.orderBy ?? orders[0] ?? 'created'
  const sort = query.sort === 'asc' ? 'asc' : 'desc'
  if (query.cursor === undefined) return { limit, offset, orderBy, sort, after: null }
  if (query.offset !== undefined) throw invalidField('cursor', 'not_combinable', { other: 'offset' })
  const cursor = decodeCursor(query.cursor, orders)
  if (
    (query.orderBy !== undefined && query.orderBy !== cursor.orderBy) ||
    (query.sort !== undefined && query.sort !== cursor.sort)
  )
    throw invalidField('cursor', 'cursor_of_other_order')
  return { limit, offset: 0, ...cursor }
}

/** A cursor contains order, direction, id of the last record and its value in that order. */
export const encodeCursor = ({ orderBy, sort }: Pick<Page, 'orderBy' | 'sort'>, last: Position): string =>
  Buffer.from(JSON.stringify([orderBy, sort, last.id, last.key])).toString('base64url')

const decodeCursor = (
  cursor: string,
  orders: readonly string[],
): { orderBy: string; sort: 'asc' | 'desc'; after: Position } => {
  const refused = () => invalidField('cursor', 'cursor_invalid')
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw refused()
  }
  if (!Array.isArray(parts) || parts.length !== 4) throw refused()
  const [orderBy, sort, id, key] = parts as unknown[]
  if (typeof orderBy !== 'string' || !orders.includes(orderBy)) throw refused()
  if (sort !== 'asc' && sort !== 'desc') throw refused()
  if (!Number.isSafeInteger(id) || (id as number) < 1) throw refused()
  if (key !== null && (typeof key !== 'string' || key.includes('\0') || !key.isWellFormed())) throw refused()
  return { orderBy, sort, after: { id: id as number, key } }
}

export const nextCursorOf = (page: Page, { last }: Pick<PageOf<unknown>, 'last'>): string | null =>
  last === null ? null : encodeCursor(page, last)

/**
 * Builds the envelope around serialized records without parsing them. `records` is their JSON, separated by
 * commas; `versions` identifies them for the ETag.
 */
export const renderList = (
  key: string,
  { versions, records }: { readonly versions: string; readonly records: string },
  { totalCount, nextCursor }: { readonly totalCount: number; readonly nextCursor: string | null },
  page: Page,
): { body: Buffer; etag: string } => {
  const counts = `"TotalCount":${totalCount},"Limit":${page.limit},"Offset":${page.offset},"NextCursor":${JSON.stringify(nextCursor)}`
  return {
    body: Buffer.from(`{"${key}":[${records}],${counts}}`),
    etag: etagOf(`${key}:${totalCount}:${page.limit}:${page.offset}:${nextCursor}:${versions}`),
  }
}

/** Like `renderList`, for records serialized on read: the ETag is a hash of the text. */
export const renderFreshList = (
  key: string,
  records: readonly object[],
  { totalCount, last }: { readonly totalCount: number; readonly last: Position | null },
  page: Page,
): { body: string; etag: string } => {
  const body = JSON.stringify({
    [key]: records,
    TotalCount: totalCount,
    Limit: page.limit,
    Offset: page.offset,
    NextCursor: nextCursorOf(page, { last }),
  })
  return { body, etag: etagOf(body) }
}
