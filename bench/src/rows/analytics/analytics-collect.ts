import { openDatabase } from '../../../../server/src/platform/db/database.ts'
import { connectionOf } from '../../content/many-files.ts'
import { runChild } from '../../harness/child.ts'
import { writeJson } from '../../harness/compare-reads.ts'
import { makeFolder, type BenchContext } from '../../harness/context.ts'
import { interleave, median, pairedRatio } from '../../harness/measure.ts'
import { cpuSecondsOf, spentCpuSeconds } from '../../harness/proc.ts'
import { startProduct, type Product } from '../../harness/product.ts'
import { makeRow, type Row } from '../../harness/row.ts'
import type { LoadOptions, LoadResult } from '../../processes/load-generator.ts'
import type { PlayerReportsOptions, PlayerReportsResult } from '../../processes/player-reports.ts'

const eventsPerSecond = 2_000
/** Each viewer reports every 30 seconds. */
const sessions = 30 * eventsPerSecond
const playouts = 50
/** Our player sends what it has collected, others each event alone. */
const players = { 'one event a request': 1, 'four events a request': 4 } as const

const makePlayouts = async (context: BenchContext, product: Product) => {
  const project = await product.call('POST', '/projects', {
    Name: 'Watched',
    DefaultReleaseStatus: 'published',
  })
  const files = `/projects/${project.body.Id}/files`
  const paths: string[] = []
  for (let index = 0; index < playouts; index += 1) {
    const file = await product.call('POST', files, { FileName: `clip ${index}.mp4` })
    paths.push(`/v3${files}/${file.body.Id}`)
  }
  const database = openDatabase(await connectionOf(product), { maxConnections: 1 })
  const rows = await database.sql<{ playoutId: string }[]>`
    update media_files set state = 'finished', properties = '{"Length":600}'
    where project_id = ${project.body.Id as number} returning playout_id as "playoutId"`
  await database.close()
  return {
    playoutIds: rows.map(({ playoutId }) => playoutId),
    pathsPath: await writeJson(context, 'paths', paths),
  }
}

const cpuOf = (product: Product): { readonly api: number; readonly postgres: number } => ({
  api: cpuSecondsOf(product.apiProcessId),
  postgres: product
    .descendants()
    .filter(({ name }) => name.startsWith('postgres'))
    .reduce((sum, { processId }) => sum + spentCpuSeconds(processId), 0),
})

/**
 * Measures the cost of 60,000 viewers that report 2,000 events a second in all: processor time of the api process and PostgreSQL, and
 * the time of other requests with and without them, in pairs.
 */
export const measureAnalyticsCollect = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'), {
    ZOETROPE_TRUST_PROXY: '127.0.0.1/32',
  })
  const { playoutIds, pathsPath } = await makePlayouts(context, product)
  const [seconds, rounds] = context.isQuick ? [8, 2] : [12, 7]

  const report = (run: string, linesPerRequest: number, forSeconds: number) =>
    runChild<PlayerReportsResult>('player-reports', {
      ...{ port: product.port, playoutIds, sessions, run, eventsPerSecond, linesPerRequest },
      seconds: forSeconds,
    } satisfies PlayerReportsOptions)
  const read = (forSeconds: number) =>
    runChild<LoadResult>('load-generator', {
      ...{ port: product.port, pathsPath, headers: { Authorization: `Bearer ${product.apiKey}` } },
      // A few callers that do not keep the process busy.
      ...{ connections: 4, pauseMs: 20, seconds: forSeconds },
    } satisfies LoadOptions)

  const rows: Row[] = []
  for (const [name, linesPerRequest] of Object.entries(players)) {
    context.say(`${name}: 30 s until all ${sessions} views are open`)
    await report(name.slice(0, 3), linesPerRequest, 30)
    const costs: { readonly api: number; readonly postgres: number }[] = []
    const arrivals: PlayerReportsResult[] = []
    context.say(`${name}: ${rounds} runs of ${seconds} s`)
    for (let round = 0; round < rounds; round += 1) {
      const before = cpuOf(product)
      arrivals.push(await report(name.slice(0, 3), linesPerRequest, seconds))
      const after = cpuOf(product)
      costs.push({
        api: ((after.api - before.api) / seconds) * 100,
        postgres: ((after.postgres - before.postgres) / seconds) * 100,
      })
    }
    const api = costs.map((cost) => cost.api)
    const events = median(arrivals.map((one) => one.events / seconds))
    const refused = arrivals.reduce((sum, one) => sum + one.refused, 0)
    rows.push(
      makeRow({
        name: `2,000 events/s, ${name}: CPU of the api process`,
        value: median(api),
        unit: '% of a core',
        goal: { of: 'value', atMost: 25 },
        note: `${api.map((value) => value.toFixed(0)).join(' ')}; ${events.toFixed(0)} events/s, ${refused} refused; a report takes ${median(arrivals.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms, p99 ${median(arrivals.map(({ p99Ms }) => p99Ms)).toFixed(0)} ms`,
      }),
      makeRow({
        name: `2,000 events/s, ${name}: CPU of PostgreSQL`,
        value: median(costs.map(({ postgres }) => postgres)),
        unit: '% of a core',
        note: costs.map(({ postgres }) => postgres.toFixed(0)).join(' '),
      }),
    )
    context.say(`${name}: ${rounds} pairs of ${seconds} s of other requests, with and without`)
    const reads = await interleave(rounds, {
      with: async () => {
        const reporting = report(name.slice(0, 3), linesPerRequest, seconds + 2)
        const result = await read(seconds)
        await reporting
        return result
      },
      without: () => read(seconds),
    })
    for (const key of ['p50Ms', 'p95Ms', 'p99Ms'] as const) {
      const [values, limits] = [reads.with, reads.without].map((all) => all.map((one) => one[key])) as [
        number[],
        number[],
      ]
      rows.push(
        makeRow({
          name: `GET one file meanwhile, ${name}: ${key.slice(0, 3)}`,
          value: median(values),
          unit: 'ms',
          limit: { name: 'without reports', value: median(limits) },
          ratio: pairedRatio(values, limits),
          ...(key === 'p50Ms' ? { goal: { of: 'ratio', atMost: 1.05 } as const } : {}),
          note: values.map((value, index) => (value / (limits[index] ?? Number.NaN)).toFixed(2)).join(' '),
        }),
      )
    }
  }
  return rows
}
