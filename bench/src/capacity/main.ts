import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { formatNumber } from '../harness/table.ts'
import { defaultDemand, peakOf, type Demand } from './demand.ts'
import { limitsOf } from './limits.ts'
import { makePlan, type Plan } from './plan.ts'
import { defaultPrices, type Prices } from './prices.ts'
import { logNormal } from './random.ts'
import { simulateQueue } from './simulate-queue.ts'
import { knownCosts } from './unit-costs.ts'

/** Calculates what a demand needs: `npm run capacity -- [--demand file] [--prices file] [--seed 1]`. */
const { values } = parseArgs({
  options: {
    demand: { type: 'string' },
    prices: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const readJson = <T>(file: string | undefined): Partial<T> =>
  file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Partial<T>)

const demand: Demand = { ...defaultDemand, ...readJson<Demand>(values.demand) }
const prices: Prices = { ...defaultPrices, ...readJson<Prices>(values.prices) }
const seed = Number(values.seed)

const grouped = (value: number): string =>
  value >= 1_000 ? Math.round(value).toLocaleString('en-US') : formatNumber(value).replace(/\.0+$/, '')

const print = (title: string, headings: readonly string[], rows: readonly (readonly string[])[]): void => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const lines = [line(headings), line(headings.map(() => '---')), ...rows.map(line)]
  process.stdout.write(`\n${title}\n\n${lines.join('\n')}\n`)
}

const rowsOf = (plan: Plan): [string, number, string][] => [
  ['workers', plan.encodes.workers, `of ${demand.coresPerWorker} cores`],
  ['api processes', plan.apiProcesses, 'of one core'],
  ['live nodes', plan.liveNodes, 'of one core'],
  ['cores of PostgreSQL', plan.databaseCores, ''],
  ['connections to PostgreSQL', plan.connections, ''],
  ['starts of plays', plan.peak.playStarts, 'a second'],
  ['segments requested by the CDN', plan.peak.segments, 'a second'],
  ['transactions', plan.peak.transactions, 'a second'],
  ['WAL', plan.peak.walMegabytes, 'MB/s'],
  ['webhook deliveries', plan.peak.deliveries, 'a second'],
  ['S3 writes', plan.peak.s3Writes, 'a second'],
  ['S3 reads', plan.peak.s3Reads, 'a second'],
  ['traffic of plays to viewers', plan.peak.gigabitsOfViewers, 'Gbit/s'],
  ['traffic of plays to the CDN', plan.peak.gigabitsOfOrigin, 'Gbit/s'],
  ['new media each month', plan.month.storedTerabytes, 'TB'],
  ['S3 writes in a month', plan.month.millionWrites, 'million'],
  ['S3 reads in a month', plan.month.millionReads, 'million'],
  ['traffic of plays in a month', plan.month.petabytesOfViewers, 'PB'],
  ['cores', plan.dollars.cores, '$ a month'],
  ['storage of the uploads of one month', plan.dollars.storage, '$ a month'],
  ['S3 requests', plan.dollars.requests, '$ a month'],
  ['CDN', plan.dollars.cdn, '$ a month'],
]

const scaled = (factor: number): Demand => ({
  ...demand,
  files: demand.files * factor,
  plays: demand.plays * factor,
  liveStreams: demand.liveStreams * factor,
  liveViewers: demand.liveViewers * factor,
})

const factors = [0.01, 0.1, 1]
const plans = factors.map((factor) => makePlan(scaled(factor), knownCosts, prices, seed))
print(
  'At the busiest hour, and in a month:',
  [
    'what',
    ...factors.map(
      (factor) =>
        `${grouped(demand.files * factor)} files, ${grouped(demand.plays * factor)} plays, ${grouped(demand.liveStreams * factor)} live streams`,
    ),
    'unit',
  ],
  rowsOf(plans[0] as Plan).map(([what, , unit], row) => [
    what,
    ...plans.map((plan) => grouped(rowsOf(plan)[row]?.[1] ?? Number.NaN)),
    unit,
  ]),
)

const whole = plans.at(-1) as Plan
print(
  'What breaks first:',
  ['what', 'need', 'limit', 'limit / need', 'why'],
  limitsOf(whole).map(({ what, need, limit, unit, source }) => [
    what,
    `${grouped(need)} ${unit}`,
    grouped(limit),
    formatNumber(limit / need),
    source,
  ]),
)

const service = (random: () => number): number =>
  (logNormal(random, demand.meanMinutes, demand.minutesSpread) * knownCosts.encodedMinute.cpu +
    knownCosts.file.cpu) /
  demand.coresPerWorker
const enough = whole.encodes.workers
print(
  `Encodes of three days with a peak of ${formatNumber(peakOf(demand))} times the mean (seed ${seed}):`,
  ['workers', 'busy', 'mean wait', '95 % wait at most', 'longest queue'],
  [0.7, 0.8, 0.9, 1, 1.1].map((part) => {
    const servers = Math.round(enough * part)
    const result = simulateQueue({
      ...{ seed, days: 3, arrivalsPerDay: demand.files / 30, hours: demand.hours, servers, service },
    })
    const seconds = (value: number): string =>
      value >= 90 ? `${formatNumber(value / 60)} min` : `${formatNumber(value)} s`
    return [
      String(servers),
      `${(100 * result.utilization).toFixed(0)} %`,
      seconds(result.meanWaitSeconds),
      seconds(result.p95WaitSeconds),
      grouped(result.longestQueue),
    ]
  }),
)
