import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openCpuAccount } from './cpu-account.ts'
import { freePort, type BenchContext } from './context.ts'
import { descendantsOf, spentCpuSeconds, type RunningProcess } from './proc.ts'
import { untilText } from './wait.ts'

const server = fileURLToPath(new URL('../../../server/', import.meta.url))
const mainScript = join(server, 'dist/main.js')
const startTimeoutMs = 60_000

export interface Product {
  /** Process id of `serve`, the root of the process tree. */
  readonly processId: number
  readonly apiProcessId: number
  readonly port: number
  readonly url: string
  readonly apiKey: string
  /** Time from the spawn to the line `ready`. */
  readonly readyMs: number
  /** Calls `/v3` + path and returns the parsed body. Throws on an error response. */
  readonly call: (method: string, path: string, body?: object) => Promise<Answer>
  readonly descendants: () => RunningProcess[]
  /** Processor time of all its processes since the start. Without root, that of ended media processes is missing. */
  readonly spentCpuSeconds: () => number
  readonly stop: () => Promise<void>
}

export interface Answer {
  readonly headers: Headers
  // The use of the body by each caller implies its type.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** Bundles the sources, as ./zoetrope does before it starts them. */
export const buildServer = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [join(server, 'build.ts')])
}

/**
 * Starts the real program, `serve` with all roles on one machine, as an operator does. An existing folder is
 * used again.
 */
export const startProduct = async (
  context: BenchContext,
  dataFolder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Product> => {
  const port = await freePort()
  const startedMs = performance.now()
  const child = spawn(process.execPath, [mainScript, 'serve'], {
    env: {
      PATH: process.env['PATH'],
      // As ./zoetrope does.
      NODE_COMPILE_CACHE: join(dataFolder, 'compile-cache'),
      MALLOC_ARENA_MAX: '1',
      ZOETROPE_DATA: dataFolder,
      ZOETROPE_PORT: String(port),
      ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${port}`,
      ZOETROPE_DEMO: '0',
      // The load exceeds the limits for customers a minute. Requests are still counted.
      ZOETROPE_READS_PER_MINUTE: '10000000',
      ZOETROPE_WRITES_PER_MINUTE: '10000000',
      ZOETROPE_RETENTION_DAYS: '0',
      ZOETROPE_LOG_FILE: join(dataFolder, 'zoetrope.log'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  // The account must exist before the program starts processes.
  const account = await openCpuAccount(child.pid ?? 0, context.account).catch(() => null)
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    child.kill('SIGTERM')
    await exited
    await account?.remove()
  }
  context.defer(stop)

  await untilReady(child.stdout, exited)
  const readyMs = performance.now() - startedMs
  const credentials = JSON.parse(await readFile(join(dataFolder, 'initial-credentials.json'), 'utf8')) as {
    ApiKey: string
  }
  const processId = child.pid ?? 0
  const api = descendantsOf(processId).find(({ commandLine }) => commandLine.endsWith('--role api'))
  if (api === undefined) throw new Error('There is no API process below `serve`.')
  const url = `http://127.0.0.1:${port}`
  return {
    processId,
    apiProcessId: api.processId,
    port,
    url,
    apiKey: credentials.ApiKey,
    readyMs,
    call: (method, path, body) => call(`${url}/v3${path}`, credentials.ApiKey, method, body),
    descendants: () => descendantsOf(processId),
    spentCpuSeconds: account?.spentSeconds ?? (() => treeCpuSeconds(processId)),
    stop,
  }
}

const untilReady = async (stdout: NodeJS.ReadableStream, exited: Promise<unknown[]>): Promise<void> => {
  const timeout = AbortSignal.timeout(startTimeoutMs)
  const ready = untilText(stdout, /^ready /m, timeout)
  const ended = exited.then(([code]) => {
    throw new Error(`The server ended with ${String(code)} while it was started.`)
  })
  ended.catch(() => {})
  await Promise.race([ready, ended])
}

const call = async (url: string, apiKey: string, method: string, body?: object): Promise<Answer> => {
  const response = await fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`)
  return { headers: response.headers, body: JSON.parse(text) }
}

const treeCpuSeconds = (processId: number): number =>
  [processId, ...descendantsOf(processId).map((one) => one.processId)].reduce(
    (sum, one) => sum + spentCpuSeconds(one),
    0,
  )
