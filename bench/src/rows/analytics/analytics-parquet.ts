import { keepArchives } from '../../../../server/src/analytics/archive/keep-archives.ts'
import { openArchiveWriter } from '../../../../server/src/analytics/archive/open-archives.ts'
import { createDiskBlobStore } from '../../../../server/src/platform/blobs/disk-blob-store.ts'
import { openDatabase } from '../../../../server/src/platform/db/database.ts'
import { createLog } from '../../../../server/src/platform/log/log.ts'
import { join } from 'node:path'
import { connectionOf, copyFile } from '../../content/many-files.ts'
import { makeFolder, type BenchContext } from '../../harness/context.ts'
import { median, percentile } from '../../harness/measure.ts'
import { startProduct } from '../../harness/product.ts'
import { makeRow, type Row } from '../../harness/row.ts'

const days = 400
const fileCount = 2_000
const goalMs = 1_000

/** What a breakdown groups by, and its period. */
const questions = [
  { name: 'country and device', by: 'country,device', days },
  { name: 'site, browser and system', by: 'site,browser,os', days },
  { name: 'file and country', by: 'file,country', days },
  { name: 'day and player', by: 'day,player', days },
  { name: 'file, country and device', by: 'file,country,device', days },
  { name: 'country and device in 30 days', by: 'country,device', days: 30 },
] as const

/** Writes 10⁷ views to Parquet files as a worker does, a day at a time, and asks for crossings over HTTP. */
export const measureAnalyticsParquet = async (context: BenchContext): Promise<Row[]> => {
  const dataFolder = await makeFolder(context, 'data')
  const product = await startProduct(context, dataFolder, {
    ZOETROPE_ANALYTICS_VIEWS: 'parquet',
    ZOETROPE_ANALYTICS_ARCHIVE_DAYS: '1000',
    ZOETROPE_ANALYTICS_VIEW_DAYS: '1000',
  })
  const project = await product.call('POST', '/projects', { Name: 'Watched' })
  const file = await product.call('POST', `/projects/${project.body.Id}/files`, { FileName: 'clip.mp4' })
  const perDay = (context.isQuick ? 1_000_000 : 10_000_000) / days
  const database = openDatabase(await connectionOf(product), { maxConnections: 2 })
  context.defer(database.close)
  const { sql } = database
  await copyFile(sql, file.body.Id as number, { from: 1, to: fileCount - 1 })
  await sql`truncate views`
  const writer = await openArchiveWriter({
    database,
    blobs: createDiskBlobStore({ folder: join(dataFolder, 'media') }),
    log: createLog({ level: 'warn' }),
    config: { dataFolder: await makeFolder(context, 'writer'), analyticsMemoryBytes: 512 * 1_048_576 },
  })
  context.defer(writer.close)
  context.say(`${days} days of ${perDay} views are written`)
  const dayMs = 86_400_000
  const todayMs = Math.floor(Date.now() / dayMs) * dayMs
  const writtenSeconds: number[] = []
  for (let day = days; day >= 1; day -= 1) {
    const startMs = todayMs - day * dayMs
    await sql`
      insert into views (account_id, project_id, file_id, kind, source, started_at, ended_at, watch_ms, startup_ms, rebuffers,
        rebuffer_ms, has_started, has_failed, error_code, dimensions)
      select account_id, project_id, id, 'viewer', 'reports', at - interval '3 minutes', at, (random() * 360000)::int,
        (random() * 900)::int, (random() * 2)::int, (random() * 2000)::int, true, random() < 0.01, null,
        jsonb_build_object('site', 'www' || (200 * random() ^ 2)::int || '.example.com', 'country', 'C' || (60 * random() ^ 2)::int,
          'browser', 'B' || (8 * random())::int, 'os', 'O' || (8 * random())::int, 'device', 'D' || (5 * random() ^ 2)::int,
          'player', 'P' || (4 * random() ^ 2)::int)
      from (
        select ${file.body.Id as number}::bigint + (${fileCount} * random() ^ 3)::int % ${fileCount} as file_id,
          to_timestamp(${startMs / 1_000}::float8 + n * 86400.0 / ${perDay}) as at
        from generate_series(1, ${perDay - 1}::int) as n
      ) ended join media_files f on f.id = ended.file_id`
    const startedMs = performance.now()
    await keepArchives({ ...writer, archiveDays: 1_000, former: null }, startMs + dayMs + 3_600_000)
    writtenSeconds.push((performance.now() - startedMs) / 1_000)
    if (day % 50 === 0) await sql`delete from views where ended_at < to_timestamp(${startMs / 1_000}::float8)`
  }
  await sql`truncate views`
  const [made] = await sql<{ views: number; archives: number }[]>`
    select sum(views)::float8 as views, count(*)::float8 as archives from view_archives where state = 'current'`
  const stats = await sql<{ blob: string }[]>`select blob from view_archives where state = 'current'`
  let bytes = 0
  for (const { blob } of stats) bytes += (await writer.blobs.stat(blob))?.sizeBytes ?? 0

  const rounds = context.isQuick ? 3 : 10
  const takenMs = new Map<string, number[]>()
  for (let round = -1; round < rounds; round += 1)
    for (const question of questions) {
      const from = new Date(todayMs - question.days * dayMs + dayMs).toISOString()
      const startedMs = performance.now()
      await product.call('GET', `/analytics/breakdown?by=${question.by}&from=${from}`)
      const all = takenMs.get(question.name) ?? []
      if (round >= 0) all.push(performance.now() - startedMs)
      takenMs.set(question.name, all)
    }
  return [
    makeRow({
      name: `${made?.views ?? 0} views in ${made?.archives ?? 0} Parquet files`,
      value: bytes / 1e6,
      unit: 'MB',
    }),
    makeRow({
      name: `a day of ${perDay} views is written`,
      value: median(writtenSeconds),
      unit: 's',
      note: `slowest ${Math.max(...writtenSeconds).toFixed(1)} s`,
    }),
    ...[...takenMs].map(([name, all]) =>
      makeRow({
        name: `views by ${name}: p95`,
        value: percentile(all, 95),
        unit: 'ms',
        goal: { of: 'value', atMost: goalMs },
        note: `median ${median(all).toFixed(0)} ms`,
      }),
    ),
  ]
}
