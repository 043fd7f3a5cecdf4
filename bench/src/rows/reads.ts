import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runChild, startServer } from '../harness/child.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { interleave, median, pairedRatio } from '../harness/measure.ts'
import { cpuSecondsOf } from '../harness/proc.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Goal, type Row } from '../harness/row.ts'
import type { LoadOptions, LoadResult } from '../processes/load-generator.ts'
import type { RawHttpOptions, RecordedAnswer } from '../processes/raw-http-server.ts'

const fileCount = 200
const connections = 32
const seedConcurrency = 8

interface Read {
  readonly name: string
  readonly paths: readonly string[]
  readonly goal: Goal
}

interface Side {
  readonly port: number
  readonly processId: number
}

interface Measured extends LoadResult {
  readonly cpuMicrosecondsPerRequest: number
}

/** GET one file and a list of 50, against node:http that sends the bytes which the API answered, and nothing else. */
export const measureReads = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'))
  context.say(`${fileCount} records are made`)
  const { projectId, fileIds } = await seedFiles(product)
  const files = `/v3/projects/${projectId}/files`
  const reads: Read[] = [
    // Of many files in turn: reads of the same one that come in together would be answered by one query.
    {
      name: 'GET one file',
      paths: fileIds.map((id) => `${files}/${id}`),
      goal: { of: 'ratio', atLeast: 0.3 },
    },
    { name: 'GET list of 50 files', paths: [`${files}?limit=50`], goal: { of: 'ratio', atLeast: 0.1 } },
  ]
  const rows: Row[] = []
  for (const read of reads) rows.push(...(await measureRead(context, product, read)))
  return rows
}

const seedFiles = async (product: Product): Promise<{ projectId: number; fileIds: number[] }> => {
  const project = await product.call('POST', '/projects', { Name: 'Reads' })
  const projectId = project.body.Id as number
  const fileIds: number[] = []
  const seedSome = async (): Promise<void> => {
    while (fileIds.length < fileCount) {
      const index = fileIds.push(0) - 1
      const file = await product.call('POST', `/projects/${projectId}/files`, {
        FileName: `news/interview ${index}.mp4`,
        FileSize: 1_000_000,
        Metadata: {
          Title: `Interview ${index}`,
          Description: 'A conversation about the weather of the week.',
        },
      })
      fileIds[index] = file.body.Id
    }
  }
  await Promise.all(Array.from({ length: seedConcurrency }, seedSome))
  return { projectId, fileIds }
}

const measureRead = async (context: BenchContext, product: Product, read: Read): Promise<Row[]> => {
  const headers = { Authorization: `Bearer ${product.apiKey}` }
  const answers = await Promise.all(read.paths.map((path) => recordAnswer(product, path, headers)))
  const answersPath = join(context.workFolder, 'answers.json')
  await writeFile(answersPath, JSON.stringify(answers))
  const raw = await startServer<{ port: number }>('raw-http-server', { answersPath } satisfies RawHttpOptions)
  context.defer(raw.stop)

  const [seconds, rounds] = context.isQuick ? [1, 3] : [3, 7]
  const measure = (side: Side, forSeconds: number) => async (): Promise<Measured> => {
    const options: LoadOptions = {
      port: side.port,
      paths: read.paths,
      headers,
      connections,
      seconds: forSeconds,
    }
    const before = cpuSecondsOf(side.processId)
    const result = await runChild<LoadResult>('load-generator', options)
    const cpuSeconds = cpuSecondsOf(side.processId) - before
    return { ...result, cpuMicrosecondsPerRequest: (cpuSeconds * 1e6) / result.requests }
  }
  const sides = {
    product: { port: product.port, processId: product.apiProcessId },
    raw: { port: raw.ready.port, processId: raw.processId },
  }
  context.say(`${read.name}: ${rounds} pairs of ${seconds} s`)
  await measure(sides.product, 2)()
  await measure(sides.raw, 1)()
  const results = await interleave(rounds, {
    product: measure(sides.product, seconds),
    raw: measure(sides.raw, seconds),
  })
  await raw.stop()

  const of = (side: keyof typeof results, key: keyof Measured): number[] =>
    results[side].map((one) => one[key])
  const bytes = median(answers.map(({ body }) => Buffer.from(body, 'base64').length))
  /** A limit that leaves its core idle was held back by the load generator: then the CPU says more than the rate. */
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
  ]
}

/** Headers that say something about the connection or the moment are Node's own on both sides. */
const ownHeaders = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

const recordAnswer = async (
  product: Product,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<RecordedAnswer> => {
  const response = await fetch(`${product.url}${path}`, { headers })
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`)
  const body = Buffer.from(await response.arrayBuffer())
  return {
    path,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.has(name))),
    body: body.toString('base64'),
  }
}
