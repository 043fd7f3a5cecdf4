import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildStaleBundles } from '../support/fresh-bundles.ts'
import { runChaos } from './chaos/run.ts'
import { startCluster } from './cluster.ts'
import { enclose, isEnclosed, whyNoCluster } from './machines/enclosure.ts'
import { acceptHost } from './machines/network.ts'

/**
 * Runs a cluster on this machine: `npm run cluster [-- chaos --seed 7 --minutes 30 --only kill,freeze]`
 * (docs/cluster.md).
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    minutes: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    size: { type: 'string', default: '3,3,2' },
    keep: { type: 'boolean', default: false },
  },
})
const isChaos = positionals[0] === 'chaos'

const startedMs = performance.now()
const print = (text: string): void => void process.stdout.write(`${text}\n`)
const say = (text: string): void =>
  print(`${((performance.now() - startedMs) / 1_000).toFixed(1).padStart(7)}  ${text}`)

const untilInterrupted = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

const runInside = async (): Promise<number> => {
  // The first process of a namespace ignores signals without handlers.
  if (isChaos) void untilInterrupted().then(() => process.exit(130))
  const root = await mkdtemp(join(tmpdir(), 'zoetrope-cluster-'))
  // PostgreSQL runs as another user.
  await chmod(root, 0o755)
  const [api = 3, worker = 3, live = 2] = values.size.split(',').map(Number)
  const cluster = await startCluster(root, { api, worker, live }, say)
  let holds = true
  if (isChaos) {
    const only = values.only.split(',').filter(Boolean)
    holds = await runChaos(cluster, {
      seed: Number(values.seed),
      minutes: Number(values.minutes),
      only,
      say,
    })
  } else {
    await acceptHost()
    print(describe(cluster))
    await untilInterrupted()
  }
  await cluster.stop()
  if (holds && !values.keep) await rm(root, { recursive: true, force: true })
  else say(`logs and journal: ${root}`)
  return holds ? 0 : 1
}

const describe = (cluster: Awaited<ReturnType<typeof startCluster>>): string => {
  const machines = [
    cluster.proxy,
    cluster.database.primary(),
    cluster.database.standby(),
    cluster.store.machine,
  ]
  const all = [...machines, ...cluster.nodes.map(({ machine }) => machine)]
  return [
    '',
    `console   ${cluster.url}/console  (admin@example.com, ${cluster.password})`,
    `API       ${cluster.url}/v3`,
    `API key   ${cluster.apiKey}`,
    `folder    ${cluster.root}`,
    '',
    ...all.map(({ name, address }) => `${name.padEnd(10)}${address}`),
    '',
    'Ctrl-C stops everything.',
  ].join('\n')
}

const reason = await whyNoCluster()
if (reason !== null) {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
if (!isEnclosed()) {
  buildStaleBundles('server')
  buildStaleBundles('pages')
}
process.exit(isEnclosed() ? await runInside() : await enclose({ isOpen: !isChaos }))
