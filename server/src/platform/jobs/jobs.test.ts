import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { createLog } from '../log/log.ts'
import type { JobDefinition } from './job-definition.ts'
import { installQueue } from './install-queue.ts'
import { startJobs, type Jobs } from './jobs.ts'
import type { JobAttempt } from './run-job.ts'

interface Numbered {
  readonly number: number
}
const plainJob: JobDefinition<Numbered> = { name: 'test.plain', retryLimit: 1, expireInSeconds: 60 }
const exclusiveJob: JobDefinition<Numbered> = {
  name: 'test.exclusive',
  retryLimit: 0,
  expireInSeconds: 60,
  isExclusive: true,
}
const manyJob: JobDefinition<Numbered> = { name: 'test.many', retryLimit: 1, expireInSeconds: 60 }
const failingJob: JobDefinition<Numbered> = { name: 'test.failing', retryLimit: 1, expireInSeconds: 60 }
const laterJob: JobDefinition<Numbered> = { name: 'test.later', retryLimit: 1, expireInSeconds: 60 }
const waitingJob: JobDefinition<Numbered> = { name: 'test.waiting', retryLimit: 1, expireInSeconds: 60 }
const interruptedJob: JobDefinition<Numbered> = {
  name: 'test.interrupted',
  retryLimit: 0,
  expireInSeconds: 60,
}
const oldJob: JobDefinition<Numbered> = { name: 'test.old', retryLimit: 1, expireInSeconds: 60 }
const brokenJob: JobDefinition<Numbered> = { name: 'test.broken', retryLimit: 0, expireInSeconds: 60 }
const hangingJob: JobDefinition<Numbered> = { name: 'test.hanging', retryLimit: 0, expireInSeconds: 1 }
const hangingBatchJob: JobDefinition<Numbered> = { ...hangingJob, name: 'test.hanging-batch' }
const minutelyJob: JobDefinition<Record<string, never>> = {
  name: 'test.minutely',
  retryLimit: 0,
  expireInSeconds: 60,
}

let testDatabase: TestDatabase
let jobs: Jobs
let folder: string
const minutely: object[] = []

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-jobs-'))
  const options = {
    connection: testDatabase.connection,
    definitions: [
      plainJob,
      exclusiveJob,
      manyJob,
      failingJob,
      laterJob,
      waitingJob,
      oldJob,
      brokenJob,
      interruptedJob,
      hangingJob,
      hangingBatchJob,
      minutelyJob,
    ],
    log: createLog({ level: 'debug', destination: join(folder, 'log') }),
  }
  await (await installQueue(options)).close()
  jobs = await startJobs({ ...options, isWorker: true })
  await jobs.schedule(minutelyJob, '* * * * *')
  await testDatabase.database
    .sql`insert into pgboss.schedule (name, key, cron, timezone) values (${minutelyJob.name}, 'broken', 'never', 'UTC')`
  await jobs.work(minutelyJob, { concurrency: 1 }, async (data) => void minutely.push(data))
})

afterAll(async () => {
  await jobs.stop({ graceMs: 1_000 })
  await testDatabase.drop()
  await rm(folder, { recursive: true })
})

const linesOf = async (job: string): Promise<object[]> => {
  const lines: { readonly job?: string }[] = (await readFile(join(folder, 'log'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return lines.filter((line) => line.job === job)
}

test('counts live workers, but not a process that only enqueues', async () => {
  const options = {
    connection: testDatabase.connection,
    definitions: [],
    log: createLog({ level: 'silent' }),
  }
  expect(await jobs.countWorkers('everywhere')).toBe(1)
  const [another, enqueuer] = await Promise.all([
    startJobs({ ...options, isWorker: true }),
    startJobs({ ...options, isWorker: false }),
  ])
  expect(await enqueuer.countWorkers('everywhere')).toBe(2)
  expect(await enqueuer.countWorkers('on this machine')).toBe(2)
  await Promise.all([another.stop({ graceMs: 0 }), enqueuer.stop({ graceMs: 0 })])
  await waitFor(
    () => jobs.countWorkers('on this machine'),
    (count) => count === 1,
  )
})

test('a job that has waited for months runs as soon as a worker takes it', async () => {
  const { database } = testDatabase
  await database.transaction((tx) => jobs.enqueue(tx, oldJob, { number: 1 }))
  await database.sql`
    update pgboss.job set created_on = created_on - interval '100 days', start_after = start_after - interval '100 days',
      keep_until = keep_until - interval '100 days'
    where name = ${oldJob.name}`
  // Old jobs are deleted with the next maintenance of their queue.
  await database.sql`update pgboss.queue set maintain_on = null where name = ${oldJob.name}`
  await waitFor(
    () => database.sql`select from pgboss.queue where name = ${oldJob.name} and maintain_on is not null`,
    ({ length }) => length > 0,
  )
  const ran = Promise.withResolvers<Numbered>()
  await jobs.work(oldJob, { concurrency: 1 }, async (data) => ran.resolve(data))
  expect(await ran.promise).toEqual({ number: 1 })
})

test('an update keeps waiting jobs of an earlier release', async () => {
  const { database, connection } = testDatabase
  await database.transaction((tx) => jobs.enqueue(tx, oldJob, { number: 2 }, { startAfter: new Date(8e12) }))
  await database.sql`update pgboss.queue set retention_seconds = 1209600 where name = ${oldJob.name}`
  await database.sql`update pgboss.job set keep_until = now() where name = ${oldJob.name} and state < 'active'`
  const log = createLog({ level: 'silent' })
  await (await installQueue({ connection, definitions: [oldJob], log })).close()
  const kept = await database.sql`
    select from pgboss.job where name = ${oldJob.name} and state < 'active' and keep_until > start_after + interval '9 years'`
  expect(kept).toHaveLength(1)
})

test('a job exists only once its transaction commits; higher priority runs first', async () => {
  const { database } = testDatabase
  await expect(
    database.transaction(async (tx) => {
      await jobs.enqueue(tx, plainJob, { number: 1 })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await database.transaction(async (tx) => {
    await jobs.enqueue(tx, plainJob, { number: 2 }, { priority: 10 })
    await jobs.enqueue(tx, plainJob, { number: 3 }, { priority: 90 })
  })
  const queued = () => Promise.all([1, 2, 3].map((number) => jobs.isQueued(plainJob, { number })))
  expect(await queued()).toEqual([false, true, true])
  const done: number[] = []
  await new Promise<void>((resolve, reject) => {
    jobs
      .work(plainJob, { concurrency: 1 }, async ({ number }) => {
        done.push(number)
        if (done.length === 2) resolve()
      })
      .catch(reject)
  })
  expect(done).toEqual([3, 2])
  expect(await queued()).toEqual([false, false, false])
})

test('enqueueing a waiting exclusive job again is a no-op', async () => {
  const { database } = testDatabase
  for (const number of [1, 2, 3])
    await jobs.enqueue(database.kysely, exclusiveJob, { number }, { key: 'same' })
  await jobs.enqueue(database.kysely, exclusiveJob, { number: 4 }, { key: 'other' })
  const done: number[] = []
  await new Promise<void>((resolve, reject) => {
    jobs
      .work(exclusiveJob, { concurrency: 1 }, async ({ number }) => {
        done.push(number)
        if (number === 4) resolve()
      })
      .catch(reject)
  })
  expect(done).toEqual([1, 4])
})

test('retries a failed job with its attempt number and the last error', async () => {
  const { database } = testDatabase
  await jobs.enqueue(database.kysely, failingJob, { number: 1 })
  const attempts: JobAttempt[] = []
  await new Promise<void>((resolve, reject) => {
    jobs
      .work(failingJob, { concurrency: 1 }, async (_data, _signal, attempt) => {
        attempts.push(attempt)
        if (attempt.isLast) return resolve()
        throw new Error('not yet')
      })
      .catch(reject)
  })
  expect(attempts).toEqual([
    { number: 1, isLast: false },
    { number: 2, isLast: true, previousError: { name: 'Error', message: 'not yet' } },
  ])
})

test('runs many short jobs in batches without a pause, and retries a batch that fails', async () => {
  const { database } = testDatabase
  const numbers = Array.from({ length: 240 }, (_, index) => index)
  await database.transaction(async (tx) => {
    for (const number of numbers) await jobs.enqueue(tx, manyJob, { number })
  })
  const batches: (readonly number[])[] = []
  await jobs.workInBatches(manyJob, { batchSize: 50 }, async (batch) => {
    batches.push(batch.map(({ number }) => number))
    if (batches.length === 1) throw new Error('the first one fails')
  })
  const startedMs = performance.now()
  await waitFor(
    async () => new Set(batches.slice(1).flat()),
    ({ size }) => size === numbers.length,
  )
  // One job per poll would take four minutes.
  expect(performance.now() - startedMs).toBeLessThan(30_000)
  expect(Math.max(...batches.map(({ length }) => length))).toBe(50)
})

test('starts a job that becomes due without a notification within two seconds', async () => {
  const { database } = testDatabase
  const started = Promise.withResolvers<number>()
  await jobs.work(laterJob, { concurrency: 2 }, async () => started.resolve(Date.now()))
  const dueAtMs = Date.now() + 1_500
  await jobs.enqueue(database.kysely, laterJob, { number: 1 }, { startAfter: new Date(dueAtMs) })
  const lateMs = (await started.promise) - dueAtMs
  expect(lateMs).toBeGreaterThan(-50)
  expect(lateMs).toBeLessThan(2_000)
})

test('runs jobs that wait for a free worker one after the other without a pause', async () => {
  const { database } = testDatabase
  for (let number = 0; number < 5; number += 1) await jobs.enqueue(database.kysely, waitingJob, { number })
  const done: number[] = []
  const all = Promise.withResolvers<void>()
  const startedMs = performance.now()
  await jobs.work(waitingJob, { concurrency: 1 }, async ({ number }) => {
    if (done.push(number) === 5) all.resolve()
  })
  await all.promise
  expect(performance.now() - startedMs).toBeLessThan(2_500)
})

test('logs a job that fails before its handler', async () => {
  const handled: object[] = []
  await jobs.work(brokenJob, { concurrency: 1 }, async (data) => void handled.push(data))
  const data = { number: 1, cause: null }
  await jobs.enqueue(testDatabase.database.kysely, brokenJob, data)
  await expect
    .poll(() => linesOf(brokenJob.name))
    .toMatchObject([{ level: 'warn', msg: 'job failed', data, attempt: 1, err: { type: 'TypeError' } }])
  expect(handled).toEqual([])
})

test('logs a run that does not end in time', async () => {
  const end = Promise.withResolvers<void>()
  await jobs.work(hangingJob, { concurrency: 1 }, () => end.promise)
  await jobs.enqueue(testDatabase.database.kysely, hangingJob, { number: 1 })
  await expect
    .poll(() => linesOf(hangingJob.name))
    .toMatchObject([{ msg: 'job failed', err: { message: 'The run has not ended after 1 seconds.' } }])
  end.resolve()
})

test('logs a batch that does not end in time, once', async () => {
  const { database } = testDatabase
  const end = Promise.withResolvers<void>()
  for (const number of [1, 2]) await jobs.enqueue(database.kysely, hangingBatchJob, { number })
  await jobs.workInBatches(hangingBatchJob, { batchSize: 10 }, () => end.promise)
  const err = { message: 'The run has not ended after 1 seconds.' }
  await expect
    .poll(() => linesOf(hangingBatchJob.name))
    .toMatchObject([{ msg: 'jobs failed', count: 2, err }])
  end.resolve()
})

test('a job that the stop of its process interrupts is not logged as a failure', async () => {
  const stopped = await startJobs({
    connection: testDatabase.connection,
    definitions: [interruptedJob],
    log: createLog({ level: 'info', destination: join(folder, 'log') }),
    isWorker: true,
  })
  const started = Promise.withResolvers<void>()
  await stopped.work(interruptedJob, { concurrency: 1 }, async (_data, signal) => {
    started.resolve()
    await once(signal, 'abort')
    throw new Error('The work was cancelled.')
  })
  await stopped.enqueue(testDatabase.database.kysely, interruptedJob, { number: 1 })
  await started.promise
  await stopped.stop({ graceMs: 100 })
  expect(await linesOf(interruptedJob.name)).toMatchObject([
    { level: 'info', msg: 'job interrupted by the stop of this process', data: { number: 1 } },
  ])
})

test('a job that the stop of its process interrupts loses no attempt', async () => {
  const repeated = Promise.withResolvers<JobAttempt>()
  await jobs.work(interruptedJob, { concurrency: 1 }, async (_data, _signal, attempt) =>
    repeated.resolve(attempt),
  )
  expect(await repeated.promise).toMatchObject({ number: 2, isLast: true })
})

// The last test, because pg-boss looks for due jobs every 30 seconds.
test('runs a scheduled job, logs it at debug level, and logs warnings of pg-boss', async () => {
  await expect.poll(() => minutely).toContainEqual({})
  await expect
    .poll(() => linesOf(minutelyJob.name))
    .toContainEqual(expect.objectContaining({ level: 'debug', msg: 'job done' }))
  await expect
    .poll(() => readFile(join(folder, 'log'), 'utf8'))
    .toMatch(
      /"level":"warn".*schedule for queue \\"test.minutely\\" \(key \\"broken\\"\) could not be evaluated.*"msg":"warning of the job queue"/,
    )
})
