import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessRole } from '../../../src/platform/db/process-roles/login.ts'
import { compileCache } from '../../support/compile-cache.ts'
import { waitFor } from '../../support/wait-for.ts'
import { clockEnvironment } from '../machines/clock.ts'
import type { Machine } from '../machines/machine.ts'
import { mainScript } from '../../support/main-script.ts'

/** One process of the product on a machine of its own, under a supervisor that starts it again, as systemd does. */
export interface ClusterNode {
  readonly role: ProcessRole
  readonly machine: Machine
  readonly isReady: () => Promise<boolean>
  readonly restarts: () => number
  /** Kills the machine and starts it again after this time. */
  readonly crash: (downMs: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** `RestartSec` of deploy/systemd. */
const restartMs = 1_000
const healthPorts: Readonly<Record<ProcessRole, number>> = { api: 8080, worker: 8081, live: 8081 }
export const rtmpPort = 1935

const portsOf = (role: ProcessRole, address: string): Record<string, string> => {
  if (role === 'api') return { ZOETROPE_PORT: String(healthPorts.api) }
  if (role === 'worker') return { ZOETROPE_WORKER_PORT: String(healthPorts.worker) }
  return {
    ZOETROPE_LIVE_URL: `http://${address}:8090`,
    ZOETROPE_LIVE_HEALTH_PORT: String(healthPorts.live),
    ZOETROPE_RTMP_PORT: String(rtmpPort),
    ZOETROPE_SRT_PORT: '0',
  }
}

export const startNode = async (
  role: ProcessRole,
  machine: Machine,
  environment: Readonly<Record<string, string>>,
  logFolder: string,
): Promise<ClusterNode> => {
  const output = openSync(join(logFolder, `${machine.name}.out`), 'a')
  const env = {
    NODE_COMPILE_CACHE: compileCache,
    ZOETROPE_DATA: machine.folder,
    ZOETROPE_HOST: '0.0.0.0',
    ...portsOf(role, machine.address),
    ...clockEnvironment(machine.clock),
    ZOETROPE_LOG_FILE: join(logFolder, `${machine.name}.log`),
    ...environment,
  }
  let child: ChildProcess | null = null
  let isWanted = true
  let downUntilMs = 0
  let starts = 0
  const supervise = async (): Promise<void> => {
    while (isWanted) {
      starts += 1
      child = machine.start([process.execPath, mainScript, 'serve', '--role', role], {
        env,
        stdio: ['ignore', output, output],
      })
      await once(child, 'exit')
      await delay(Math.max(restartMs, downUntilMs - performance.now()))
    }
  }
  const supervising = supervise()
  const isReady = (): Promise<boolean> =>
    fetch(`http://${machine.address}:${healthPorts[role]}/readyz`, { signal: AbortSignal.timeout(2_000) })
      .then(({ ok }) => ok)
      .catch(() => false)
  await waitFor(isReady, (isThere) => isThere, 60_000, 100)
  return {
    role,
    machine,
    isReady,
    restarts: () => starts - 1,
    crash: async (downMs) => {
      downUntilMs = performance.now() + downMs
      await machine.kill()
    },
    stop: async () => {
      isWanted = false
      child?.kill('SIGTERM')
      await supervising
    },
  }
}
