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

/**
 * Runs all tasks in order, even if one fails, and rejects at the end. The next run of the job continues the
 * failed task.
 */
export const keepHouse = async (tasks: readonly HousekeepingTask[]): Promise<void> => {
  const errors: unknown[] = []
  for (const task of tasks)
    try {
      await task()
    } catch (error) {
      errors.push(error)
    }
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} housekeeping tasks failed`)
}
