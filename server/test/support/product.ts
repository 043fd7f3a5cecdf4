import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { compileCache } from './compile-cache.ts'
import { processesOn, processPollMs } from './processes.ts'
import { longestWaitMs, waitFor } from './wait-for.ts'
import { mainScript } from './main-script.ts'

export interface Product {
  readonly url: string
  readonly apiKey: string
  readonly pid: number
  readonly rolePid: (role: 'api' | 'worker' | 'live') => Promise<number>
  readonly processes: () => Promise<number[]>
  /** Sends SIGKILL to the supervisor. Resolves when the whole process tree has ended. */
  readonly kill: () => Promise<void>
  /**
   * Sends the signal to the supervisor. Resolves with its exit code when the whole process tree has ended.
   */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

const untilReady = async (child: ChildProcess): Promise<void> => {
  if (child.stdout === null) throw new Error('standard output is not piped')
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('ready ')) return
  throw new Error('the product ended before it was ready')
}

const isRole = async (pid: number, role: string): Promise<boolean> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).endsWith(`--role\0${role}\0`)

/** Starts the real program as an operator does, on a new or an existing data folder. */
export const startProduct = async (
  dataFolder: string,
  port: number,
  environment: Readonly<Record<string, string>> = {},
  script: string = mainScript,
): Promise<Product> => {
  const child = spawn(process.execPath, [script, 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      ZOETROPE_DATA: dataFolder,
      ZOETROPE_PORT: String(port),
      ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${port}`,
      ZOETROPE_DEMO: '0',
      // Fixed ports would collide between tests.
      ZOETROPE_RTMP_PORT: '0',
      ZOETROPE_SRT_PORT: '0',
      // Tests send more requests a minute than the limits for customers allow.
      ZOETROPE_READS_PER_MINUTE: '0',
      ZOETROPE_WRITES_PER_MINUTE: '0',
      ZOETROPE_LOG_FILE: join(dataFolder, 'zoetrope.log'),
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      OUTBOUND_ALLOW_HTTP: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  await untilReady(child)
  child.stdout?.resume()
  const text = await readFile(join(dataFolder, 'initial-credentials.json'), 'utf8')
  const { ApiKey } = JSON.parse(text) as { ApiKey: string }
  const processes = () => processesOn(dataFolder)
  const untilGone = async (): Promise<void> => {
    await waitFor(processes, (left) => left.length === 0, longestWaitMs, processPollMs)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey: ApiKey,
    pid: child.pid ?? 0,
    rolePid: (role) =>
      waitFor(
        async () => {
          for (const pid of await processes()) if (await isRole(pid, role)) return pid
          return 0
        },
        (pid) => pid !== 0,
        longestWaitMs,
        processPollMs,
      ),
    processes,
    kill: async () => {
      child.kill('SIGKILL')
      await exited
      await untilGone()
    },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      const [code] = await exited
      await untilGone()
      return code
    },
  }
}
