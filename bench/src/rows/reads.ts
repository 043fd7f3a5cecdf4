import { compareWithRaw, type Read } from '../harness/compare-reads.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { makeManyFiles } from '../content/many-files.ts'
import { startProduct } from '../harness/product.ts'
import type { Row } from '../harness/row.ts'

const warmFiles = 200

/**
 * GET of one file and of a list of 50. Cached: the API process has served it before and only asks the
 * database whether it is still valid. Uncached: a hundred thousand files exceed the cache, so no request
 * finds an entry.
 */
export const measureReads = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const { projectId, count, firstId } = await makeManyFiles(context, product)
  const files = `/v3/projects/${projectId}/files`
  const numbers = Array.from({ length: count }, (_, index) => index)
  // The step is coprime to the count, so the order matches neither the ids nor the pages.
  const scattered = numbers.map((index) => (index * 7_919) % count)
  const reads: Read[] = [
    // Cycles through many files, because one query would answer concurrent reads of the same file.
    {
      name: 'GET one file',
      paths: numbers.slice(0, warmFiles).map((index) => `${files}/${firstId + index}`),
      goal: { of: 'ratio', atLeast: 0.45 },
      latencyGoal: { of: 'value', atMost: 5 },
    },
    { name: 'GET list of 50 files', paths: [`${files}?limit=50`], goal: { of: 'ratio', atLeast: 0.35 } },
    {
      name: 'GET one file, uncached',
      paths: scattered.map((index) => `${files}/${firstId + index}`),
      goal: { of: 'ratio', atLeast: 0.25 },
    },
    {
      name: 'GET list of 50 files, uncached',
      paths: scattered.map((index) => `${files}?limit=50&offset=${Math.min(index, count - 50)}`),
      goal: { of: 'ratio', atLeast: 0.08 },
    },
  ]
  const rows: Row[] = []
  for (const read of reads) rows.push(...(await compareWithRaw(context, product, read)))
  return rows
}
