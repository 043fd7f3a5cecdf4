import { Type } from 'typebox'
import { Problem } from '../kernel/problem.ts'
import { etagOf } from './etag.ts'

export const maxLimit = 500
const defaultLimit = 50

/** `limit` and `offset` are read as text, so that `1e3` or `5.0` are refused like any other non-integer. */
export const pagingQuery = {
  limit: Type.Optional(
    Type.String({
      description: `Records per page, 1–${maxLimit}; larger values are clamped and the effective one is echoed. Default ${defaultLimit}.`,
      pattern: '^[0-9]+$',
      examples: ['50'],
    }),
  ),
  offset: Type.Optional(
    Type.String({ description: 'Records to skip. Default 0.', pattern: '^[0-9]+$', examples: ['0'] }),
  ),
  cursor: Type.Optional(
    Type.String({
      description: '`NextCursor` of the page before; costs the same at any depth. Not together with offset.',
      maxLength: 200,
    }),
  ),
}

export interface Page {
  readonly limit: number
  readonly offset: number
  /** Records after this id, in the order of the list; null on the first page. */
  readonly afterId: number | null
}

const wholeNumber = (text: string, name: string, min: number): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < min)
    throw new Problem('invalid', `${name} must be an integer of at least ${min}, not ${text.slice(0, 40)}.`, {
      details: [{ field: name, issue: `must be an integer of at least ${min}` }],
    })
  return value
}

export const parsePage = (query: { limit?: string; offset?: string; cursor?: string }): Page => {
  const limit =
    query.limit === undefined ? defaultLimit : Math.min(wholeNumber(query.limit, 'limit', 1), maxLimit)
  const offset = query.offset === undefined ? 0 : wholeNumber(query.offset, 'offset', 0)
  if (query.cursor === undefined) return { limit, offset, afterId: null }
  if (query.offset !== undefined)
    throw new Problem('invalid', 'cursor and offset exclude each other; use one of them.', {
      details: [{ field: 'cursor', issue: 'cannot be combined with offset' }],
    })
  return { limit, offset: 0, afterId: decodeCursor(query.cursor) }
}

export const encodeCursor = (lastId: number): string => Buffer.from(`id:${lastId}`).toString('base64url')

const decodeCursor = (cursor: string): number => {
  const match = /^id:([1-9][0-9]{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (match === null)
    throw new Problem('invalid', 'cursor must be the NextCursor of an earlier page.', {
      details: [{ field: 'cursor', issue: 'must be the NextCursor of an earlier page' }],
    })
  return Number(match[1])
}

export interface ListedRecord {
  readonly id: number
  readonly version: number
  readonly record: Buffer
}

const comma = Buffer.from(',')

/** The envelope of every list, put together from ready-made records without parsing them. */
export const renderList = (
  key: string,
  records: readonly ListedRecord[],
  totalCount: number,
  page: Page,
): { body: Buffer; etag: string } => {
  const last = records.at(-1)
  const nextCursor =
    last !== undefined && records.length === page.limit ? JSON.stringify(encodeCursor(last.id)) : 'null'
  const parts: Buffer[] = [Buffer.from(`{"${key}":[`)]
  for (const [index, { record }] of records.entries()) {
    if (index > 0) parts.push(comma)
    parts.push(record)
  }
  parts.push(
    Buffer.from(
      `],"TotalCount":${totalCount},"Limit":${page.limit},"Offset":${page.offset},"NextCursor":${nextCursor}}`,
    ),
  )
  const versions = records.map(({ id, version }) => `${id}.${version}`).join(',')
  return {
    body: Buffer.concat(parts),
    etag: etagOf(`${key}:${totalCount}:${page.limit}:${page.offset}:${versions}`),
  }
}
