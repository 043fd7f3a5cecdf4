import type { Job, JobWithMetadata } from 'pg-boss'
import { Histogram } from 'prom-client'
import type { Log } from '../log/log.ts'
import { runWithCause, type Cause } from '../telemetry/cause.ts'
import { traced } from '../telemetry/tracing.ts'

export interface JobAttempt {
  /** Counts from 1, including runs of killed workers. */
  readonly number: number
  readonly isLast: boolean
  readonly previousError?: Pick<Error, 'name' | 'message'>
}

/** The worker that runs the jobs. */
export interface JobHost {
  readonly log: Log
  /** Aborts when the worker stops. */
  readonly stopping: AbortSignal
}

/** `output` of a retried job contains the serialized error of its last run. */
const previousErrorOf = (output: unknown): Pick<JobAttempt, 'previousError'> => {
  if (typeof output !== 'object' || output === null) return {}
  if (!('message' in output) || typeof output.message !== 'string') return {}
  const name = 'name' in output && typeof output.name === 'string' ? output.name : 'Error'
  return { previousError: { name, message: output.message } }
}

const noCause: Cause = { requestId: null, traceparent: null }

/** Separates the data of a job from its cause. A job that pg-boss sends by its schedule has no data. */
const contentOf = <Data extends object>({ data }: Job<Data>): { data: Data; cause: Cause } => {
  const { cause = noCause, ...rest } = (data ?? {}) as Data & { readonly cause?: Cause }
  return { data: rest as unknown as Data, cause }
}

const requestOf = ({ requestId }: Cause): { readonly requestId?: string } =>
  requestId === null ? {} : { requestId }

/** Ids show in a trace which file it is about. */
const spanOfJob = (queue: string, data: object, attempt: number) => {
  const { fileId, projectId } = data as { readonly fileId?: unknown; readonly projectId?: unknown }
  return {
    kind: 'consumer',
    attributes: {
      'messaging.system': 'zoetrope',
      'messaging.destination.name': queue,
      'zoetrope.attempt': attempt,
      'zoetrope.file_id': typeof fileId === 'number' ? fileId : null,
      'zoetrope.project_id': typeof projectId === 'number' ? projectId : null,
    },
  } as const
}

const runs = new Histogram({
  name: 'zoetrope_job_run_duration_seconds',
  help: 'Time of one run of a job in this process. A failed run is repeated until the limit of its queue.',
  labelNames: ['queue', 'result'],
  buckets: [0.1, 0.5, 2, 10, 60, 300, 1_800, 7_200],
})

/** Measures one run of a handler. Returns its duration in milliseconds. */
const measure = async (queue: string, run: () => Promise<void>): Promise<number> => {
  const startedMs = performance.now()
  let result = 'failed'
  try {
    await run()
    result = 'done'
  } finally {
    runs.observe({ queue, result }, (performance.now() - startedMs) / 1000)
  }
  return Math.round(performance.now() - startedMs)
}

/** Returns why pg-boss has taken a job from a run that has not ended. It gives no reason when the time is over. */
const reasonOfLoss = ({ signal, expireInSeconds }: Job): Error => {
  const { reason } = signal
  return reason instanceof Error && reason.name !== 'AbortError'
    ? reason
    : new Error(`The run has not ended after ${expireInSeconds} seconds.`)
}

/**
 * Runs a handler, and reports its error once. A handler may ignore its signal, so the loss of a job is reported when it
 * happens.
 */
const reported = async (
  jobs: readonly Job[],
  { stopping }: JobHost,
  report: (error: unknown) => void,
  run: () => Promise<void>,
): Promise<void> => {
  let isReported = false
  const reportOnce = (error: unknown): void => {
    if (!isReported) report(error)
    isReported = true
  }
  // pg-boss also aborts the signal of each run that ends, so these listeners are removed before.
  const listeners = jobs.map((job) => ({
    signal: job.signal,
    reportLoss: () => {
      if (!stopping.aborted) reportOnce(reasonOfLoss(job))
    },
  }))
  for (const { signal, reportLoss } of listeners) signal.addEventListener('abort', reportLoss)
  try {
    await run()
  } catch (error) {
    reportOnce(error)
    throw error
  } finally {
    for (const { signal, reportLoss } of listeners) signal.removeEventListener('abort', reportLoss)
  }
}

/** Runs the handler of one job, and logs how the run ends. Rejects when it fails, so that pg-boss repeats the job. */
export const runJob = async <Data extends object>(
  job: JobWithMetadata<Data>,
  host: JobHost,
  handler: (data: Data, signal: AbortSignal, attempt: JobAttempt) => Promise<void>,
): Promise<void> => {
  const { log, stopping } = host
  const { name, retryCount, retryLimit, output, signal } = job
  const number = retryCount + 1
  let entry: object = { job: name, data: job.data }
  const report = (error: unknown): void => {
    // pg-boss repeats it; the operator has nothing to do.
    if (stopping.aborted)
      log.info({ ...entry, attempt: number }, 'job interrupted by the stop of this process')
    else log.warn({ ...entry, attempt: number, err: error }, 'job failed')
  }
  await reported([job], host, report, async () => {
    const { data, cause } = contentOf(job)
    entry = { job: name, data, ...requestOf(cause) }
    const attempt = { number, isLast: retryCount >= retryLimit, ...previousErrorOf(output) }
    const durationMs = await measure(name, () =>
      runWithCause(cause, () =>
        traced(`job ${name}`, spanOfJob(name, data, number), () =>
          handler(data, AbortSignal.any([signal, stopping]), attempt),
        ),
      ),
    )
    // Jobs of the schedule run every few minutes, usually with nothing to do.
    log[job.data === null ? 'debug' : 'info']({ ...entry, durationMs }, 'job done')
  })
}

/** Like `runJob`, for several jobs of one queue together. */
export const runJobs = async <Data extends object>(
  name: string,
  jobs: readonly Job<Data>[],
  host: JobHost,
  handler: (data: readonly Data[], signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const { log, stopping } = host
  const entry = { job: name, count: jobs.length }
  const report = (error: unknown): void => {
    if (stopping.aborted) log.info(entry, 'jobs interrupted by the stop of this process')
    else log.warn({ ...entry, err: error }, 'jobs failed')
  }
  await reported(jobs, host, report, async () => {
    const data = jobs.map((job) => contentOf(job).data)
    const signal = AbortSignal.any([...jobs.map((job) => job.signal), stopping])
    const durationMs = await measure(name, () => handler(data, signal))
    log.info({ ...entry, durationMs }, 'job done')
  })
}
