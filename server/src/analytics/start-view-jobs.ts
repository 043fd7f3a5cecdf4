import type { BlobStore } from '../platform/blobs/blob-store.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { keepArchives, keepArchivesCron, keepArchivesJob } from './archive/keep-archives.ts'
import { eraseSent, eraseSentCron, eraseSentJob } from './clickhouse/erase-sent.ts'
import { sendViews, sendViewsCron, sendViewsJob } from './clickhouse/send-views.ts'
import { openConfiguredClickHouse, type ViewEngineOptions } from './open-view-engine.ts'

export interface ViewJobsOptions extends ViewEngineOptions {
  readonly config: ViewEngineOptions['config'] & { readonly analyticsArchiveDays: number }
  readonly jobs: Jobs
  /** Stores between which media is being moved. */
  readonly moving: { readonly former: BlobStore } | null
}

const jobsOfEngines = {
  postgres: [],
  parquet: [keepArchivesJob],
  clickhouse: [sendViewsJob, eraseSentJob],
} as const

/** Otherwise the jobs of a former engine would wait for a worker forever. */
const endOtherSchedules = async (jobs: Jobs, engine: keyof typeof jobsOfEngines): Promise<void> => {
  for (const [name, definitions] of Object.entries(jobsOfEngines))
    if (name !== engine) for (const definition of definitions) await jobs.unschedule(definition)
}

/** Starts the jobs of a worker that pass views on to another engine. */
export const startViewJobs = async (
  options: ViewJobsOptions,
): Promise<{ readonly close: () => Promise<void> }> => {
  const { config, database, jobs, moving } = options
  await endOtherSchedules(jobs, config.analyticsViews)
  if (config.analyticsViews === 'parquet') {
    const { openArchiveWriter } = await import('./archive/open-archives.ts')
    const writer = await openArchiveWriter(options)
    const keeper = { ...writer, archiveDays: config.analyticsArchiveDays, former: moving?.former ?? null }
    await jobs.work(keepArchivesJob, { concurrency: 1 }, () => keepArchives(keeper))
    await jobs.schedule(keepArchivesJob, keepArchivesCron)
    return writer
  }
  if (config.analyticsViews === 'clickhouse') {
    const clickHouse = await openConfiguredClickHouse(config.clickHouseUrl)
    const sender = { database, clickHouse }
    await jobs.work(sendViewsJob, { concurrency: 1 }, (_data, signal) => sendViews(sender, signal))
    await jobs.schedule(sendViewsJob, sendViewsCron)
    await jobs.work(eraseSentJob, { concurrency: 1 }, () => eraseSent(sender))
    await jobs.schedule(eraseSentJob, eraseSentCron)
    return clickHouse
  }
  return { close: async () => {} }
}
