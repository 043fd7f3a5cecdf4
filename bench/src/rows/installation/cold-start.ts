import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from '../../harness/child.ts'
import { makeFolder, type BenchContext } from '../../harness/context.ts'
import { interleave, median, pairedRatio } from '../../harness/measure.ts'
import { startProduct } from '../../harness/product.ts'
import { makeRow, type Row } from '../../harness/row.ts'
import type { RawHttpOptions } from '../../processes/raw-http-server.ts'

/**
 * Measures from the start of `serve` to its first response from the database, with an empty folder and with
 * an existing one.
 */
export const measureColdStart = async (context: BenchContext): Promise<Row[]> => {
  const rounds = context.isQuick ? 1 : 3
  const answersPath = join(context.workFolder, 'answers.json')
  await writeFile(answersPath, JSON.stringify([{ path: '/', headers: {}, body: '' }]))
  context.say(`${rounds} × first start, second start, bare node`)

  const startOn =
    (folder: string) =>
    async (round: number): Promise<number> => {
      const startedMs = performance.now()
      const product = await startProduct(context, await makeFolder(context, `${folder}${round}`))
      await product.call('GET', '/projects')
      const seconds = (performance.now() - startedMs) / 1000
      await product.stop()
      return seconds
    }
  const bareNode = async (): Promise<number> => {
    const startedMs = performance.now()
    const server = await startServer<{ port: number }>('raw-http-server', {
      answersPath,
    } satisfies RawHttpOptions)
    await (await fetch(`http://127.0.0.1:${server.ready.port}/`)).arrayBuffer()
    const seconds = (performance.now() - startedMs) / 1000
    await server.stop()
    return seconds
  }

  // A second start needs a first one on the same folder, so these two keep their order within a round.
  const both = async (round: number): Promise<{ first: number; second: number }> => {
    const start = startOn('data')
    return { first: await start(round), second: await start(round) }
  }
  const results = await interleave<'product' | 'bare', { first: number; second: number }>(rounds, {
    product: both,
    bare: async () => {
      const seconds = await bareNode()
      return { first: seconds, second: seconds }
    },
  })
  const row = (name: string, which: 'first' | 'second'): Row => {
    const values = results.product.map((one) => one[which])
    const limits = results.bare.map((one) => one[which])
    return makeRow({
      name,
      value: median(values),
      unit: 's',
      limit: { name: 'node with an HTTP server', value: median(limits) },
      ratio: pairedRatio(values, limits),
      note: values.map((value) => value.toFixed(2)).join(' '),
    })
  }
  return [row('first start to first answer', 'first'), row('later start to first answer', 'second')]
}
