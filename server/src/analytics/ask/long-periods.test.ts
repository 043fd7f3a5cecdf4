import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { percentileMs } from '../../platform/base/latency-steps.ts'
import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { makePlayableFile, type PlayableFile } from '../../playback/test-support/playable-file.ts'
import { analyticsHousekeeping } from '../store/housekeeping.ts'
import { measureNames } from '../store/measures.ts'
import {
  addRandomSums,
  daysAgo,
  expectFollowingSums,
  readRows,
  sumRows,
  type SumRow,
} from '../test-support/random-sums.ts'
import { metrics, type Metric, type MetricName } from './metrics.ts'

let server: TestServer
let files: readonly PlayableFile[]
beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_ANALYTICS_SMALLEST_GROUP: '1' } })
  files = [await makePlayableFile(server), await makePlayableFile(server), await makePlayableFile(server)]
  await addRandomSums(server, files)
})
afterAll(() => server.stop())

const monthStart = (monthsAgo: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1)).toISOString()
}
const hour = 1 / 24

/** Ends of periods: in the middle of months, days and hours, at their borders, in another time zone, and in the future. */
const periods: readonly (readonly [name: string, from: string, to: string])[] = [
  ['400 days', daysAgo(399.9), daysAgo(0)],
  ['399 days and some hours', daysAgo(399.3), daysAgo(0.2)],
  ['the middle of months and hours', daysAgo(101.27), daysAgo(3.13)],
  ['the last week of a month and more', daysAgo(66), daysAgo(17)],
  [
    'two days at the border of a month',
    new Date(Date.parse(monthStart(2)) - 86_400_000).toISOString(),
    monthStart(2).replace('-01T', '-02T'),
  ],
  ['whole months', monthStart(3), monthStart(1)],
  ['this month', monthStart(0), daysAgo(-1)],
  ['most of a month', monthStart(2).replace('-01T', '-03T'), monthStart(1)],
  ['ten days', daysAgo(40), daysAgo(30)],
  ['five hours', daysAgo(8 * hour), daysAgo(3 * hour)],
  [
    'a day of another time zone',
    daysAgo(50).replace(/T.*/, 'T00:00:00%2B05:30'),
    daysAgo(20).replace(/T.*/, 'T00:00:00-07:00'),
  ],
  ['until the future', daysAgo(80), daysAgo(-2)],
]

type Table = Parameters<typeof readRows>[1]

interface Asked {
  readonly name: MetricName
  readonly query: string
  readonly table: Table
  readonly isAsked?: (row: SumRow) => boolean
  /** Null = intervals. */
  readonly keyOf: ((row: SumRow) => string) | null
  readonly percentile?: { readonly column: 'startup_counts' | 'latency_counts'; readonly ratio: number }
}

const byProject = (row: SumRow): string => String(row.project_id)
const byFile = (row: SumRow): string => String(row.file_id)
const projectOf = (index: number): number => files[index]?.projectId ?? 0
const fileOf = (index: number): number => files[index]?.id ?? 0

const questions = (): readonly Asked[] => [
  { name: 'views', query: 'interval=month', table: 'view_hours', keyOf: null },
  { name: 'views', query: 'interval=day', table: 'view_hours', keyOf: null },
  { name: 'viewerexperiencescore', query: 'groupBy=project', table: 'view_hours', keyOf: byProject },
  {
    ...{ name: 'rebuffering', query: `interval=month&projectId=${projectOf(1)}`, table: 'view_hours' },
    ...{ keyOf: null, isAsked: (row) => row.project_id === projectOf(1) },
  },
  {
    ...{ name: 'startuptime', query: 'interval=month&percentile=95', table: 'view_hours', keyOf: null },
    percentile: { column: 'startup_counts', ratio: 0.95 },
  },
  { name: 'watchtime', query: 'groupBy=file', table: 'file_view_days', keyOf: byFile },
  {
    ...{ name: 'views', query: `interval=month&fileId=${fileOf(0)},${fileOf(2)}`, table: 'file_view_days' },
    ...{ keyOf: null, isAsked: (row) => row.file_id !== fileOf(1) },
  },
  {
    ...{ name: 'views', query: `groupBy=project&fileId=${fileOf(0)}`, table: 'file_view_days' },
    ...{ keyOf: byProject, isAsked: (row) => row.file_id === fileOf(0) },
  },
  {
    ...{ name: 'livelatency', query: 'groupBy=file&percentile=50', table: 'file_view_days', keyOf: byFile },
    percentile: { column: 'latency_counts', ratio: 0.5 },
  },
  { name: 'views', query: 'groupBy=site', table: 'view_dimension_days', keyOf: (row) => row.value ?? '' },
  {
    ...{ name: 'views', query: 'site=b&interval=month', table: 'view_dimension_days', keyOf: null },
    isAsked: (row) => row.value === 'b',
  },
  {
    ...{ name: 'errorrate', query: 'site=c&groupBy=project', table: 'view_dimension_days', keyOf: byProject },
    isAsked: (row) => row.value === 'c',
  },
  { name: 'uniqueviewers', query: 'groupBy=file', table: 'file_viewer_days', keyOf: byFile },
  {
    ...{ name: 'uniqueviewers', query: `interval=month&fileId=${fileOf(1)}`, table: 'file_viewer_days' },
    ...{ keyOf: null, isAsked: (row) => row.file_id === fileOf(1) },
  },
  {
    ...{
      name: 'uniqueviewers',
      query: `groupBy=project&fileId=${fileOf(0)},${fileOf(1)}`,
      table: 'file_viewer_days',
    },
    isAsked: (row) => row.file_id !== fileOf(2),
    keyOf: (row) => String(files.find(({ id }) => id === row.file_id)?.projectId),
  },
  {
    ...{ name: 'uniqueviewers', query: `groupBy=file&projectId=${projectOf(2)}`, table: 'file_viewer_days' },
    ...{ keyOf: byFile, isAsked: (row) => row.file_id === fileOf(2) },
  },
]

/** The answer by the rows of single hours and days. */
const valueOf = ({ name, percentile }: Asked, rows: readonly SumRow[]): number | null => {
  const sums = sumRows(rows)
  if (percentile !== undefined) return percentileMs(sums[percentile.column] ?? [], percentile.ratio)
  const metric: Metric = metrics[name]
  return metric.valueOf === null ? (sums.viewers ?? 0) : metric.valueOf(sums as unknown as ViewMeasures)
}

const expectTruth = async (asked: Asked, from: string, to: string): Promise<void> => {
  const { body } = await server.call(
    'GET',
    `/analytics/${asked.name}?${asked.query}&from=${from}&to=${to}&limit=500`,
  )
  const [fromMs, toMs] = [Date.parse(body.From), Date.parse(body.To)]
  const rows = (await readRows(server, asked.table)).filter(
    (row) => row.atMs >= fromMs && row.atMs < toMs && (asked.isAsked?.(row) ?? true),
  )
  const isByMonth = asked.query.includes('interval=month')
  const intervalOf = (row: SumRow): string =>
    new Date(row.atMs).toISOString().replace(isByMonth ? /-\d\dT.*/ : /T.*/, isByMonth ? '-01' : '')
  const groups = Map.groupBy(rows, asked.keyOf ?? intervalOf)
  const found: Record<string, number | null> = {}
  for (const { Key, Start, Value } of body.Buckets) found[Key ?? Start.slice(0, 10)] = Value
  const expected: Record<string, number | null> = {}
  if (asked.keyOf === null) for (const start of Object.keys(found)) expected[start] = valueOf(asked, [])
  for (const [key, group] of groups) expected[key] = valueOf(asked, group)
  expect(found, `${asked.name} ${asked.query}`).toEqual(expected)
  expect(body.Total, `total of ${asked.name} ${asked.query}`).toEqual(valueOf(asked, rows))
}

describe('answers over days and months', () => {
  test.each(periods)('for %s are those of the single days', async (_name, from, to) => {
    for (const asked of questions()) await expectTruth(asked, from, to)
  })

  test('follow changes and moves of rows, and those that housekeeping deletes', async () => {
    const { kysely } = server.services.database
    await expectFollowingSums(server)
    await kysely
      .updateTable('view_hours')
      .set({ views: 77, startup_counts: [0, 0, 9] })
      .execute()
    const moved = daysAgo(200.5).slice(0, 10)
    await kysely.deleteFrom('file_view_days').where('day', '=', moved).execute()
    await kysely
      .updateTable('file_view_days')
      .set({ day: moved, latency_counts: [1, 2, 3] })
      .where('file_id', '=', fileOf(1))
      .where('day', '=', (query) =>
        query
          .selectFrom('file_view_days')
          .select((select) => select.fn.max('day').as('day'))
          .where('file_id', '=', fileOf(1)),
      )
      .execute()
    await kysely.updateTable('view_dimension_days').set({ errors: 3 }).where('value', '=', 'a').execute()
    await kysely.deleteFrom('view_dimension_days').where('value', '=', 'b').execute()
    await expectFollowingSums(server)
    for (const task of analyticsHousekeeping(server.workerDatabase, { analyticsViewDays: 30 })) await task()
    await expectFollowingSums(server)
    const { rows } = { rows: await readRows(server, 'file_view_days') }
    expect(Math.min(...rows.map(({ atMs }) => atMs))).toBeGreaterThan(Date.now() - 402 * 86_400_000)
    for (const [, from, to] of periods.slice(0, 3))
      for (const asked of questions()) await expectTruth(asked, from, to)
  })

  test('are deleted with their file, and with their project', async () => {
    const { kysely } = server.services.database
    await kysely.deleteFrom('media_files').where('id', '=', fileOf(0)).execute()
    await expectFollowingSums(server)
    const left = await kysely.selectFrom('file_view_months').select('file_id').distinct().execute()
    expect(new Set(left.map(({ file_id }) => file_id))).toEqual(new Set([fileOf(1), fileOf(2)]))
    await kysely
      .updateTable('projects')
      .set({ deleted_at: new Date(), purged_at: new Date() })
      .where('id', '=', projectOf(2))
      .execute()
    for (const task of analyticsHousekeeping(server.workerDatabase, { analyticsViewDays: 30 })) await task()
    await expectFollowingSums(server)
    for (const table of ['view_days', 'file_view_months', 'view_dimension_months'] as const)
      expect(
        await kysely.selectFrom(table).select('project_id').where('project_id', '=', projectOf(2)).execute(),
        table,
      ).toEqual([])
  })
})

test('all measures are in the sums of days and months', async () => {
  const rows = await readRows(server, 'view_hours')
  expect(measureNames.filter((name) => sumRows(rows)[name] === 0)).toEqual([])
})
