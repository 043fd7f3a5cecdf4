import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../../server/src/platform/db/database.ts'
import { connectionOf } from '../content/many-files.ts'
import type { BenchContext } from '../harness/context.ts'
import { cpuSecondsOf, spentCpuSeconds } from '../harness/proc.ts'
import type { Product } from '../harness/product.ts'
import type { S3Counts } from './counting-proxy.ts'

/** Everything that work costs, as totals since the start, or as the difference of two totals. */
export interface Cost extends S3Counts {
  /** Processor seconds by process; `media` is ffmpeg and ffprobe. */
  readonly api: number
  readonly worker: number
  readonly live: number
  readonly media: number
  readonly postgres: number
  readonly transactions: number
  readonly rows: number
  readonly walBytes: number
}

const names = [
  ...['api', 'worker', 'live', 'media', 'postgres', 'transactions', 'rows', 'walBytes'],
  ...['writes', 'reads', 'deletes', 'sentBytes', 'receivedBytes'],
] as const satisfies readonly string[]

const combine = (a: Cost, b: Cost, by: (a: number, b: number) => number): Cost =>
  Object.fromEntries(names.map((name) => [name, by(a[name as keyof Cost], b[name as keyof Cost])])) as never

export const minus = (a: Cost, b: Cost): Cost => combine(a, b, (x, y) => x - y)
export const times = (cost: Cost, factor: number): Cost => combine(cost, cost, (x) => x * factor)

/** PostgreSQL reports the rows of a connection up to ten seconds after its last transaction. */
const settleMs = 11_000

const cpuOf = (product: Product) => {
  const cpu = { api: 0, worker: 0, live: 0, postgres: 0 }
  for (const { processId, name, commandLine } of product.descendants()) {
    const role = (['api', 'worker', 'live'] as const).find((one) => commandLine.endsWith(`--role ${one}`))
    try {
      if (role !== undefined) cpu[role] += cpuSecondsOf(processId)
      else if (name.startsWith('postgres')) cpu.postgres += spentCpuSeconds(processId)
    } catch {
      // The process has ended.
    }
  }
  const others = cpuSecondsOf(product.processId) + cpu.api + cpu.worker + cpu.live + cpu.postgres
  return { ...cpu, media: product.spentCpuSeconds() - others }
}

export const startMeter = async (context: BenchContext, product: Product, s3: () => S3Counts) => {
  const database = openDatabase(await connectionOf(product), { maxConnections: 1 })
  context.defer(() => database.close())
  const read = async (): Promise<Cost> => {
    const [row] = await database.sql<{ transactions: number; rows: number; walBytes: number }[]>`
      select xact_commit::float8 as transactions, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "walBytes",
        (select sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 from pg_stat_user_tables) as rows
      from pg_stat_database where datname = current_database()`
    if (row === undefined) throw new Error('PostgreSQL has no statistics.')
    return { ...cpuOf(product), ...row, ...s3() }
  }
  let idle: Cost | null = null
  const measure = async (work: () => Promise<void>): Promise<Cost> => {
    const startedMs = performance.now()
    const before = await read()
    await work()
    await delay(settleMs)
    const cost = minus(await read(), before)
    const seconds = (performance.now() - startedMs) / 1_000
    return idle === null ? times(cost, 1 / seconds) : minus(cost, times(idle, seconds))
  }
  return {
    /** Cost of an idle second. Later measurements subtract it. */
    measureIdle: async (seconds: number): Promise<Cost> =>
      (idle = await measure(() => delay(seconds * 1_000))),
    measure,
  }
}
