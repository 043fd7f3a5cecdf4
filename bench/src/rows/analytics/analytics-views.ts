import { dropOldViews } from '../../../../server/src/analytics/store/housekeeping.ts'
import { openDatabase } from '../../../../server/src/platform/db/database.ts'
import { connectionOf } from '../../content/many-files.ts'
import { makeFolder, type BenchContext } from '../../harness/context.ts'
import { median } from '../../harness/measure.ts'
import { startProduct } from '../../harness/product.ts'
import { makeRow, type Row } from '../../harness/row.ts'

const keptDays = 30
const hourRows = 100_000
const hoursMeasured = 12

/**
 * The table of ended views with 10⁷ rows, into which 100,000 an hour are written: time to write the views of an hour, and
 * time until housekeeping has deleted as many old ones.
 */
export const measureAnalyticsViews = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const project = await product.call('POST', '/projects', { Name: 'Watched' })
  const file = await product.call('POST', `/projects/${project.body.Id}/files`, { FileName: 'clip.mp4' })
  const count = context.isQuick ? 1_000_000 : 10_000_000
  context.say(`${count} views are made`)
  const database = openDatabase(await connectionOf(product), { maxConnections: 2 })
  context.defer(database.close)
  const { sql } = database
  const insert = (first: number, last: number) => sql`
    insert into views (account_id, project_id, file_id, kind, source, started_at, ended_at, watch_ms, startup_ms, rebuffers,
      rebuffer_ms, has_started, has_failed, error_code, dimensions)
    select account_id, project_id, id, 'viewer', 'reports', at - interval '3 minutes', at, 180000, 450, 0, 0, true, false, null,
      jsonb_build_object('site', 'www' || n % 50 || '.example.com', 'country', 'C' || n % 60, 'browser', 'B' || n % 8,
        'os', 'O' || n % 8, 'device', 'D' || n % 5, 'player', 'P' || n % 4)
    from media_files, generate_series(${first}::int, ${last}::int) as n,
      lateral (select now() - make_interval(days => ${keptDays}) + ((n - 1) * 3600.0 / ${hourRows}) * interval '1 second' as at) ended
    where id = ${file.body.Id as number}`
  for (let first = 1; first <= count; first += hourRows) await insert(first, first + hourRows - 1)
  await sql`vacuum analyze views`
  const [size] = await sql<{ megabytes: number }[]>`
    select pg_total_relation_size('views') / 1e6::float8 as megabytes`

  const seconds: Record<'written' | 'deleted', number[]> = { written: [], deleted: [] }
  for (let hour = 0; hour < hoursMeasured; hour += 1) {
    const startedMs = performance.now()
    await insert(count + hour * hourRows + 1, count + (hour + 1) * hourRows)
    const writtenMs = performance.now()
    // An hour passes: the oldest views are now 30 days and an hour old.
    await dropOldViews(database, { viewDays: keptDays - (hour + 1) / 24 })
    seconds.written.push((writtenMs - startedMs) / 1_000)
    seconds.deleted.push((performance.now() - writtenMs) / 1_000)
  }
  const note = (all: readonly number[]): string => all.map((value) => value.toFixed(1)).join(' ')
  return [
    makeRow({ name: `${count} views: size`, value: size?.megabytes ?? 0, unit: 'MB', note: 'with indexes' }),
    makeRow({
      name: `${count} views: ${hourRows} are added`,
      value: median(seconds.written),
      unit: 's',
      note: note(seconds.written),
    }),
    makeRow({
      name: `${count} views: ${hourRows} old ones are deleted`,
      value: median(seconds.deleted),
      unit: 's',
      goal: { of: 'value', atMost: 36 },
      note: `1 % of an hour; ${note(seconds.deleted)}`,
    }),
  ]
}
