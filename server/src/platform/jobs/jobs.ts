import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { fromKysely, PgBoss, type WorkHandlerFor } from 'pg-boss'
import { StartupError } from '../base/startup-error.ts'
import type { ConnectionOptions, Queryable } from '../db/database.ts'
import type { Log } from '../log/log.ts'
import { currentCause } from '../telemetry/cause.ts'
import { changePriority, type PriorityChange } from './change-priority.ts'
import { connectionFor, logProblems, noBacklogWarnings } from './install-queue.ts'
import type { JobDefinition } from './job-definition.ts'
import { runJob, runJobs, type JobAttempt } from './run-job.ts'
import { startWakes } from './wake-workers.ts'

export interface EnqueueOptions {
  /** A higher value runs first. */
  readonly priority?: number
  readonly startAfter?: Date
  readonly key?: string
}

export interface Jobs {
  /**
   * Writes the job in the caller's transaction, so that it exists exactly when the change that needs it does.
   */
  readonly enqueue: <Data extends object>(
    tx: Queryable,
    job: JobDefinition<Data>,
    data: Data,
    options?: EnqueueOptions,
  ) => Promise<void>
  /** Returns whether a job with these values in its data waits for its first or next attempt. */
  readonly isQueued: <Data extends object>(job: JobDefinition<Data>, data: Partial<Data>) => Promise<boolean>
  /**
   * Changes the priority of waiting and running exclusive jobs for one file. For a running job it applies to
   * the next attempt.
   */
  readonly changePriority: (
    tx: Queryable,
    definitions: readonly Pick<JobDefinition<object>, 'name'>[],
    change: PriorityChange,
  ) => Promise<void>
  /** Returns the waiting and running exclusive jobs for these files of one account. */
  readonly listOpen: (
    definitions: readonly Pick<JobDefinition<object>, 'name'>[],
    of: { readonly accountId: number; readonly fileIds: readonly number[] },
  ) => Promise<readonly { readonly name: string; readonly fileId: number; readonly isRunning: boolean }[]>
  /**
   * The handler may run twice for one job, because a killed worker's job is retried. It must end when
   * `signal` aborts.
   */
  readonly work: <Data extends object>(
    job: JobDefinition<Data>,
    options: { readonly concurrency: number },
    handler: (data: Data, signal: AbortSignal, attempt: JobAttempt) => Promise<void>,
  ) => Promise<void>
  /**
   * Like `work`, for many short jobs: the handler gets up to `batchSize` of them. When it throws, all of them
   * are retried.
   */
  readonly workInBatches: <Data extends object>(
    job: JobDefinition<Data>,
    options: { readonly batchSize: number },
    handler: (data: readonly Data[], signal: AbortSignal) => Promise<void>,
  ) => Promise<void>
  /**
   * Returns the number of processes that take jobs. A crashed one stops counting when its connections close.
   */
  readonly countWorkers: (where: 'everywhere' | 'on this machine') => Promise<number>
  readonly schedule: (job: JobDefinition<Record<string, never>>, cron: string) => Promise<void>
  /** Ends the schedule of a job that no worker takes any more, and deletes the job that waits. */
  readonly unschedule: (job: JobDefinition<Record<string, never>>) => Promise<void>
  /**
   * Releases jobs marked as running at once, instead of after missed heartbeats. Only for the sole worker of
   * an installation, before its first job: their previous workers are dead.
   */
  readonly releaseOrphans: () => Promise<void>
  readonly stop: (options: { graceMs: number }) => Promise<void>
}

/** The data of a job also name what has caused it. Handlers do not see this. */
const withCause = <Data extends object>(data: Data): Data => {
  const cause = currentCause()
  return cause.requestId === null && cause.traceparent === null ? data : { ...data, cause }
}

/** `startWakes` wakes workers; this interval only bounds what a fault of it could cost. */
const sleepSeconds = 30

const pollOptions = {
  pollingIntervalSeconds: sleepSeconds,
  notifyPollingIntervalSeconds: sleepSeconds,
  heartbeatRefreshSeconds: 3,
} as const

const monitorSeconds = 5
const shortJobMs = 2_000
const workerName = 'zoetrope-worker-'
/**
 * Prefix shared by workers on one machine or container. It is short because PostgreSQL truncates long names.
 */
const localWorkerName = `${workerName}${createHash('sha256').update(hostname()).digest('hex').slice(0, 8)}-`

const notPrepared = (cause: unknown): StartupError =>
  new StartupError(
    'The job queue in the database is missing or from an earlier release. Run `./zoetrope migrate` on one node, then start this again.',
    { cause },
  )

/** pg-boss throws these errors without a code. */
const isOfOtherVersion = (error: unknown): boolean =>
  /^pg-boss (is not installed|database requires migrations)$/.test((error as Error).message)

/** Connects to the queue. Throws a StartupError unless `installQueue` of this version has prepared it. */
export const startJobs = async (options: {
  readonly connection: ConnectionOptions
  readonly definitions: readonly Omit<JobDefinition<object>, 'data'>[]
  readonly log: Log
  /** False for a process that only enqueues: the workers handle supervision and cron. */
  readonly isWorker: boolean
  /** Limit for a process that only enqueues. */
  readonly maxConnections?: number
}): Promise<Jobs> => {
  const { log } = options
  const boss = new PgBoss({
    // Workers count each other by the names of their connections.
    ...connectionFor(
      options.connection,
      options.isWorker ? `${localWorkerName}${randomBytes(8).toString('hex')}` : 'zoetrope-jobs',
    ),
    max: options.isWorker ? 5 : (options.maxConnections ?? 2),
    supervise: options.isWorker,
    schedule: options.isWorker,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
    useListenNotify: options.isWorker,
    monitorVacuum: false,
    ...noBacklogWarnings,
    // Only the owner of the tables can do this: see installQueue and maintainQueue.
    migrate: false,
    reindex: false,
  })
  logProblems(boss, log)
  try {
    await boss.start()
    const known = new Set((await boss.getQueues()).map(({ name }) => name))
    const missing = options.definitions.filter(({ name }) => !known.has(name))
    if (missing.length > 0) throw notPrepared(new Error(`no queue "${missing[0]?.name}"`))
  } catch (error) {
    await boss.stop({ graceful: false })
    throw isOfOtherVersion(error) ? notPrepared(error) : error
  }
  const stopping = new AbortController()
  const host = { log, stopping: stopping.signal }
  const wakes = options.isWorker ? startWakes(boss, log) : null
  /** Restarts of a worker must not use up the attempts of a long job. The crash of a worker counts: its job may be why. */
  const grantAttempt = async ({
    name,
    id,
  }: {
    readonly name: string
    readonly id: string
  }): Promise<void> => {
    await boss
      .getDb()
      .executeSql(`update pgboss.job set retry_limit = retry_limit + 1 where name = $1 and id = $2`, [
        name,
        id,
      ])
      .catch((error: unknown) => log.warn({ err: error, job: name }, 'an interrupted job loses an attempt'))
  }
  return {
    enqueue: async (tx, job, data, { priority, startAfter, key } = {}) => {
      await boss.send(job.name, withCause(data), {
        db: fromKysely(tx),
        ...(priority === undefined ? {} : { priority }),
        ...(startAfter === undefined ? {} : { startAfter }),
        ...(key === undefined ? {} : { singletonKey: key }),
      })
    },
    isQueued: async (job, data) => (await boss.findJobs(job.name, { data, queued: true })).length > 0,
    changePriority: (tx, definitions, change) =>
      changePriority(
        tx,
        definitions.map(({ name }) => name),
        change,
      ),
    listOpen: async (definitions, { accountId, fileIds }) => {
      if (fileIds.length === 0) return []
      // Repeats state and policy of the open-jobs index, because finished jobs stay for a day.
      const { rows } = await boss.getDb().executeSql(
        `select name, (data ->> 'fileId')::float8 as "fileId", state = 'active' as "isRunning" from pgboss.job
          where name = any($1) and state <= 'active' and policy = 'exclusive'
            and data ->> 'accountId' = $2 and data ->> 'fileId' = any($3)`,
        [definitions.map(({ name }) => name), String(accountId), fileIds.map(String)],
      )
      return rows as { name: string; fileId: number; isRunning: boolean }[]
    },
    work: async (job, { concurrency }, handler) => {
      type Data = Parameters<typeof handler>[0]
      const workOptions = { ...pollOptions, includeMetadata: true } as const
      const take: WorkHandlerFor<typeof workOptions, Data, void> = async ([first]) => {
        if (first === undefined) return
        try {
          await runJob(first, host, handler)
        } catch (error) {
          if (stopping.signal.aborted) await grantAttempt(first)
          throw error
        }
        // The next job may have waited for a free worker.
        wakes?.wake(job.name)
      }
      // With `localConcurrency`, pg-boss would return only the id of the first worker.
      for (let worker = 0; worker < concurrency; worker += 1) {
        const workerId = await boss.work(job.name, workOptions, take)
        wakes?.add(job.name, workerId)
      }
    },
    workInBatches: async (job, { batchSize }, handler) => {
      type Data = Parameters<typeof handler>[0][number]
      const workOptions = { ...pollOptions, batchSize, burstWhenBatchFull: true } as const
      const workerId = await boss.work<Data, void, typeof workOptions>(job.name, workOptions, (batch) =>
        runJobs(job.name, batch, host, handler),
      )
      wakes?.add(job.name, workerId)
    },
    countWorkers: async (where) => {
      const { rows } = await boss.getDb().executeSql(
        `select count(distinct application_name)::int as count from pg_stat_activity
          where datname = current_database() and starts_with(application_name, $1)`,
        [where === 'everywhere' ? workerName : localWorkerName],
      )
      return (rows as { count: number }[])[0]?.count ?? 0
    },
    schedule: async (job, cron) => {
      await boss.schedule(job.name, cron)
    },
    unschedule: async (job) => {
      await boss.unschedule(job.name)
      await boss.deleteQueuedJobs(job.name)
    },
    releaseOrphans: async () => {
      for (const { name } of options.definitions) {
        const active = (await boss.findJobs(name)).filter(({ state }) => state === 'active')
        for (const { id } of active) await boss.fail(name, id, { message: 'its worker is gone' })
        if (active.length > 0)
          log.info({ job: name, count: active.length }, 'restarting jobs of a dead worker')
      }
    },
    stop: async ({ graceMs }) => {
      // Short jobs may finish. A long one resumes at the next start, so waiting for it would only delay the
      // stop.
      await wakes?.stop()
      const patience = setTimeout(() => stopping.abort(), Math.min(graceMs, shortJobMs))
      await boss.stop({ graceful: graceMs > 0, timeout: Math.max(graceMs, 1_000), close: true })
      clearTimeout(patience)
    },
  }
}
