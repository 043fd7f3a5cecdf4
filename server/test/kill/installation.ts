import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ConnectionOptions } from '../../src/kernel/db/database.ts'
import { findFreePort } from '../support/free-port.ts'
import { compileCache, processesOn, processPollMs } from '../support/product.ts'
import { waitFor } from '../support/wait-for.ts'
import { fillAsStartedBefore } from './started-before.ts'

/** `supervisor` takes the tree down through its own wiring; `everything` is what the kernel does when memory is out. */
export type KillTarget = 'supervisor' | 'everything' | KilledRole
export type KilledRole = 'api' | 'worker' | 'live'

export interface Recovery {
  /** From the kill until no process of it was left; 0 when one role was killed. */
  readonly downMs: number
  /** From the new start, or the kill of one role, until the product was whole again. */
  readonly readyMs: number
}

export interface Answer {
  readonly status: number
  // Tests look into answers of many shapes; each says by its expectations what it takes them for.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface Stopped {
  readonly exitCode: number | null
  /** From the signal until no process was left. */
  readonly tookMs: number
}

/** The real program on a data folder and a port of its own, which it keeps over starts, kills and stops. */
export interface Installation {
  readonly dataFolder: string
  readonly url: string
  /** Starts it without waiting; it leads a process group, as a program in a terminal does. */
  readonly launch: () => ChildProcess
  /** Starts it; milliseconds until it said `ready`. */
  readonly start: () => Promise<number>
  /** `/v3` + path with the first API key. Rejects when the connection breaks. */
  readonly call: (
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>
  /** SIGKILL; a tree that went down is started again. */
  readonly killAndRecover: (target: KillTarget) => Promise<Recovery>
  /** SIGKILL to every process at once; resolves when none is left. */
  readonly killEverything: () => Promise<void>
  /** Lets it end in order: by a signal to the supervisor, or to its group as Ctrl-C does. */
  readonly stop: (signal: 'SIGTERM' | 'SIGINT', options?: { readonly toGroup: boolean }) => Promise<Stopped>
  readonly processes: () => Promise<number[]>
  /** The process id of a role as it runs now; 0 while it doesn't. */
  readonly findRole: (role: KilledRole) => Promise<number>
  /** How many ffmpeg processes work for it. */
  readonly countEncoders: () => Promise<number>
  /** Of its embedded database, while it runs. */
  readonly connection: () => Promise<ConnectionOptions>
  /** Ends what is left of it and removes its data. */
  readonly remove: () => Promise<void>
}

const mainScript = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

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
  const dataFolder = await mkdtemp(join(tmpdir(), 'zoetrope-killed-'))
  if (!isNew) await fillAsStartedBefore(dataFolder)
  const cache = await compileCache()
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
        // Those of all tests would be the same.
        ZOETROPE_RTMP_PORT: '0',
        ZOETROPE_SRT_PORT: '0',
        // More is asked in a minute here than a customer may.
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
      30_000,
      processPollMs,
    )

  const findRole = async (role: KilledRole): Promise<number> => {
    for (const pid of await processes())
      if ((await readProc(pid, 'cmdline')).endsWith(`--role\0${role}\0`)) return pid
    return 0
  }

  const killEverything = async (): Promise<void> => {
    // The supervisor first, so that it has no time to start anything again.
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
      30_000,
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
      const environ = await readProc(await findRole('worker'), 'environ')
      const setting = environ.split('\0').find((entry) => entry.startsWith('ZOETROPE_EMBEDDED_CONNECTION='))
      return JSON.parse(setting?.slice(setting.indexOf('=') + 1) ?? 'null') as ConnectionOptions
    },
    remove: async () => {
      await killEverything()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
