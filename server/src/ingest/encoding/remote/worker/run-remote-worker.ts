import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../../../platform/log/log.ts'
import type { WorkerMachine } from '../remote-worker-store.ts'
import { runRemoteJob } from './run-remote-job.ts'
import { connectServer, RefusedByServer } from './server-connection.ts'

export interface RemoteWorkerOptions {
  readonly serverUrl: string
  readonly token: string
  readonly workFolder: string
  readonly machine: WorkerMachine
  readonly log: Log
  readonly signal: AbortSignal
}

/** A paused worker asks again now and then: the operator may have resumed it. */
const pausedMs = 30_000

/** Encodes chunks until `signal` aborts. Throws RefusedByServer when the token is not valid. */
export const runRemoteWorker = async (options: RemoteWorkerOptions): Promise<void> => {
  const { machine, signal, log, workFolder } = options
  const server = connectServer(options.serverUrl, options.token, log)
  const ended = new AbortController()
  const running = AbortSignal.any([signal, ended.signal])

  const runSlot = async (): Promise<void> => {
    while (!running.aborted) {
      try {
        const job = await server.claim(machine, running)
        if (job === null) continue
        await runRemoteJob(job, {
          ...{ connection: server.job(job), workFolder, log, signal: running },
          slots: machine.slots,
        })
      } catch (error) {
        if (running.aborted) return
        if (error instanceof RefusedByServer && error.status === 401) throw error
        log.warn({ err: error }, 'cannot get a job')
        await delay(pausedMs, undefined, { signal: running }).catch(() => {})
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: machine.slots }, runSlot))
  } finally {
    ended.abort()
  }
}
