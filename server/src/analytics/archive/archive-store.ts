import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/db/database.ts'
import { lastDay, type Archive } from './list-archives.ts'

/** What is in an archive, so that a question opens only those that can answer it. */
export interface Contents {
  readonly views: number
  readonly dimensions: readonly string[]
  readonly projectIds: readonly number[]
  readonly fileIds: readonly number[]
}

/** No archive is read for longer than this after another one has replaced it. */
const readersGraceMinutes = 10
/** A run that takes longer has been repeated by another one. */
const writerGraceHours = 3

/** Adds the row of an archive before its blob is written. */
export const beginArchive = async (
  { kysely }: Pick<Database, 'kysely'>,
  days: Pick<Archive, 'accountId' | 'day' | 'lastDay'>,
): Promise<Pick<Archive, 'id' | 'blob'>> =>
  kysely
    .insertInto('view_archives')
    .values({
      account_id: days.accountId,
      day: days.day,
      last_day: days.lastDay,
      blob: `a${days.accountId}/views/${days.day}-${randomUUID()}.parquet`,
      state: 'writing',
    })
    .returning(['id', 'blob'])
    .executeTakeFirstOrThrow()

export const describeArchive = async (
  { kysely }: Pick<Database, 'kysely'>,
  id: number,
  { views, dimensions, projectIds, fileIds }: Contents,
): Promise<void> => {
  await sql`
    update view_archives set views = ${views}, dimensions = ${[...dimensions]}::text[],
      project_ids = ${[...projectIds]}::bigint[], file_ids = ${[...fileIds]}::bigint[]
    where id = ${id}`.execute(kysely)
}

/** Returns false when housekeeping has removed one of them meanwhile. */
export const publishArchives = async (tx: Tx, ids: readonly number[]): Promise<boolean> => {
  const { rows } = await sql`
    update view_archives set state = 'current', changed_at = now()
    where id = any(${[...ids]}::bigint[]) and state = 'writing' returning id`.execute(tx)
  return rows.length === ids.length
}

/** Returns false when another run has replaced one of them meanwhile. */
export const retireArchives = async (tx: Tx, ids: readonly number[]): Promise<boolean> => {
  const { rows } = await sql`
    update view_archives set state = 'obsolete', changed_at = now()
    where id = any(${[...ids]}::bigint[]) and state = 'current' returning id`.execute(tx)
  return rows.length === ids.length
}

/** First day whose views are kept. */
const firstDay = (archiveDays: number) =>
  sql`((now() at time zone 'utc')::date - ${Math.ceil(archiveDays)}::int)`

export const retireOldArchives = async ({ kysely }: Database, days: number): Promise<void> => {
  await sql`
    update view_archives set state = 'obsolete', changed_at = now()
    where state = 'current' and ${lastDay} < ${firstDay(days)}`.execute(kysely)
}

/** Lists archives that were replaced or have expired, and unfinished ones of a killed run. */
export const listRemovable = async ({ kysely }: Database): Promise<Pick<Archive, 'id' | 'blob'>[]> => {
  const { rows } = await sql<Pick<Archive, 'id' | 'blob'>>`
    select id, blob from view_archives
    where (state = 'obsolete' and changed_at < now() - ${readersGraceMinutes}::int * interval '1 minute')
      or (state = 'writing' and changed_at < now() - ${writerGraceHours}::int * interval '1 hour')`.execute(
    kysely,
  )
  return rows
}

export const removeArchive = async ({ kysely }: Database, id: number): Promise<void> => {
  await kysely.deleteFrom('view_archives').where('id', '=', id).execute()
}

/** An archive, and which of its views are no longer wanted. */
export interface Erasure extends Archive {
  /** Views that ended before this day have expired. Null = none. */
  readonly before: string | null
  /** Files and projects that were purged. */
  readonly files: readonly number[]
  readonly projects: readonly number[]
}

export const listErasures = async ({ kysely }: Database, archiveDays: number): Promise<Erasure[]> => {
  const { rows } = await sql<Erasure>`
    select a.id, a.account_id as "accountId", a.day::text, ${lastDay}::text as "lastDay", a.blob, a.dimensions,
      case when a.day < ${firstDay(archiveDays)} then ${firstDay(archiveDays)}::text end as before,
      coalesce(gone_files.ids, '{}') as files, coalesce(gone_projects.ids, '{}') as projects
    from view_archives a,
      lateral (select array_agg(asked.id) as ids from unnest(a.file_ids) as asked(id)
        where not exists (select from media_files f where f.account_id = a.account_id and f.id = asked.id)) gone_files,
      lateral (select array_agg(asked.id) as ids from unnest(a.project_ids) as asked(id)
        where not exists (
          select from projects p where p.account_id = a.account_id and p.id = asked.id and p.purged_at is null
        )) gone_projects
    where a.state = 'current' and ${lastDay} >= ${firstDay(archiveDays)}
      and (a.day < ${firstDay(archiveDays)} or gone_files.ids is not null or gone_projects.ids is not null)
    order by a.id`.execute(kysely)
  return rows
}

/** The archives of one account and month. */
export interface MonthOfArchives extends Contents {
  readonly accountId: number
  readonly day: string
  readonly lastDay: string
  readonly ids: readonly number[]
  readonly blobs: readonly string[]
}

/** Lists months whose days were all archived, in more than one archive. */
export const listMonthsToMerge = async (
  { kysely }: Pick<Database, 'kysely'>,
  archivedBefore: string,
): Promise<MonthOfArchives[]> => {
  const idsOf = (column: string) =>
    sql`array(select distinct unnest(a.${sql.ref(column)}) from view_archives a where a.id = any(m.ids))`
  const { rows } = await sql<MonthOfArchives>`
    select m.account_id as "accountId", m.day::text, m."lastDay"::text, m.ids, m.blobs, m.views,
      ${idsOf('dimensions')} as dimensions, ${idsOf('project_ids')} as "projectIds", ${idsOf('file_ids')} as "fileIds"
    from (
      select account_id, min(day) as day, max(${lastDay}) as "lastDay", array_agg(id order by day, id) as ids,
        array_agg(blob order by day, id) as blobs, sum(views)::bigint as views
      from view_archives
      where state = 'current' and date_trunc('month', day) + interval '1 month' <= ${archivedBefore}::date
      group by account_id, date_trunc('month', day) having count(*) > 1
    ) m order by 1, 2`.execute(kysely)
  return rows
}
