import { sql } from 'kysely'
import type { Database, Queryable } from '../../platform/db/database.ts'
import type { JobDefinition } from '../../platform/jobs/job-definition.ts'
import { figuresQuery, type UsageFigures } from './usage-figures.ts'

/** Records the usage of today. Runs at each start of a worker and once a day. */
export const recordUsageJob: JobDefinition<Record<string, never>> = {
  name: 'usage.note',
  retryLimit: 5,
  expireInSeconds: 3_600,
  isExclusive: true,
}
export const recordUsageCron = '5 0 * * *'

/** Retention of daily figures, in days. */
export const maxDays = 400

const today = sql<string>`(now() at time zone 'utc')::date`

/** A second run on the same day overwrites the first. */
export const recordUsage = async (database: Database): Promise<void> => {
  await sql`
    insert into usage_days (account_id, project_id, file_count, playable_seconds, storage_bytes, source_bytes,
      picture_bytes, caption_bytes, live_bytes, evictable_bytes, day)
    select figures.*, ${today} from (${figuresQuery(null)}) as figures
    on conflict (account_id, day, project_id) do update set
      file_count = excluded.file_count, playable_seconds = excluded.playable_seconds,
      storage_bytes = excluded.storage_bytes, source_bytes = excluded.source_bytes,
      picture_bytes = excluded.picture_bytes, caption_bytes = excluded.caption_bytes,
      live_bytes = excluded.live_bytes, evictable_bytes = excluded.evictable_bytes`.execute(database.kysely)
  await sql`delete from usage_days where day <= ${today} - ${maxDays}::int`.execute(database.kysely)
}

export interface UsageDay extends UsageFigures {
  /** `2026-03-01` */
  readonly day: string
}

export const listUsageDays = async (
  queryable: Queryable,
  accountId: number,
  options: { readonly days: number; readonly projectIds: readonly number[] | null },
): Promise<UsageDay[]> => {
  const { days, projectIds } = options
  const { rows } = await sql<UsageDay>`
    select day::text, sum(file_count)::bigint as file_count, sum(playable_seconds) as playable_seconds,
      sum(storage_bytes)::bigint as storage_bytes, sum(source_bytes)::bigint as source_bytes,
      sum(picture_bytes)::bigint as picture_bytes, sum(caption_bytes)::bigint as caption_bytes,
      sum(live_bytes)::bigint as live_bytes, sum(evictable_bytes)::bigint as evictable_bytes
    from usage_days
    where account_id = ${accountId} and day < ${today} and day > ${today} - ${days}::int
      ${projectIds === null ? sql`` : sql`and project_id in (${sql.join([...projectIds, 0])})`}
    group by day order by day`.execute(queryable)
  return rows
}
