import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Problem } from '../../../platform/base/problem.ts'
import { StartupError } from '../../../platform/base/startup-error.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Answer, Question, Row, Start, Value } from './protocol.ts'

export interface DuckDb {
  /** Throws 'unavailable' when the engine fails, or does not answer in time. */
  readonly query: (text: string, values?: readonly Value[]) => Promise<readonly Row[]>
  readonly close: () => Promise<void>
}

const program = fileURLToPath(new URL('duckdb-program.ts', import.meta.url))
/** Loading the engine takes longer than most questions. */
const idleMs = 60_000
const defaultTimeoutMs = 30_000

interface Pending {
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

interface Running {
  readonly child: ChildProcess
  readonly pending: Map<number, Pending>
}

const failed = (cause: string): Problem =>
  new Problem('analytics_engine_failed', {}, { cause: new Error(cause), headers: { 'Retry-After': '5' } })

/** DuckDB in a process of its own, which starts with the first question and ends after a minute without one. */
export const createDuckDb = ({
  timeoutMs = defaultTimeoutMs,
  log,
  ...start
}: Start & { readonly timeoutMs?: number; readonly log: Log }): DuckDb => {
  let running: Running | null = null
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  const end = ({ child, pending }: Running, reason: string): void => {
    if (running?.child === child) running = null
    child.kill('SIGKILL')
    for (const { reject, timer } of pending.values()) {
      clearTimeout(timer)
      reject(failed(reason))
    }
    pending.clear()
  }

  const begin = (): Running => {
    const child = fork(program, [JSON.stringify(start satisfies Start)], {
      // It needs no secret of its parent.
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const begun: Running = { child, pending: new Map() }
    child.on('message', ({ id, rows, error }: Answer) => {
      const asked = begun.pending.get(id)
      if (asked === undefined) return
      begun.pending.delete(id)
      clearTimeout(asked.timer)
      if (error === undefined) asked.resolve(rows)
      else asked.reject(failed(error))
      if (begun.pending.size === 0) rest()
    })
    child.on('error', (error) => end(begun, error.message))
    child.on('exit', (code, signal) => {
      if (begun.pending.size > 0) log.warn({ code, signal }, 'the analytics engine ended')
      end(begun, `the engine ended with ${String(signal ?? code)}`)
    })
    return begun
  }

  const rest = (): void => {
    clearTimeout(idle)
    idle = setTimeout(() => {
      if (running !== null && running.pending.size === 0) end(running, 'idle')
    }, idleMs)
    idle.unref()
  }

  return {
    query: async (text, values = []) => {
      await mkdir(start.temporaryFolder, { recursive: true, mode: 0o700 })
      clearTimeout(idle)
      running ??= begin()
      const current = running
      const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>()
      const id = (lastId += 1)
      const timer = setTimeout(() => end(current, `no answer in ${timeoutMs} ms`), timeoutMs)
      current.pending.set(id, { resolve, reject, timer })
      current.child.send({ id, text, values } satisfies Question, (error) => {
        if (error !== null) end(current, error.message)
      })
      return promise
    },
    close: async () => {
      clearTimeout(idle)
      const current = running
      if (current === null) return
      const exited = once(current.child, 'exit')
      end(current, 'closed')
      await exited
    },
  }
}

/** Throws a StartupError when the optional package is missing or does not run here. */
export const checkDuckDb = async (duckDb: DuckDb): Promise<void> => {
  await duckDb.query('select 1').catch((error: unknown) => {
    throw new StartupError(
      'ZOETROPE_ANALYTICS_VIEWS=parquet needs the optional package @duckdb/node-api, which does not load on this machine. Run `npm install --include=optional`, build the image with `--build-arg WITH_DUCKDB=1`, or set ZOETROPE_ANALYTICS_VIEWS=postgres.',
      { cause: error },
    )
  })
}
