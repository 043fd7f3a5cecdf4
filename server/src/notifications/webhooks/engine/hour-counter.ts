import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import { createHourCounts, type HourCounts } from '../health/hour-counts.ts'
import { addToHours } from '../health/hour-store.ts'

/**
 * One statement covers all webhooks, whatever the load. A killed worker loses the counts of this interval.
 */
const writeEveryMs = 2_000

export interface HourCounter {
  readonly add: HourCounts['add']
  readonly close: () => Promise<void>
}

/** Counts attempts in memory and adds them to the stored hours every two seconds. */
export const startHourCounter = ({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Log
}): HourCounter => {
  const counts = createHourCounts()
  let timer: NodeJS.Timeout | null = null
  let last: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const taken = counts.take()
    if (taken.length === 0) return
    try {
      await addToHours(database.kysely, taken)
    } catch (error) {
      log.error({ err: error }, 'cannot store hourly webhook counts')
      counts.putBack(taken)
      arm()
    }
  }

  const arm = (): void => {
    timer ??= setTimeout(() => {
      timer = null
      last = last.then(write)
    }, writeEveryMs)
  }

  return {
    add: (attempt) => {
      counts.add(attempt)
      arm()
    },
    close: async () => {
      last = last.then(write)
      await last
      if (timer !== null) clearTimeout(timer)
    },
  }
}
