import { sql, type RawBuilder } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { isStored, type StoredViews } from '../store/stored-views.ts'
import { within } from '../ask/sums/read-sums.ts'
import {
  groupOf,
  mostGroups,
  summed,
  type BreakdownQuestion,
  type EngineRow,
  type Group,
} from './breakdown.ts'

const keyOf = (name: string): RawBuilder<unknown> => {
  if (name === 'project') return sql`project_id::text`
  if (name === 'file') return sql`file_id::text`
  if (name === 'day') return sql`(ended_at at time zone 'utc')::date::text`
  return sql`dimensions ->> ${name}::text`
}

/** Groups the views that are in PostgreSQL, without those that another engine has. */
export const groupViews = async (
  queryable: Queryable,
  { accountId, projectIds, fileIds, from, to, by }: BreakdownQuestion,
  stored: StoredViews,
): Promise<Group[]> => {
  const keys = by.map((name, index) => sql`${keyOf(name)} as ${sql.raw(`k${index}`)}`)
  const { rows } = await sql<EngineRow>`
    select ${sql.join(keys)}, ${sql.raw(summed)} from views
    where account_id = ${accountId} and kind = 'viewer' and ended_at >= ${from} and ended_at < ${to}
      and ${within(sql`project_id`, projectIds)} and ${within(sql`file_id`, fileIds)}
      and not ${isStored(stored)}
    group by ${sql.join(by.map((_, index) => sql.lit(index + 1)))}
    order by s1 desc limit ${mostGroups}`.execute(queryable)
  return rows.map((row) => groupOf(row, by.length))
}
