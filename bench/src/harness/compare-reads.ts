import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadOptions, LoadResult } from '../processes/load-generator.ts'
import type { RawHttpOptions, RecordedAnswer } from '../processes/raw-http-server.ts'
import { runChild, startServer } from './child.ts'
import type { BenchContext } from './context.ts'
import { interleave, median, pairedRatio } from './measure.ts'
import { cpuSecondsOf } from './proc.ts'
import type { Product } from './product.ts'
import { makeRow, type Goal, type Row } from './row.ts'

export interface Read {
  readonly name: string
  /** Requested in turn. */
  readonly paths: readonly string[]
  readonly goal: Goal
  /** Goal for the 99th percentile of the latency at 80 % of the rate that was reached. */
  readonly latencyGoal?: Goal
}

interface Side {
  readonly port: number
  readonly processId: number
  readonly pathsPath: string
}

interface Measured extends LoadResult {
  readonly cpuMicrosecondsPerRequest: number
}

const connections = 32
const maxRecorded = 200
/** Share of the rate that was reached. */
const latencyLoad = 0.8

/** Writes a JSON file for another process, because an argument would be too long. */
export const writeJson = async (context: BenchContext, name: string, value: unknown): Promise<string> => {
  const path = join(context.workFolder, `${name}.json`)
  await writeFile(path, JSON.stringify(value))
  return path
}

type ReadSide = Pick<Product, 'port' | 'url' | 'apiKey' | 'apiProcessId'>

/** Compares a read with node:http that sends the same bytes and does nothing else. */
export const compareWithRaw = async (
  context: BenchContext,
  product: ReadSide,
  read: Read,
): Promise<Row[]> => {
  const headers = { Authorization: `Bearer ${product.apiKey}` }
  // The raw server cycles through a few of the responses: which ones does not affect its cost.
  const rawPaths = read.paths.slice(0, maxRecorded)
  const answers = await Promise.all(rawPaths.map((path) => recordAnswer(product, path, headers)))
  const answersPath = await writeJson(context, 'answers', answers)
  const raw = await startServer<{ port: number }>('raw-http-server', { answersPath } satisfies RawHttpOptions)
  context.defer(raw.stop)

  const [seconds, rounds] = context.isQuick ? [1, 3] : [3, 7]
  const measure =
    (side: Side, forSeconds: number, more?: Partial<LoadOptions>) => async (): Promise<Measured> => {
      const { port, pathsPath } = side
      const options: LoadOptions = { port, pathsPath, headers, connections, seconds: forSeconds, ...more }
      const before = cpuSecondsOf(side.processId)
      const result = await runChild<LoadResult>('load-generator', options)
      const cpuSeconds = cpuSecondsOf(side.processId) - before
      return { ...result, cpuMicrosecondsPerRequest: (cpuSeconds * 1e6) / result.requests }
    }
  const sides = {
    product: {
      port: product.port,
      processId: product.apiProcessId,
      pathsPath: await writeJson(context, 'paths', read.paths),
    },
    raw: {
      port: raw.ready.port,
      processId: raw.processId,
      pathsPath: await writeJson(context, 'raw-paths', rawPaths),
    },
  }
  context.say(`${read.name}: ${rounds} pairs of ${seconds} s`)
  await measure(sides.product, 2)()
  await measure(sides.raw, 1)()
  const results = await interleave(rounds, {
    product: measure(sides.product, seconds),
    raw: measure(sides.raw, seconds),
  })
  const requestsPerSecond = Math.round(
    latencyLoad * median(results.product.map((one) => one.requestsPerSecond)),
  )
  const paced =
    read.latencyGoal === undefined
      ? null
      : await interleave(rounds, {
          product: measure(sides.product, seconds, { requestsPerSecond }),
          raw: measure(sides.raw, seconds, { requestsPerSecond }),
        })
  await raw.stop()

  const of = (side: keyof typeof results, key: keyof Measured): number[] =>
    results[side].map((one) => one[key])
  const bytes = median(answers.map(({ body }) => Buffer.from(body, 'base64').length))
  /**
   * A raw server with an idle core was limited by the load generator: then CPU time says more than the rate.
   */
  const busyPercent = (side: keyof typeof results): string =>
    median(results[side].map((one) => (one.requestsPerSecond * one.cpuMicrosecondsPerRequest) / 1e4)).toFixed(
      0,
    )
  const row = (name: string, unit: string, key: keyof Measured, more: { goal?: Goal; note: string }): Row =>
    makeRow({
      name,
      unit,
      value: median(of('product', key)),
      limit: { name: 'node:http, same bytes', value: median(of('raw', key)) },
      ratio: pairedRatio(of('product', key), of('raw', key)),
      ...more,
    })
  return [
    row(read.name, 'requests/s', 'requestsPerSecond', {
      goal: read.goal,
      note: `${connections} connections, ${bytes} bytes; p50 ${median(of('product', 'p50Ms')).toFixed(1)} ms, p99 ${median(of('product', 'p99Ms')).toFixed(1)} ms`,
    }),
    row(`${read.name}, CPU`, 'µs/request', 'cpuMicrosecondsPerRequest', {
      note: `of the API process, without PostgreSQL; busy ${busyPercent('product')} % of a core, node:http ${busyPercent('raw')} %`,
    }),
    ...(paced === null ? [] : [latencyRow(read, requestsPerSecond, paced)]),
  ]
}

const latencyRow = (
  { name, latencyGoal }: Read,
  requestsPerSecond: number,
  paced: Readonly<Record<'product' | 'raw', readonly Measured[]>>,
): Row => {
  const p99Ms = (side: keyof typeof paced): number[] => paced[side].map((one) => one.p99Ms)
  return makeRow({
    name: `${name}, p99 at 80 % of the load`,
    unit: 'ms',
    value: median(p99Ms('product')),
    limit: { name: 'node:http at the same rate', value: median(p99Ms('raw')) },
    ...(latencyGoal === undefined ? {} : { goal: latencyGoal }),
    note: `${requestsPerSecond} requests/s over ${connections} connections, from the time at which each was due; p50 ${median(paced.product.map((one) => one.p50Ms)).toFixed(1)} ms, highest p99 ${Math.max(...p99Ms('product')).toFixed(1)} ms`,
  })
}

/** Node sets these headers of the connection or the time itself on both sides. */
const ownHeaders = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

const recordAnswer = async (
  product: ReadSide,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<RecordedAnswer> => {
  // The load generator requests no compression either.
  const response = await fetch(`${product.url}${path}`, {
    headers: { ...headers, 'Accept-Encoding': 'identity' },
  })
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`)
  const body = Buffer.from(await response.arrayBuffer())
  return {
    path,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.has(name))),
    body: body.toString('base64'),
  }
}
