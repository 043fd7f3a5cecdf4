import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { compileCache } from './compile-cache.ts'
import type { Environment } from './operator.ts'
import { mainScript } from './main-script.ts'

export interface RunningProcess {
  /** Sends SIGTERM. Resolves with the exit code. */
  readonly stop: () => Promise<number | null>
}

/** Starts one role, as on a node of a cluster, or all (null), from this checkout or from `script` of another one. */
export const startRole = (
  role: string | null,
  env: Environment,
  script: string = mainScript,
): RunningProcess => {
  const child = spawn(process.execPath, [script, 'serve', ...(role === null ? [] : ['--role', role])], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      ZOETROPE_LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  return {
    stop: async () => {
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
  }
}
