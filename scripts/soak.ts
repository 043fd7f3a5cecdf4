import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Runs the long forms of tests whose short forms are in the suite: `npm run soak [-- --only kill,live]`. Run
 * each by its own command for other lengths.
 */
const soaks: Readonly<Record<string, readonly string[]>> = {
  api: ['vitest', 'run', 'server/test/fuzz-api.test.ts'],
  media: ['node', 'server/test/fuzz-media.ts', '--files', '500'],
  rtmp: ['node', 'packages/rtmp/test-support/fuzz-sessions.ts', '--sessions', '10000'],
  kill: ['node', 'server/test/kill/soak.ts', '--rounds', '10'],
  image: ['node', 'server/test/image/main.ts'],
  upgrade: ['node', 'server/test/upgrade/main.ts'],
  cluster: ['node', 'server/test/cluster/main.ts', 'chaos', '--minutes', '8'],
  live: ['node', 'server/test/kill/live-soak.ts', '--minutes', '60'],
}

const root = fileURLToPath(new URL('..', import.meta.url))
const env = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  FUZZ_RUNS: process.env['FUZZ_RUNS'] ?? '50',
}

const { values } = parseArgs({ options: { only: { type: 'string', default: Object.keys(soaks).join() } } })
const results: string[] = []
for (const name of values.only.split(',')) {
  const [command = '', ...args] = soaks[name] ?? []
  if (command === '') throw new Error(`There is no soak "${name}". Use ${Object.keys(soaks).join(', ')}.`)
  console.log(`\n${name}: ${[command, ...args].join(' ')}`)
  const startedAt = performance.now()
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' })
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  results.push(`${status === 0 ? 'passed' : 'FAILED'}  ${name} (${minutes} min)`)
  if (status !== 0) process.exitCode = 1
}
console.log(`\n${results.join('\n')}`)
