import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { startMeter } from '../../capacity/meter.ts'
import { makeFolder, type BenchContext } from '../../harness/context.ts'
import { residentMegabytes } from '../../harness/proc.ts'
import { startProduct, type Product } from '../../harness/product.ts'
import { makeRow, type Row } from '../../harness/row.ts'

/** What a start leaves behind has been collected by then. */
const settleMs = 20_000

const noS3 = { writes: 0, reads: 0, deletes: 0, sentBytes: 0, receivedBytes: 0 }

/**
 * An installation without files, streams and webhooks: its memory, and what it costs while it is unused.
 */
export const measureIdle = async (context: BenchContext): Promise<Row[]> => {
  const folder = await makeFolder(context, 'data')
  // The first start also compiles and creates the database.
  await (await startProduct(context, folder)).stop()
  const product = await startProduct(context, folder)
  const meter = await startMeter(context, product, () => noS3)
  await delay(settleMs)
  const seconds = context.isQuick ? 10 : 60
  context.say(`${seconds} s of nothing`)
  const cost = await meter.measureIdle(seconds)
  const processes = memoryOf(product)
  const sum = (pick: (one: ProcessMemory) => number): number =>
    processes.reduce((total, one) => total + pick(one), 0)
  const note = processes.map(({ name, ownMegabytes }) => `${name} ${ownMegabytes.toFixed(0)}`).join(', ')
  return [
    makeRow({
      name: 'Memory of an idle installation, shared pages counted once',
      value: sum(({ ownMegabytes }) => ownMegabytes),
      unit: 'MB',
      goal: { of: 'value', atMost: 400 },
      note: `${note}; resident sizes add up to ${sum(({ residentMegabytes: resident }) => resident).toFixed(0)} MB`,
    }),
    makeRow({
      name: 'Processor time of an idle installation',
      value: cost.api + cost.worker + cost.live + cost.postgres,
      unit: 'cores',
      note: `api ${cost.api.toFixed(3)}, worker ${cost.worker.toFixed(3)}, live ${cost.live.toFixed(3)}, PostgreSQL ${cost.postgres.toFixed(3)}`,
    }),
    makeRow({
      name: 'Transactions of an idle installation',
      value: cost.transactions,
      unit: '1/s',
    }),
  ]
}

interface ProcessMemory {
  readonly name: string
  readonly ownMegabytes: number
  readonly residentMegabytes: number
}

/** Processes of PostgreSQL are one line. */
const memoryOf = (product: Product): ProcessMemory[] => {
  const all = [
    { processId: product.processId, name: 'supervisor', commandLine: '' },
    ...product.descendants(),
  ].map(({ processId, name, commandLine }) => ({
    name: /--role (\w+)$/.exec(commandLine)?.[1] ?? (name.startsWith('postgres') ? 'PostgreSQL' : name),
    ownMegabytes: ownMegabytes(processId),
    residentMegabytes: residentMegabytes(processId),
  }))
  return [...Map.groupBy(all, ({ name }) => name)].map(([name, ones]) => ({
    name,
    ownMegabytes: ones.reduce((sum, one) => sum + one.ownMegabytes, 0),
    residentMegabytes: ones.reduce((sum, one) => sum + one.residentMegabytes, 0),
  }))
}

/** proc_pid_smaps(5): a page that n processes share counts as 1/n for each. */
const ownMegabytes = (processId: number): number =>
  (Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${processId}/smaps_rollup`, 'utf8'))?.[1]) * 1024) /
  1e6
