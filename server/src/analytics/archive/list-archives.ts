import { sql } from 'kysely'
import type { Database, Queryable } from '../../platform/db/database.ts'

export interface Archive {
  readonly id: number
  readonly accountId: number
  readonly day: string
  /** The same as `day` if the file has only one. */
  readonly lastDay: string
  readonly blob: string
  readonly dimensions: readonly string[]
}

/** Older releases write files of one day, without a last one. */
export const lastDay = sql.raw('coalesce(last_day, day)')

/** Name of the column of a dimension in SQL. Stored names contain no quotes. */
export const columnOf = (dimension: string): string => `"dimension_${dimension}"`

/** Reads the archives of an account that overlap these days and contain one of these projects and files. */
export const listArchives = async (
  queryable: Queryable,
  asked: {
    readonly accountId: number
    readonly from: Date
    readonly to: Date
    /** Null = all. */
    readonly projectIds: readonly number[] | null
    readonly fileIds: readonly number[] | null
  },
): Promise<Archive[]> => {
  const overlaps = (column: 'project_ids' | 'file_ids', ids: readonly number[] | null) =>
    ids === null ? sql`true` : sql`${sql.ref(column)} && ${[...ids]}::bigint[]`
  const { rows } = await sql<Archive>`
    select id, account_id as "accountId", day::text, ${lastDay}::text as "lastDay", blob, dimensions from view_archives
    where account_id = ${asked.accountId} and state = 'current'
      and ${lastDay} >= (${asked.from}::timestamptz at time zone 'utc')::date
      and day <= (${asked.to}::timestamptz at time zone 'utc')::date
      and ${overlaps('project_ids', asked.projectIds)} and ${overlaps('file_ids', asked.fileIds)}
    order by day, id`.execute(queryable)
  return rows
}

/** Which of these blobs a reader may still open. Belongs to the node, so it is read outside the scope of an account. */
export const findReadable = async (
  { sql: query }: Pick<Database, 'sql'>,
  blobs: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await query<{ blob: string }[]>`
    select blob from view_archives where blob = any(${[...blobs]}::text[]) and state = 'current'`
  return new Set(rows.map(({ blob }) => blob))
}
