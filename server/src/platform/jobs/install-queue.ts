import { PgBoss } from 'pg-boss'
import { applicationName, type ConnectionOptions } from '../db/driver/connection.ts'
import { watchedSocket } from '../db/driver/watched-socket.ts'
import type { Log } from '../log/log.ts'
import { changePriorityFunction } from './change-priority.ts'
import type { JobDefinition } from './job-definition.ts'
import { openJobsIndex } from './open-jobs-index.ts'

/** Minimum of pg-boss: a killed worker's job is retried after this time plus one monitor pass. */
const heartbeatSeconds = 10
/**
 * pg-boss deletes jobs that have waited for longer than this, by default two weeks. A large import takes longer, and an
 * installation may be off for as long. Ten years: never.
 */
const retentionSeconds = 10 * 365 * 86_400
/** pg-boss rebuilds bloated indexes once a day at the most. */
const maintenanceSeconds = 3_600

export const connectionFor = ({ keyId, ...where }: ConnectionOptions, name: string) => ({
  ...('url' in where ? { connectionString: where.url } : where),
  application_name: applicationName(name, keyId),
  stream: watchedSocket,
})

/**
 * pg-boss repeats such a warning with each look at the queues, and counts jobs that are not due, such as the purges of
 * deleted files. The metrics have the number of waiting jobs.
 */
export const noBacklogWarnings = { warningQueueSize: Number.MAX_SAFE_INTEGER } as const

/** The log is the only place where an operator sees them. */
export const logProblems = (boss: PgBoss, log: Log): void => {
  boss.on('error', (error) => log.error({ err: error }, 'error of the job queue; it tries again'))
  boss.on('warning', ({ message, data }) =>
    log.warn({ reason: message, details: data }, 'warning of the job queue'),
  )
}

export interface InstalledQueue {
  readonly close: () => Promise<void>
}

/**
 * Creates or updates the tables of the queue and declares the jobs. Only the owner of the database can; all
 * other processes use what it has made. Until it is closed, it also rebuilds bloated indexes.
 */
export const installQueue = async (options: {
  readonly connection: ConnectionOptions
  /** Dead-letter queues before the jobs that use them. */
  readonly definitions: readonly Omit<JobDefinition<object>, 'data'>[]
  readonly log: Log
}): Promise<InstalledQueue> => {
  const boss = new PgBoss({
    ...connectionFor(options.connection, 'zoetrope-queue'),
    max: 1,
    schedule: false,
    superviseIntervalSeconds: maintenanceSeconds,
    monitorVacuum: false,
    ...noBacklogWarnings,
  })
  logProblems(boss, options.log)
  const close = (): Promise<void> => boss.stop({ graceful: false })
  try {
    await boss.start()
    await boss.getDb().executeSql(changePriorityFunction)
    await boss.getDb().executeSql(openJobsIndex)
    const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
    for (const { name, retryLimit, expireInSeconds, isExclusive, onGivenUp } of options.definitions) {
      const settings = {
        retryLimit,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 300,
        expireInSeconds,
        heartbeatSeconds,
        deleteAfterSeconds: 86_400,
        retentionSeconds,
        notify: true,
      }
      const present = known.get(name)
      if (present === undefined)
        await boss.createQueue(name, {
          ...settings,
          ...(onGivenUp === undefined ? {} : { deadLetter: onGivenUp }),
          policy: isExclusive === true ? 'exclusive' : 'standard',
        })
      else if (
        Object.entries(settings).some(([key, value]) => present[key as keyof typeof settings] !== value)
      ) {
        await boss.updateQueue(name, settings)
        // Jobs of an earlier release still have its limit.
        await boss
          .getDb()
          .executeSql(
            `update pgboss.job set keep_until = start_after + $2 * interval '1 second' where name = $1 and state < 'active'`,
            [name, retentionSeconds],
          )
      }
    }
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}
