import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { fromKysely, PgBoss } from 'pg-boss'
import type { ConnectionOptions, Queryable } from '../db/database.ts'
import type { Log } from '../log.ts'
import { changePriority, changePriorityFunction, type PriorityChange } from './change-priority.ts'
import { openJobsIndex } from './open-jobs-index.ts'

/** What a job is: its name, the shape of its data, and how it is retried. Who does it is a handler given to `work`. */
export interface JobDefinition<Data extends object> {
  readonly name: string
  readonly retryLimit: number
  /** A run is ended after this long; pg-boss allows at most 24 h. */
  readonly expireInSeconds: number
  /** At most one job per `key` is waiting or under way; asking again meanwhile is a no-op. */
  readonly isExclusive?: true
  /** The job that gets this one's data when all its tries are used up, also by workers that died. */
  readonly onGivenUp?: string
  /** Only so that `Data` is tied to the definition; never set. */
  readonly data?: Data
}

export interface EnqueueOptions {
  /** Higher first. */
  readonly priority?: number
  readonly startAfter?: Date
  /** Of an exclusive job. */
  readonly key?: string
}

export interface Jobs {
  /** Writes the job in the caller's transaction: it exists when, and only when, the change that asks for it does. */
  readonly enqueue: <Data extends object>(
    tx: Queryable,
    job: JobDefinition<Data>,
    data: Data,
    options?: EnqueueOptions,
  ) => Promise<void>
  /** Whether a job with these values in its data waits for its turn, or for another try. */
  readonly isQueued: <Data extends object>(job: JobDefinition<Data>, data: Partial<Data>) => Promise<boolean>
  /** Of what waits or is under way of these exclusive jobs for one file. That of a job under way counts when it is tried again. */
  readonly changePriority: (
    tx: Queryable,
    definitions: readonly Pick<JobDefinition<object>, 'name'>[],
    change: PriorityChange,
  ) => Promise<void>
  /** What waits or is under way of these exclusive jobs for these files of one account. */
  readonly listOpen: (
    definitions: readonly Pick<JobDefinition<object>, 'name'>[],
    of: { readonly accountId: number; readonly fileIds: readonly number[] },
  ) => Promise<readonly { readonly name: string; readonly fileId: number; readonly isRunning: boolean }[]>
  /** The handler may run twice for one job (a killed worker's job comes back) and must end when `signal` aborts. */
  readonly work: <Data extends object>(
    job: JobDefinition<Data>,
    options: { readonly concurrency: number },
    handler: (data: Data, signal: AbortSignal, attempt: JobAttempt) => Promise<void>,
  ) => Promise<void>
  /** How many processes take jobs now; one that died is not counted any more as soon as its connections are closed. */
  readonly countWorkers: (where: 'everywhere' | 'on this machine') => Promise<number>
  readonly schedule: (job: JobDefinition<Record<string, never>>, cron: string) => Promise<void>
  /**
   * Gives jobs that count as under way back at once instead of after their missed heartbeats. Only for the one worker of an installation,
   * before it takes its first job: whoever held them is dead.
   */
  readonly releaseOrphans: () => Promise<void>
  readonly stop: (options: { graceMs: number }) => Promise<void>
}

export interface JobAttempt {
  /** Counts from 1; runs that ended with a killed worker count too. */
  readonly number: number
  readonly isLast: boolean
  /** How the run before this one failed; absent for the first run. */
  readonly previousError?: Pick<Error, 'name' | 'message'>
}

/** `output` of a job that is tried again holds the serialized error of its last run. */
const previousErrorOf = (output: unknown): Pick<JobAttempt, 'previousError'> => {
  if (typeof output !== 'object' || output === null) return {}
  if (!('message' in output) || typeof output.message !== 'string') return {}
  const name = 'name' in output && typeof output.name === 'string' ? output.name : 'Error'
  return { previousError: { name, message: output.message } }
}

/** The smallest that pg-boss allows: a killed worker's job is given to another after this and one monitor pass. */
const heartbeatSeconds = 10
const monitorSeconds = 5
const shortJobMs = 2_000
const workerName = 'zoetrope-worker-'
/** Workers of one machine (or container) share it; PostgreSQL cuts longer names off. */
const localWorkerName = `${workerName}${createHash('sha256').update(hostname()).digest('hex').slice(0, 8)}-`

const connectionFor = (connection: ConnectionOptions) =>
  'url' in connection ? { connectionString: connection.url } : { ...connection }

export const startJobs = async (options: {
  readonly connection: ConnectionOptions
  readonly definitions: readonly Omit<JobDefinition<object>, 'data'>[]
  readonly log: Log
  /** False for a process that only enqueues: it leaves supervision and cron to the workers. */
  readonly isWorker: boolean
}): Promise<Jobs> => {
  const { log } = options
  const boss = new PgBoss({
    ...connectionFor(options.connection),
    // Workers tell each other by the names of their connections.
    application_name: options.isWorker ? `${localWorkerName}${randomUUID()}` : 'zoetrope-jobs',
    max: options.isWorker ? 5 : 2,
    supervise: options.isWorker,
    schedule: options.isWorker,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
    useListenNotify: options.isWorker,
    monitorVacuum: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'job queue'))
  await boss.start()
  await boss.getDb().executeSql(changePriorityFunction)
  await boss.getDb().executeSql(openJobsIndex)
  const stopping = new AbortController()
  for (const definition of options.definitions) {
    const settings = {
      retryLimit: definition.retryLimit,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 300,
      expireInSeconds: definition.expireInSeconds,
      heartbeatSeconds,
      deleteAfterSeconds: 86_400,
      notify: true,
    }
    await boss.createQueue(definition.name, {
      ...settings,
      ...(definition.onGivenUp === undefined ? {} : { deadLetter: definition.onGivenUp }),
      policy: definition.isExclusive === true ? 'exclusive' : 'standard',
    })
    await boss.updateQueue(definition.name, settings)
  }
  return {
    enqueue: async (tx, job, data, { priority, startAfter, key } = {}) => {
      await boss.send(job.name, data, {
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
      // State and policy as the indexes of open exclusive jobs have them: finished ones are kept for a day.
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
      const workOptions = {
        localConcurrency: concurrency,
        includeMetadata: true,
        pollingIntervalSeconds: 1,
        notifyPollingIntervalSeconds: 1,
        heartbeatRefreshSeconds: 3,
      } as const
      await boss.work<Data, void, typeof workOptions>(job.name, workOptions, async ([first]) => {
        if (first === undefined) return
        const startedMs = performance.now()
        try {
          await handler(first.data, AbortSignal.any([first.signal, stopping.signal]), {
            number: first.retryCount + 1,
            isLast: first.retryCount >= first.retryLimit,
            ...previousErrorOf(first.output),
          })
          log.info(
            { job: job.name, data: first.data, durationMs: Math.round(performance.now() - startedMs) },
            'job done',
          )
        } catch (error) {
          log.warn(
            { job: job.name, data: first.data, attempt: first.retryCount + 1, err: error },
            'job failed',
          )
          throw error
        }
      })
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
    releaseOrphans: async () => {
      for (const { name } of options.definitions) {
        const active = (await boss.findJobs(name)).filter(({ state }) => state === 'active')
        for (const { id } of active) await boss.fail(name, id, { message: 'its worker is gone' })
        if (active.length > 0)
          log.info({ job: name, count: active.length }, 'jobs of a dead worker are taken up again')
      }
    },
    stop: async ({ graceMs }) => {
      // Short jobs may end; a long one is taken up again at the next start, so waiting for it would only hold up the stop.
      const patience = setTimeout(() => stopping.abort(), Math.min(graceMs, shortJobMs))
      await boss.stop({ graceful: graceMs > 0, timeout: Math.max(graceMs, 1_000), close: true })
      clearTimeout(patience)
    },
  }
}
