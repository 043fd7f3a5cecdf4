import type { JobDefinition } from './job-definition.ts'

/**
 * Deletes expired records and leftovers of crashes, or repeats requests that were lost. Each module exports its
 * own list.
 */
export type HousekeepingTask = () => Promise<unknown>

export const housekeepingJob: JobDefinition<Record<string, never>> = {
  name: 'housekeeping',
  retryLimit: 0,
  expireInSeconds: 3_600,
}
export const housekeepingCron = '*/10 * * * *'

/** Runs the tasks in order; the next run of the job repeats what a failed one has left. */
export const keepHouse = async (tasks: readonly HousekeepingTask[]): Promise<void> => {
  for (const task of tasks) await task()
}
