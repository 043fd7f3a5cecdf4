import { setTimeout as delay } from 'node:timers/promises'
import { runChild } from '../../harness/child.ts'
import { writeJson } from '../../harness/compare-reads.ts'
import { makeFolder, type BenchContext } from '../../harness/context.ts'
import { makeManyFiles } from '../../content/many-files.ts'
import { median } from '../../harness/measure.ts'
import { residentMegabytes } from '../../harness/proc.ts'
import { startProduct } from '../../harness/product.ts'
import { makeRow, type Row } from '../../harness/row.ts'
import type { LoadOptions, LoadResult } from '../../processes/load-generator.ts'

const connections = 32
const sampleMs = 500

/**
 * Compares the resident memory of the API process in the last tenth of the time with that in the middle,
 * under reads of all kinds.
 */
export const measureMemory = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const { projectId, count, firstId } = await makeManyFiles(context, product)
  const files = `/v3/projects/${projectId}/files`
  const paths = Array.from({ length: count }, (_, index) => {
    const scattered = (index * 7_919) % count
    if (index % 10 === 0) return `${files}?offset=${Math.min(scattered, count - 50)}`
    if (index % 101 === 0) return `${files}?search=take${scattered}`
    return `${files}/${firstId + scattered}`
  })
  const seconds = context.isLong ? 600 : context.isQuick ? 20 : 60
  const options: LoadOptions = {
    port: product.port,
    pathsPath: await writeJson(context, 'paths', paths),
    headers: { Authorization: `Bearer ${product.apiKey}` },
    connections,
    seconds,
  }
  context.say(`${seconds} s of reads`)
  let isOver = false
  const loading = runChild<LoadResult>('load-generator', options).finally(() => {
    isOver = true
  })
  const samples: number[] = []
  while (!isOver) {
    samples.push(residentMegabytes(product.apiProcessId))
    await delay(sampleMs)
  }
  const { requests } = await loading
  const tenth = Math.max(1, Math.floor(samples.length / 10))
  return [
    makeRow({
      name: `Memory of the API process after ${seconds} s of reads`,
      unit: 'MB',
      value: median(samples.slice(-tenth)),
      limit: { name: 'half way', value: median(samples.slice(5 * tenth, 6 * tenth)) },
      goal: { of: 'ratio', atMost: 1.15 },
      note: `${requests} requests over ${connections} connections; highest ${Math.max(...samples).toFixed(0)} MB`,
    }),
  ]
}
