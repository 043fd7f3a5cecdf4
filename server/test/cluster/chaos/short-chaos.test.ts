import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { compileCache } from '../../support/compile-cache.ts'
import { whyNoCluster } from '../machines/enclosure.ts'

const reason = await whyNoCluster()
const script = fileURLToPath(new URL('../main.ts', import.meta.url))

/** This seed kills an api node and the primary database, fills the disk of a live node, and cuts off live nodes and the standby. */
const seed = 35

test.skipIf(reason !== null)(
  `a cluster under five faults loses nothing and answers nothing wrong${reason === null ? '' : ` (${reason})`}`,
  { timeout: 600_000 },
  async () => {
    const chaos = spawn(
      process.execPath,
      [script, 'chaos', '--seed', String(seed), '--minutes', '1.2', '--size', '2,1,2'],
      { env: { ...process.env, NODE_COMPILE_CACHE: compileCache } },
    )
    onTestFinished(() => void chaos.kill())
    const [stdout, stderr] = await Promise.all([
      chaos.stdout.toArray(),
      chaos.stderr.toArray(),
      once(chaos, 'close'),
    ])
    const said = stdout.join('') + stderr.join('')
    expect(said).toContain('lost 0, wrong 0')
    expect(said).toContain('| kill -9 and restart of the primary database | 1 |')
    expect(chaos.exitCode).toBe(0)
  },
)
