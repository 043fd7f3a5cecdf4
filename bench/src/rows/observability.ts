import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runChild } from '../harness/child.ts'
import { writeJson } from '../harness/compare-reads.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { interleave, median, pairedRatio } from '../harness/measure.ts'
import { cpuSecondsOf, residentMegabytes } from '../harness/proc.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import type { LoadOptions, LoadResult } from '../processes/load-generator.ts'
import type { MetricCost } from '../processes/metric-cost.ts'

const fileCount = 200
const connections = 32
const token = 'bench-metrics-token-of-32-characters'
const scrapes = 20

interface Measured {
  readonly cpuMicroseconds: number
  readonly startSeconds: number
  readonly megabytes: number
}

const side = (endpoint: string, ratio: number): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_TRACES_SAMPLER_ARG: String(ratio),
})

/**
 * Processor time of a small GET, start time and memory of the API process without and with traces, and the cost of
 * metrics. Each round starts the same installation once for every side. `off again` shows the noise.
 */
export const measureObservability = async (context: BenchContext): Promise<Row[]> => {
  const [seconds, rounds] = context.isQuick ? [2, 2] : [3, 3]
  const collector = await startCollector(context)
  const dataFolder = await makeFolder(context, 'data')
  const { pathsPath, headers } = await prepare(context, dataFolder)
  const metrics = { cpuMilliseconds: [] as number[], bytes: 0 }

  const run = (environment: Readonly<Record<string, string>>) => async (): Promise<Measured> => {
    const product = await startProduct(context, dataFolder, { ZOETROPE_METRICS_TOKEN: token, ...environment })
    const load = (forSeconds: number): Promise<LoadResult> =>
      runChild<LoadResult>('load-generator', {
        ...{ port: product.port, pathsPath, headers, connections, seconds: forSeconds },
      } satisfies LoadOptions)
    await load(2)
    const before = cpuSecondsOf(product.apiProcessId)
    const { requests } = await load(seconds)
    const cpuMicroseconds = ((cpuSecondsOf(product.apiProcessId) - before) * 1e6) / requests
    const megabytes = residentMegabytes(product.apiProcessId)
    if (Object.keys(environment).length === 0) {
      const scraped = await scrape(product)
      metrics.cpuMilliseconds.push(scraped.cpuMilliseconds)
      metrics.bytes = scraped.bytes
    }
    await product.stop()
    return { cpuMicroseconds, startSeconds: product.readyMs / 1000, megabytes }
  }
  context.say(`${rounds} rounds of ${seconds} s: off, off again, traces of 10 % and 100 %, access log`)
  const results = await interleave(rounds, {
    off: run({}),
    again: run({}),
    tenth: run(side(collector.url, 0.1)),
    all: run(side(collector.url, 1)),
    log: run({ ZOETROPE_ACCESS_LOG: '1' }),
  })
  const recording = await runChild<MetricCost>('metric-cost', {})

  const row = (of: keyof typeof results, name: string, key: keyof Measured, unit: string): Row => {
    const values = results[of].map((one) => one[key])
    const limits = results.off.map((one) => one[key])
    return makeRow({
      name,
      value: median(values),
      unit,
      limit: { name: 'traces off', value: median(limits) },
      ratio: pairedRatio(values, limits),
      note: values.map((value) => value.toFixed(key === 'startSeconds' ? 2 : 0)).join(' '),
    })
  }
  const ofSide = (of: keyof typeof results, name: string): Row[] => [
    row(of, `GET one file, ${name}: CPU`, 'cpuMicroseconds', 'µs'),
    row(of, `${name}: start of the product`, 'startSeconds', 's'),
    row(of, `${name}: memory of the API process`, 'megabytes', 'MB'),
  ]
  return [
    ...ofSide('again', 'traces off again'),
    ...ofSide('tenth', 'traces of 10 %'),
    ...ofSide('all', 'traces of 100 %'),
    ...ofSide('log', 'access log'),
    makeRow({
      name: 'metrics: recording one request',
      value: recording.microseconds,
      unit: 'µs',
      note: 'one observation of the histogram of requests, in a process of its own',
    }),
    makeRow({
      name: 'metrics: one scrape, CPU',
      value: median(metrics.cpuMilliseconds),
      unit: 'ms',
      note: `${(metrics.bytes / 1000).toFixed(0)} kB; ${scrapes} in turn`,
    }),
    makeRow({ name: 'spans that arrived', value: collector.requests(), unit: 'exports' }),
  ]
}

/** Takes OTLP exports without reading them. */
const startCollector = async (context: BenchContext) => {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    request.resume().on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.defer(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests }
}

const prepare = async (context: BenchContext, dataFolder: string) => {
  const product = await startProduct(context, dataFolder)
  const project = await product.call('POST', '/projects', { Name: 'Observed' })
  const files = `/projects/${project.body.Id}/files`
  const paths: string[] = []
  for (let index = 0; index < fileCount; index += 1) {
    const file = await product.call('POST', files, { FileName: `clip ${index}.mp4` })
    paths.push(`/v3${files}/${file.body.Id}`)
  }
  await product.stop()
  return {
    pathsPath: await writeJson(context, 'paths', paths),
    headers: { Authorization: `Bearer ${product.apiKey}` },
  }
}

const scrape = async (product: Product) => {
  const get = async (): Promise<number> => {
    const response = await fetch(`${product.url}/metrics`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    if (!response.ok) throw new Error(`/metrics answered ${response.status}`)
    return (await response.text()).length
  }
  await get()
  const before = cpuSecondsOf(product.apiProcessId)
  let bytes = 0
  for (let count = 0; count < scrapes; count += 1) bytes = await get()
  return { cpuMilliseconds: ((cpuSecondsOf(product.apiProcessId) - before) * 1e3) / scrapes, bytes }
}
