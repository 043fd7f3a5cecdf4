import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../../../platform/log/log.ts'
import { readClaim, readJob, type RemoteJob } from '../remote-task.ts'
import type { WorkerMachine } from '../remote-worker-store.ts'

/** The server refuses the request; repeating it would not help. */
export class RefusedByServer extends Error {
  readonly status: number
  readonly reason: string

  constructor(status: number, reason: string, message: string) {
    super(message)
    this.name = 'RefusedByServer'
    this.status = status
    this.reason = reason
  }
}

/** Longer than the long poll of the server. */
const answerMs = 120_000
/** Several renewals fit into a lease. */
const renewalMs = 5_000
const leastPauseMs = 500
const mostPauseMs = 10_000
/** For example during a restart of the server, or when the queue of a proxy is full. */
const isPassing = (status: number): boolean => status >= 500 || status === 429 || status === 408

export interface JobConnection {
  readonly openRange: (
    range: { readonly start: number; readonly end: number },
    signal: AbortSignal,
  ) => Promise<AsyncIterable<Buffer>>
  readonly putSegment: (output: number, index: number, data: Buffer, signal: AbortSignal) => Promise<void>
  /** Returns false when the worker should stop. */
  readonly renew: (doneSeconds: number, signal: AbortSignal) => Promise<boolean>
  readonly done: (signal: AbortSignal) => Promise<void>
  readonly failed: (reason: string, isSourceAtFault: boolean) => Promise<void>
  readonly release: () => Promise<void>
}

export interface ServerConnection {
  readonly claim: (machine: WorkerMachine, signal: AbortSignal) => Promise<RemoteJob | null>
  readonly job: (job: RemoteJob) => JobConnection
}

interface Call {
  readonly body?: string | Buffer<ArrayBuffer>
  readonly headers?: Record<string, string>
  readonly signal: AbortSignal
  /** Time until the response begins. */
  readonly timeoutMs?: number
}

/**
 * Sends requests to one server. It builds all URLs from the address of the server and refuses redirects, so that a
 * server cannot send the worker to other addresses.
 */
export const connectServer = (
  serverUrl: string,
  token: string,
  log: Pick<Log, 'info' | 'warn'>,
): ServerConnection => {
  // People also paste the base URL of the API, which ends in /v3.
  const base = `${serverUrl.replace(/(?:\/v3)?\/*$/, '')}/v3/worker`

  const send = async (
    method: string,
    path: string,
    { body, headers = {}, signal, timeoutMs = answerMs }: Call,
  ): Promise<Response> => {
    // A long body may take longer than its first byte.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error('The server does not respond.')), timeoutMs)
    const response = await fetch(`${base}${path}`, {
      method,
      redirect: 'error',
      headers: { Authorization: `Bearer ${token}`, ...headers },
      signal: AbortSignal.any([signal, late.signal]),
      ...(body === undefined ? {} : { body }),
    }).finally(() => clearTimeout(timer))
    if (response.ok) return response
    const text = await response.text().catch(() => '')
    const { reason, message } = readProblem(text)
    if (isPassing(response.status) || reason === 'worker_digest_wrong')
      throw new Error(`The server answers ${response.status}.`)
    throw new RefusedByServer(response.status, reason, message ?? `The server answers ${response.status}.`)
  }

  let isReached = true
  const note = (error: unknown): void => {
    const isNew = isReached !== (error === null)
    isReached = error === null
    if (!isNew) return
    if (isReached) log.info({ server: serverUrl }, 'the server answers again')
    else log.warn({ server: serverUrl, err: error }, 'cannot reach the server, trying again')
  }

  /** Repeats the request until it is answered, refused or no longer of use. */
  const call = async (method: string, path: string, options: Call): Promise<Response> => {
    for (let pauseMs = leastPauseMs; ; pauseMs = Math.min(mostPauseMs, 2 * pauseMs)) {
      try {
        const response = await send(method, path, options)
        note(null)
        return response
      } catch (error) {
        if (error instanceof RefusedByServer || options.signal.aborted) throw error
        note(error)
      }
      await delay(pauseMs * (0.5 + Math.random()), undefined, { signal: options.signal })
    }
  }

  const post = (path: string, value: object, signal: AbortSignal, timeoutMs = answerMs): Promise<Response> =>
    call('POST', path, {
      timeoutMs,
      body: JSON.stringify(value),
      headers: { 'Content-Type': 'application/json' },
      signal,
    })

  const failed = async (claim: string, reason: string, isSourceAtFault: boolean): Promise<void> => {
    const body = { Reason: reason.slice(0, 500) || 'unknown', IsSourceAtFault: isSourceAtFault }
    await post(`/jobs/${claim}/failed`, body, AbortSignal.timeout(renewalMs))
  }

  return {
    claim: async ({ version, ffmpeg, cores, slots }, signal) => {
      const machine = { Version: version, Ffmpeg: ffmpeg, Cores: cores, Slots: slots }
      const response = await post('/jobs', machine, signal)
      if (response.status === 204) return null
      const body: unknown = await response.json()
      const job = await readJob(body)
      if (job !== null) return job
      // Otherwise the chunk would wait for the end of its lease, and the server would not pause this worker.
      const claim = await readClaim(body)
      if (claim !== null) await failed(claim, unreadable, false).catch(() => {})
      throw new RefusedByServer(200, 'job_unreadable', unreadable)
    },
    job: ({ Claim: claim, Source: { Etag: etag } }) => ({
      openRange: async ({ start, end }, signal) => {
        const headers = { Range: `bytes=${start}-${end - 1}`, 'If-Match': etag }
        const response = await call('GET', `/jobs/${claim}/source`, { headers, signal })
        if (response.status !== 206 || response.body === null)
          throw new RefusedByServer(
            response.status,
            'range_ignored',
            'The server ignores the range of a request.',
          )
        return response.body as unknown as AsyncIterable<Buffer>
      },
      putSegment: async (output, index, segment, signal) => {
        const hash = createHash('sha256').update(segment).digest('base64')
        await call('PUT', `/jobs/${claim}/segments/${output}/${index}`, {
          body: segment as Buffer<ArrayBuffer>,
          headers: { 'Content-Type': 'application/octet-stream', 'Content-Digest': `sha-256=:${hash}:` },
          signal,
        })
      },
      renew: async (doneSeconds, signal) => {
        const response = await post(`/jobs/${claim}/lease`, { DoneSeconds: doneSeconds }, signal, renewalMs)
        return ((await response.json()) as { readonly Action?: unknown }).Action === 'continue'
      },
      done: async (signal) => {
        await post(`/jobs/${claim}/done`, {}, signal)
      },
      failed: (reason, isSourceAtFault) => failed(claim, reason, isSourceAtFault),
      release: async () => {
        await send('DELETE', `/jobs/${claim}`, { signal: AbortSignal.timeout(2_000) })
      },
    }),
  }
}

const unreadable =
  'The server sent a job that this version does not understand. Update the worker to the version of the server.'

const readProblem = (text: string): { readonly reason: string; readonly message?: string } => {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { reason?: unknown; message?: unknown } }
    return {
      reason: typeof error?.reason === 'string' ? error.reason : '',
      ...(typeof error?.message === 'string' ? { message: error.message } : {}),
    }
  } catch {
    return { reason: '' }
  }
}
