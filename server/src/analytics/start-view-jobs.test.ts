import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/support/test-database.ts'
import { createDiskBlobStore } from '../platform/blobs/disk-blob-store.ts'
import { installQueue } from '../platform/jobs/install-queue.ts'
import { startJobs } from '../platform/jobs/jobs.ts'
import { createLog } from '../platform/log/log.ts'
import { keepArchivesJob } from './archive/keep-archives.ts'
import { eraseSentCron, eraseSentJob } from './clickhouse/erase-sent.ts'
import { sendViewsCron, sendViewsJob } from './clickhouse/send-views.ts'
import { startViewJobs } from './start-view-jobs.ts'

test('ends the schedule of a former engine, and deletes its waiting job', async () => {
  const { connection, database, drop } = await createTestDatabase()
  const log = createLog({ level: 'silent' })
  const definitions = [keepArchivesJob, sendViewsJob, eraseSentJob]
  await (await installQueue({ connection, definitions, log })).close()
  const jobs = await startJobs({ connection, definitions, log, isWorker: true })
  try {
    await jobs.schedule(sendViewsJob, sendViewsCron)
    await jobs.schedule(eraseSentJob, eraseSentCron)
    await jobs.enqueue(database.kysely, sendViewsJob, {})
    const viewJobs = await startViewJobs({
      database,
      jobs,
      log,
      blobs: createDiskBlobStore({ folder: tmpdir() }),
      moving: null,
      config: {
        analyticsViews: 'postgres',
        analyticsArchiveDays: 400,
        analyticsMemoryBytes: 0,
        clickHouseUrl: null,
        dataFolder: tmpdir(),
      },
    })
    expect(await database.sql`select name from pgboss.schedule`).toEqual([])
    expect(await jobs.isQueued(sendViewsJob, {})).toBe(false)
    await viewJobs.close()
  } finally {
    await jobs.stop({ graceMs: 0 })
    await drop()
  }
})
