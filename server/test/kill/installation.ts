import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ConnectionOptions } from '../../src/platform/db/database.ts'
import { runningServerOn } from '../../src/platform/db/embedded-postgres/embedded-postgres-password.ts'
import { findFreePort } from '../support/free-port.ts'
import { compileCache } from '../support/compile-cache.ts'
import { processesOn, processPollMs } from '../support/processes.ts'
import { longestWaitMs, waitFor } from '../support/wait-for.ts'
import { fillAsStartedBefore } from './started-before.ts'
import { mainScript } from '../support/main-script.ts'

/**
 * `supervisor` kills only the supervisor, which takes its tree down. `everything` kills all processes, as the
 * kernel does when it runs out of memory.
 */
export type KillTarget = 'supervisor' | 'everything' | KilledRole
export type KilledRole = 'api' | 'worker' | 'live'

export interface Recovery {
  /** Time from the kill until no process was left. 0 when one role was killed. */
  readonly downMs: number
  /** Time from the new start, or from the kill of one role, until the product was whole again. */
  readonly readyMs: number
}

export interface Answer {
  readonly status: number
  // Tests read responses of many shapes, and their expectations check the types.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface Stopped {
  readonly exitCode: number | null
  readonly tookMs: number
}

/** The real program on its own data folder and port, which it keeps over starts, kills and stops. */
export interface Installation {
  readonly dataFolder: string
  readonly url: string
  /** Starts it without waiting. The process leads a process group, like a program in a terminal. */
  readonly launch: () => ChildProcess
  readonly start: () => Promise<number>
  /** Calls `/v3` + path with the first API key. Rejects when the connection breaks. */
  readonly call: (
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>
  /** Sends SIGKILL and starts a tree that went down again. */
  readonly killAndRecover: (target: KillTarget) => Promise<Recovery>
  /** Sends SIGKILL to every process at once. Resolves when no process is left. */
  readonly killEverything: () => Promise<void>
  /** Stops it in order, by a signal to the supervisor, or to its process group as Ctrl-C does. */
  readonly stop: (signal: 'SIGTERM' | 'SIGINT', options?: { readonly toGroup: boolean }) => Promise<Stopped>
  readonly processes: () => Promise<number[]>
  /** Returns the current process id of a role, or 0 while it does not run. */
  readonly findRole: (role: KilledRole) => Promise<number>
  readonly countEncoders: () => Promise<number>
  readonly connection: () => Promise<ConnectionOptions>
  readonly remove: () => Promise<void>
}

const killOne = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const readProc = (pid: number, name: string): Promise<string> =>
  readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')

const untilReady = async (child: ChildProcess): Promise<void> => {
  if (child.stdout === null) throw new Error('standard output is not piped')
  const words: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('ready ')) return
    words.push(line)
  }
  throw new Error(`the product ended before it was ready: ${words.join(' ')}`)
}

export const createInstallation = async (
  environment: Readonly<Record<string, string>> = {},
  { isNew } = { isNew: false },
): Promise<Installation> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'killed-'))
  if (!isNew) await fillAsStartedBefore(dataFolder)
  const cache = compileCache
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let apiKey = ''

  const launch = (): ChildProcess => {
    child = spawn(process.execPath, [mainScript, 'serve'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: cache,
        ZOETROPE_DATA: dataFolder,
        ZOETROPE_PORT: String(port),
        ZOETROPE_PUBLIC_URL: url,
        ZOETROPE_DEMO: '0',
        // Fixed ports would collide between tests.
        ZOETROPE_RTMP_PORT: '0',
        ZOETROPE_SRT_PORT: '0',
        // Tests send more requests a minute than the limits for customers allow.
        ZOETROPE_READS_PER_MINUTE: '0',
        ZOETROPE_WRITES_PER_MINUTE: '0',
        ZOETROPE_LOG_FILE: join(dataFolder, 'zoetrope.log'),
        ZOETROPE_RETENTION_DAYS: '0',
        OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
        OUTBOUND_ALLOW_HTTP: '1',
        ...environment,
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return child
  }

  const start: Installation['start'] = async () => {
    const startedMs = performance.now()
    const started = launch()
    await untilReady(started)
    started.stdout?.resume()
    const readyMs = performance.now() - startedMs
    const text = await readFile(join(dataFolder, 'initial-credentials.json'), 'utf8')
    apiKey = (JSON.parse(text) as { ApiKey: string }).ApiKey
    return readyMs
  }

  const processes = () => processesOn(dataFolder)
  const untilGone = () =>
    waitFor(
      async () =>
        Promise.all((await processes()).map(async (pid) => `${pid} ${await readProc(pid, 'cmdline')}`)),
      (left) => left.length === 0,
      longestWaitMs,
      processPollMs,
    )

  const findRole = async (role: KilledRole): Promise<number> => {
    for (const pid of await processes())
      if ((await readProc(pid, 'cmdline')).endsWith(`--role\0${role}\0`)) return pid
    return 0
  }

  const killEverything = async (): Promise<void> => {
    // The supervisor dies first, so that it restarts nothing.
    killOne(child?.pid ?? 0)
    for (const pid of await processes()) killOne(pid)
    await untilGone()
  }

  const killRole = async (role: KilledRole): Promise<void> => {
    const killed = await findRole(role)
    killOne(killed)
    await waitFor(
      () => findRole(role),
      (pid) => pid !== 0 && pid !== killed,
      longestWaitMs,
      processPollMs,
    )
    await waitFor(
      () =>
        fetch(`${url}/readyz`)
          .then(({ ok }) => ok)
          .catch(() => false),
      (isReady) => isReady,
    )
  }

  return {
    dataFolder,
    url,
    launch,
    start,
    call: async (method, path, body, headers = {}) => {
      const response = await fetch(`${url}/v3${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    },
    killAndRecover: async (target) => {
      const killedMs = performance.now()
      if (target !== 'everything' && target !== 'supervisor') {
        await killRole(target)
        return { downMs: 0, readyMs: performance.now() - killedMs }
      }
      if (target === 'everything') await killEverything()
      else {
        killOne(child?.pid ?? 0)
        await untilGone()
      }
      const downMs = performance.now() - killedMs
      return { downMs, readyMs: await start() }
    },
    killEverything,
    stop: async (signal, { toGroup } = { toGroup: false }) => {
      if (child?.pid === undefined) throw new Error('it does not run')
      const exited = once(child, 'exit') as Promise<[number | null]>
      const signalledMs = performance.now()
      process.kill(toGroup ? -child.pid : child.pid, signal)
      const [exitCode] = await exited
      await untilGone()
      return { exitCode, tookMs: performance.now() - signalledMs }
    },
    processes,
    findRole,
    countEncoders: async () => {
      const names = await Promise.all((await processes()).map((pid) => readProc(pid, 'comm')))
      return names.filter((name) => name.trim() === 'ffmpeg').length
    },
    connection: async () => {
      const connection = await runningServerOn(join(dataFolder, 'postgres'))
      if (connection === null) throw new Error('the database does not run')
      return connection
    },
    remove: async () => {
      await killEverything()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
