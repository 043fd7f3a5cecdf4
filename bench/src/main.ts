import { mkdtemp, rm, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureUnitCosts } from './capacity/measure-unit-costs.ts'
import type { BenchContext } from './harness/context.ts'
import { openCpuAccount } from './harness/cpu-account.ts'
import { describeFacts, readMachineFacts } from './harness/machine-facts.ts'
import { machineCpuSeconds, spentCpuSeconds } from './harness/proc.ts'
import { buildServer } from './harness/product.ts'
import type { Row } from './harness/row.ts'
import { formatTable } from './harness/table.ts'
import { measureAnalyticsAsk } from './rows/analytics/analytics-ask.ts'
import { measureAnalyticsCollect } from './rows/analytics/analytics-collect.ts'
import { measureAnalyticsParquet } from './rows/analytics/analytics-parquet.ts'
import { measureAnalyticsViews } from './rows/analytics/analytics-views.ts'
import { measurePlayWhileUploading } from './rows/play-while-uploading.ts'
import { measureChunks } from './rows/chunks.ts'
import { measureColdStart } from './rows/installation/cold-start.ts'
import { measureConsole } from './rows/console.ts'
import { measureDeliveries } from './rows/deliveries.ts'
import { measureDelivery } from './rows/delivery.ts'
import { measureFirstFrame } from './rows/first-frame.ts'
import { measureIdle } from './rows/installation/idle.ts'
import { measureLadder } from './rows/ladder.ts'
import { measureLargeUpload } from './rows/large-upload.ts'
import { measureLists } from './rows/lists.ts'
import { measureLiveIngest } from './rows/live/live-ingest.ts'
import { measureLiveLatency } from './rows/live/live-latency.ts'
import { measureLiveViewers } from './rows/live/live-viewers.ts'
import { measureMemory } from './rows/installation/memory.ts'
import { measureObservability } from './rows/observability.ts'
import { measureOnDemand } from './rows/on-demand/on-demand.ts'
import { measureOnDemandAttack } from './rows/on-demand/on-demand-attack.ts'
import { measurePlayable } from './rows/playable.ts'
import { measurePurge } from './rows/purge.ts'
import { measureQuality } from './rows/quality.ts'
import { measureReads } from './rows/reads.ts'
import { measureRemoteWorkers } from './rows/remote-workers.ts'
import { measureUpload } from './rows/upload.ts'
import { measureUploadToStore } from './rows/upload-to-store.ts'
import { measureWebhooks } from './rows/webhooks.ts'
import { measureWholeFile } from './rows/whole-file.ts'
import { compare, formatChanges } from './runs/compare.ts'
import { formatHistory, keep, readHistory } from './runs/history.ts'
import type { GroupResult } from './runs/run-result.ts'

const groups: Readonly<Record<string, (context: BenchContext) => Promise<Row[]>>> = {
  reads: measureReads,
  lists: measureLists,
  purge: measurePurge,
  memory: measureMemory,
  observability: measureObservability,
  upload: measureUpload,
  'upload-to-store': measureUploadToStore,
  playable: measurePlayable,
  'large-upload': measureLargeUpload,
  'play-while-uploading': measurePlayWhileUploading,
  ladder: measureLadder,
  'on-demand': measureOnDemand,
  'on-demand-attack': measureOnDemandAttack,
  chunks: measureChunks,
  quality: measureQuality,
  whole: measureWholeFile,
  'remote-workers': measureRemoteWorkers,
  delivery: measureDelivery,
  webhooks: measureWebhooks,
  deliveries: measureDeliveries,
  'live-ingest': measureLiveIngest,
  'live-latency': measureLiveLatency,
  'live-viewers': measureLiveViewers,
  'analytics-collect': measureAnalyticsCollect,
  'analytics-ask': measureAnalyticsAsk,
  'analytics-views': measureAnalyticsViews,
  'analytics-parquet': measureAnalyticsParquet,
  console: measureConsole,
  'first-frame': measureFirstFrame,
  start: measureColdStart,
  idle: measureIdle,
  'unit-costs': measureUnitCosts,
}

/** Far longer than any group takes on a healthy machine. */
const groupTimeoutMs = 20 * 60_000

const usage = `Usage: npm run bench -- [--only reads,upload] [--quick] [--long] [--json file] [--keep]
       npm run bench -- --compare main [--only reads,upload] [--pairs 5] [--quick]
       npm run bench -- --history [--only reads,upload]

Groups: ${Object.keys(groups).join(', ')}. Figures go to standard output and to bench-results.json.
`

const say = (text: string): void => {
  process.stderr.write(`  ${text}\n`)
}

const undos: (() => Promise<void>)[] = []

const undoAll = async (): Promise<void> => {
  for (let undo = undos.pop(); undo !== undefined; undo = undos.pop())
    await undo().catch((error: unknown) => say(`not cleaned up: ${String(error)}`))
}

const runGroup = async (
  name: string,
  parent: string,
  given: Pick<BenchContext, 'isQuick' | 'isLong' | 'account'>,
): Promise<GroupResult> => {
  const measure = groups[name]
  if (measure === undefined) throw new Error(`There is no group "${name}".\n\n${usage}`)
  const workFolder = join(parent, name)
  await mkdir(workFolder)
  undos.push(() => rm(workFolder, { recursive: true, force: true }))
  say(name)
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`${name} took too long.`)), groupTimeoutMs)
  const startedMs = performance.now()
  const spent = given.account?.spentSeconds ?? spentCpuSeconds
  const foreignBefore = machineCpuSeconds() - spent()
  let rows: Row[]
  try {
    const context: BenchContext = {
      workFolder,
      ...given,
      say: (text) => say(`  ${text}`),
      defer: (undo) => undos.push(undo),
    }
    rows = await Promise.race([measure(context), timeout.promise])
  } finally {
    clearTimeout(timer)
    // CPU time of a process counts for its parent only after it has ended.
    await undoAll()
  }
  const seconds = (performance.now() - startedMs) / 1000
  const coresOfOthers = Math.max(0, machineCpuSeconds() - spent() - foreignBefore) / seconds
  say(`  ${seconds.toFixed(0)} s; other programs kept ${coresOfOthers.toFixed(2)} cores busy`)
  return { name, rows, seconds, coresOfOthers }
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      json: { type: 'string', default: 'bench-results.json' },
      keep: { type: 'boolean', default: false },
      compare: { type: 'string' },
      pairs: { type: 'string', default: '5' },
      history: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return void process.stdout.write(usage)
  const names = values.only === undefined ? Object.keys(groups) : values.only.split(',')
  if (values.history) {
    const kept = (await readHistory()).filter(({ group }) => names.includes(group))
    return void process.stdout.write(formatHistory(kept))
  }
  if (values.keep && values.quick) throw new Error('--quick gives no figures to keep.')
  const parent = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
  process.once('SIGINT', () => {
    void undoAll()
      .then(() => rm(parent, { recursive: true, force: true }))
      .finally(() => process.exit(130))
  })
  try {
    const facts = readMachineFacts(parent)
    if (values.compare !== undefined) {
      if (!/^([2-9]|1\d|20)$/.test(values.pairs)) throw new Error('--pairs must be from 2 to 20.')
      const changes = await compare({
        ...{ ref: values.compare, groups: names, pairs: Number(values.pairs), isQuick: values.quick },
        ...{ workFolder: parent, say },
      })
      return void process.stdout.write(`\n${describeFacts(facts)}\n\n${formatChanges(changes)}`)
    }
    await buildServer()
    const results: GroupResult[] = []
    const failures: string[] = []
    const result = { facts, isQuick: values.quick, groups: results, failures }
    const account = await openCpuAccount(process.pid).catch(() => null)
    for (const name of names) {
      try {
        results.push(await runGroup(name, parent, { isQuick: values.quick, isLong: values.long, account }))
      } catch (error) {
        failures.push(`${name}: ${(error as Error).stack ?? String(error)}`)
      }
      // An interrupted run keeps the figures of the groups before.
      await writeFile(values.json, `${JSON.stringify(result, null, 2)}\n`)
    }
    await account?.remove()
    process.stdout.write(`\n${describeFacts(facts)}\n\n${formatTable(results.flatMap(({ rows }) => rows))}`)
    if (values.keep) await keep(result)
    for (const failure of failures) process.stderr.write(`${failure}\n`)
    process.exitCode = failures.length > 0 ? 1 : 0
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}

await main()
