import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import type { Archive } from './list-archives.ts'

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
  { accountId, day }: Pick<Archive, 'accountId' | 'day'>,
): Promise<Pick<Archive, 'id' | 'blob'>> =>
  kysely
    .insertInto('view_archives')
    .values({
      account_id: accountId,
      day,
      blob: `a${accountId}/views/${day}-${randomUUID()}.parquet`,
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

export const retireArchives = async (tx: Queryable, ids: readonly number[]): Promise<void> => {
  await sql`
    update view_archives set state = 'obsolete', changed_at = now()
    where id = any(${[...ids]}::bigint[]) and state = 'current'`.execute(tx)
}

export const retireOldArchives = async ({ kysely }: Database, days: number): Promise<void> => {
  await sql`
    update view_archives set state = 'obsolete', changed_at = now()
    where state = 'current' and day < (now() at time zone 'utc')::date - ${Math.ceil(days)}::int`.execute(
    kysely,
  )
}

/** Archives that nobody reads any more, or that a killed run has left. */
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

/** An archive, and what it contains of files and projects that were purged. */
export interface Erasure extends Archive {
  readonly files: readonly number[]
  readonly projects: readonly number[]
}

export const listErasures = async ({ kysely }: Database): Promise<Erasure[]> => {
  const { rows } = await sql<Erasure>`
    select a.id, a.account_id as "accountId", a.day::text, a.blob, a.dimensions,
      coalesce(gone_files.ids, '{}') as files, coalesce(gone_projects.ids, '{}') as projects
    from view_archives a,
      lateral (select array_agg(asked.id) as ids from unnest(a.file_ids) as asked(id)
        where not exists (select from media_files f where f.account_id = a.account_id and f.id = asked.id)) gone_files,
      lateral (select array_agg(asked.id) as ids from unnest(a.project_ids) as asked(id)
        where not exists (
          select from projects p where p.account_id = a.account_id and p.id = asked.id and p.purged_at is null
        )) gone_projects
    where a.state = 'current' and (gone_files.ids is not null or gone_projects.ids is not null)
    order by a.id`.execute(kysely)
  return rows
}
