import { runChild } from '../harness/child.ts'
import { writeJson } from '../harness/compare-reads.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { makeManyFiles } from '../content/many-files.ts'
import { interleave, median, pairedRatio } from '../harness/measure.ts'
import { startProduct } from '../harness/product.ts'
import { makeRow, type Goal, type Row } from '../harness/row.ts'
import type { LoadOptions, LoadResult } from '../processes/load-generator.ts'

const pages = 2_000

interface ListRead {
  readonly name: string
  /** Each query requests another page, so that no response is cached. */
  readonly query: (index: number) => string
  readonly goal?: Goal
  readonly isComparedToFirst?: boolean
}

const cursorBefore = (id: number): string =>
  Buffer.from(JSON.stringify(['created', 'desc', id, null])).toString('base64url')

/**
 * A different bound for each query, which all files satisfy: otherwise the count of the same search would be
 * cached.
 */
const instantOf = (index: number): string => new Date(index * 1000).toISOString()

/**
 * One client that waits for each page of 50 before it requests the next, in a project with a hundred thousand
 * files.
 */
export const measureLists = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const { projectId, count, firstId } = await makeManyFiles(context, product)
  const deep = count * 0.9
  /** Length of the range of the list in which pages start. No two pages have the same start and length. */
  const stretch = count * 0.05
  const at = (index: number): number => index % stretch
  const limit = (index: number): string => `limit=${50 + Math.floor(index / stretch)}`
  const compared = { isComparedToFirst: true }
  const reads: ListRead[] = [
    {
      name: 'List from offset 0 on',
      query: (index) => `offset=${index % 500}&limit=${50 + Math.floor(index / 500)}`,
    },
    {
      name: `List from offset ${deep} on`,
      query: (index) => `offset=${deep + at(index)}&${limit(index)}`,
      goal: { of: 'ratio', atMost: 3 },
      ...compared,
    },
    {
      name: `List from offset ${count / 2} on`,
      query: (index) => `offset=${count / 2 + at(index)}&${limit(index)}`,
      goal: { of: 'ratio', atMost: 3 },
      ...compared,
    },
    {
      name: `List by cursor, ${deep} deep`,
      query: (index) => `cursor=${cursorBefore(firstId + count - deep - at(index))}&${limit(index)}`,
      goal: { of: 'ratio', atMost: 1.5 },
      ...compared,
    },
    {
      name: 'Search for a word of one file',
      query: (index) => `search=take${count / 2 + at(index)}&${limit(index)}`,
      goal: { of: 'value', atMost: 50 },
    },
    {
      name: 'Search for a word of every file',
      query: (index) => `search=interview&createdFrom=${instantOf(index)}`,
      goal: { of: 'value', atMost: 50 },
    },
    {
      name: 'Search for two words of every fifth file',
      query: (index) => `search=mount%20weath&createdFrom=${instantOf(index)}`,
      goal: { of: 'value', atMost: 50 },
    },
    {
      name: 'Filter by state and tag, by title',
      query: (index) => `status=finished&tag=news&orderBy=title&createdFrom=${instantOf(index)}`,
    },
  ]

  const [seconds, rounds] = context.isQuick ? [1, 3] : [2, 5]
  const sides: Record<string, (round: number) => Promise<LoadResult>> = {}
  for (const { name, query } of reads)
    sides[name] = async (round) => {
      const paths = Array.from(
        { length: pages },
        (_, index) => `/v3/projects/${projectId}/files?${query(round * pages + index)}`,
      )
      const options: LoadOptions = {
        port: product.port,
        pathsPath: await writeJson(context, 'paths', paths),
        headers: { Authorization: `Bearer ${product.apiKey}` },
        connections: 1,
        seconds,
      }
      return runChild<LoadResult>('load-generator', options)
    }
  context.say(`${reads.length} lists: ${rounds} rounds of ${seconds} s`)
  const results = await interleave(rounds, sides)

  const p50Of = (name: string): number[] => (results[name] ?? []).map(({ p50Ms }) => p50Ms)
  const first = p50Of(reads[0]?.name ?? '')
  return reads.map(({ name, goal, isComparedToFirst = false }) =>
    makeRow({
      name,
      unit: 'ms',
      value: median(p50Of(name)),
      ...(isComparedToFirst
        ? { limit: { name: 'from offset 0', value: median(first) }, ratio: pairedRatio(p50Of(name), first) }
        : {}),
      ...(goal === undefined ? {} : { goal }),
      note: `p50 of ${count} files; p99 ${median((results[name] ?? []).map(({ p99Ms }) => p99Ms)).toFixed(1)} ms`,
    }),
  )
}
