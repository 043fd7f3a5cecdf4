import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { isStored, readStored, type ViewsEngine } from './stored-views.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'

/** Sums of days are kept as long as those of the storage. */
const sumDays = 400
const minuteDays = 2
const batch = 5_000

const today = sql`(now() at time zone 'utc')::date`
/** The oldest month of which days are kept. */
const firstMonth = sql<string>`date_trunc('month', ${today} - ${sumDays}::int)::date`

/** Reports of the last seconds of a day are added up a little later. */
const lastOpenDay = sql`((now() - interval '10 minutes') at time zone 'utc')::date`

/** Without the salt, the sketches of a day can take no more viewers. */
const endDays = async ({ kysely }: Database): Promise<void> => {
  await sql`delete from viewer_salts where day < ${lastOpenDay}`.execute(kysely)
  await sql`update viewer_days set sketch = null where sketch is not null and day < ${lastOpenDay}`.execute(
    kysely,
  )
  await sql`update file_viewer_days set sketch = null where sketch is not null and day < ${lastOpenDay}`.execute(
    kysely,
  )
}

/** Open views end and reports are added up within minutes, but not after analytics was switched off. */
const dropLeftViewers = async ({ kysely }: Database): Promise<void> => {
  await sql`delete from open_views where seen_at < now() - interval '1 day'`.execute(kysely)
  await sql`delete from view_reports where stored_at < now() - interval '1 day'`.execute(kysely)
}

/** Views stay until the other engine has them. */
export const dropOldViews = async (
  database: Database,
  { viewDays, engine = 'postgres' }: { readonly viewDays: number; readonly engine?: ViewsEngine | undefined },
): Promise<void> => {
  const stored = await readStored(database, engine)
  const isDroppable = stored === null ? sql`true` : isStored(stored)
  for (let count = batch; count >= batch;) {
    const { rows } = await sql`
      delete from views where id in (
        select id from views where ended_at < now() - ${viewDays}::float8 * interval '1 day' and ${isDroppable} limit ${batch}
      ) returning id`.execute(database.kysely)
    count = rows.length
  }
}

const dropOldSums = async ({ kysely }: Database): Promise<void> => {
  await sql`delete from view_minutes where minute < now() - ${minuteDays}::int * interval '1 day'`.execute(
    kysely,
  )
  await sql`delete from file_view_minutes where minute < now() - ${minuteDays}::int * interval '1 day'`.execute(
    kysely,
  )
  // Before the hours and days, whose triggers would change each of these rows.
  await sql`delete from view_days where day < ${today} - ${sumDays}::int`.execute(kysely)
  for (const table of ['file_view_months', 'file_viewer_months', 'view_dimension_months'] as const)
    await kysely.deleteFrom(table).where('month', '<', firstMonth).execute()
  await sql`delete from view_hours where hour < now() - ${sumDays}::int * interval '1 day'`.execute(kysely)
  await sql`delete from view_dimension_days where day < ${today} - ${sumDays}::int`.execute(kysely)
  await sql`delete from viewer_days where day < ${today} - ${sumDays}::int`.execute(kysely)
  await sql`delete from file_view_days where day < ${today} - ${sumDays}::int`.execute(kysely)
  await sql`delete from file_viewer_days where day < ${today} - ${sumDays}::int`.execute(kysely)
  await sql`delete from file_heat_days where day < ${today} - ${sumDays}::int`.execute(kysely)
}

/** Processes that ended long ago repeat no batch. */
const dropOldWriters = async ({ kysely }: Database): Promise<void> => {
  await sql`delete from report_writers where stored_at < now() - interval '1 day'`.execute(kysely)
}

/** The rows of files are deleted with them; these belong to the project. */
const dropPurgedProjects = async ({ kysely }: Database): Promise<void> => {
  for (const table of [
    'open_views',
    'view_reports',
    'views',
    'view_days',
    'view_hours',
    'view_minutes',
    'view_dimension_months',
    'view_dimension_days',
    'viewer_days',
    'file_view_months',
    'file_view_days',
    'analytics_alerts',
  ] as const)
    await kysely
      .deleteFrom(table)
      .where('project_id', 'in', (query) =>
        query.selectFrom('projects').select('id').where('purged_at', 'is not', null),
      )
      .execute()
}

export const analyticsHousekeeping = (
  database: Database,
  {
    analyticsViewDays,
    analyticsViews,
  }: { readonly analyticsViewDays: number; readonly analyticsViews?: ViewsEngine },
): readonly HousekeepingTask[] => [
  () => endDays(database),
  () => dropLeftViewers(database),
  () => dropOldViews(database, { viewDays: analyticsViewDays, engine: analyticsViews }),
  () => dropOldSums(database),
  () => dropOldWriters(database),
  () => dropPurgedProjects(database),
]
