import { openDatabase } from '../../../server/src/platform/db/database.ts'
import type { Sql } from '../../../server/src/platform/db/hand-written-sql.ts'
import type { BenchContext } from '../harness/context.ts'
import type { Product } from '../harness/product.ts'
import { connectionOf, copyFile } from './many-files.ts'

export interface ManyViews {
  readonly projectIds: readonly number[]
  /** The file with the most views. */
  readonly top: { readonly projectId: number; readonly fileId: number }
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>
  readonly views: number
}

export const viewDays = 400
const projectCount = 20
const fileCount = 2_000

/** Values of each dimension; the share of a value falls with its rank. */
const dimensions = { site: 200, country: 60, browser: 8, os: 8, device: 5, player: 4 } as const

/** Measures of `views` views, in the order of `columns`. */
const columns =
  'views, watch_ms, startups, startup_ms, rebuffers, rebuffer_ms, failures, errors, exits, latencies, latency_ms, bytes, bot_views, preview_views'
const measures = `views, views * 180000, views, views * 450, views / 5, views * 400, views / 200, views / 100, views / 50, 0, 0,
  views * 60000000, views / 30, 0`

const makeFiles = async (product: Product, sql: Sql) => {
  const projectIds: number[] = []
  const weights = Array.from({ length: projectCount }, (_, index) => 1 / (index + 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, weight] of weights.entries()) {
    const project = await product.call('POST', '/projects', { Name: `Channel ${index + 1}` })
    const projectId = project.body.Id as number
    projectIds.push(projectId)
    const model = await product.call('POST', `/projects/${projectId}/files`, { FileName: 'talk.mp4' })
    const id = model.body.Id as number
    const count = Math.max(2, Math.round((fileCount * weight) / total))
    await copyFile(sql, id, { from: 1, to: count - 1 })
  }
  return projectIds
}

/**
 * Fills the sums of analytics in SQL with what 10⁷ views over 400 days leave: 20 projects, 2,000 files, and a few of them with
 * most of the views.
 */
export const makeManyViews = async (context: BenchContext, product: Product): Promise<ManyViews> => {
  const views = context.isQuick ? 1_000_000 : 10_000_000
  context.say(`sums of ${views} views over ${viewDays} days are made`)
  const database = openDatabase(await connectionOf(product), { maxConnections: 1 })
  const { sql } = database
  try {
    const projectIds = await makeFiles(product, sql)
    const run = (text: string) => database.onOneConnection((connection) => connection.query(text))
    // A file of rank r has 1/r of the views of the first, with weekends, and half of them in its first month.
    await run(`
      create table bench_days as
      with ranked as (
        select account_id, project_id, id as file_id, row_number() over (order by hashint8(id)) as rank
        from media_files where project_id = any('{${projectIds.join(',')}}')
      ), shares as (
        select *, (1.0 / rank) / sum(1.0 / rank) over () as share, (rank * 37) % ${viewDays} as born from ranked
      )
      select account_id, project_id, file_id, rank, (now() at time zone 'utc')::date - n as day,
        floor(${views} * share * (case when ${viewDays} - n < born then 0.4 when ${viewDays} - n < born + 30 then 7 else 0.6 end)
          * (0.7 + 0.6 * random()) * (1 + (n % 7) / 10.0) / ${viewDays} + random())::bigint as views
      from shares, generate_series(0, ${viewDays - 1}) as n`)
    await run(`delete from bench_days where views = 0; analyze bench_days`)
    await run(`
      insert into file_view_days (account_id, project_id, file_id, day, ${columns})
      select account_id, project_id, file_id, day, ${measures} from bench_days`)
    await run(`
      insert into file_viewer_days (account_id, file_id, day, viewers)
      select account_id, file_id, day, ceil(views * 0.8) from bench_days`)
    await run(`
      insert into file_heat_days (account_id, file_id, day, played_ms, reached, views)
      select account_id, file_id, day, array_fill(views * 6000, array[100]), array_fill(views / 2, array[100]), views from bench_days where rank <= 300`)
    await run(`
      insert into view_hours (account_id, project_id, hour, ${columns})
      select account_id, project_id, hour, ${measures} from (
        select account_id, project_id, (day + make_interval(hours => h)) at time zone 'utc' as hour,
          ceil(sum(views) * (0.2 + (h % 12) / 12.0) / 15)::bigint as views
        from bench_days, generate_series(0, 23) as h group by 1, 2, day, h) hours`)
    await run(`
      insert into viewer_days (account_id, project_id, day, viewers)
      select account_id, project_id, day, ceil(sum(views) * 0.7) from bench_days group by 1, 2, 3`)
    for (const [name, values] of Object.entries(dimensions))
      await run(`
        insert into view_dimension_days (account_id, project_id, day, dimension, value, ${columns})
        select account_id, project_id, day, '${name}', '${name}-' || v, ${measures} from (
          select account_id, project_id, day, v, floor(sum(views) / v / ln(${values} + 1) + random())::bigint as views
          from bench_days, generate_series(1, ${values}) as v group by 1, 2, 3, 4) days
        where views > 0`)
    await run(`
      insert into view_minutes (account_id, project_id, minute, viewers)
      select account_id, id, date_trunc('minute', now()) - make_interval(mins => m), 1 + id % 30
      from projects, generate_series(0, 2879) as m where id = any('{${projectIds.join(',')}}')`)
    await run(`
      insert into open_views (playout_id, session_id, account_id, project_id, file_id, kind, is_playing, seen_at, state)
      select gen_random_uuid(), rank || '-' || n, account_id, project_id, file_id, 'viewer', true, now() + interval '5 minutes', '{}'
      from bench_days, generate_series(1, 5) as n where day = (now() at time zone 'utc')::date`)
    await run('vacuum analyze')
    const [top] = await sql<{ projectId: number; fileId: number }[]>`
      select project_id::float8 as "projectId", file_id::float8 as "fileId" from bench_days
      group by 1, 2 order by sum(views) desc limit 1`
    if (top === undefined) throw new Error('There are no views.')
    const made = await sql<{ made: number }[]>`select sum(views)::float8 as made from bench_days`
    await run('drop table bench_days')
    const counts = await sql<{ name: string; rows: number }[]>`
      select relname as name, reltuples::float8 as rows from pg_class
      where relname in ('view_hours', 'file_view_days', 'view_dimension_days', 'file_heat_days')`
    return {
      projectIds,
      top,
      rows: Object.fromEntries(counts.map(({ name, rows }) => [name, rows])),
      views: made[0]?.made ?? 0,
    }
  } finally {
    await database.close()
  }
}
