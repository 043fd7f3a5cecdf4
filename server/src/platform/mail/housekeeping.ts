import type { Database } from '../db/database.ts'
import type { HousekeepingTask } from '../jobs/housekeeping.ts'

const keptMs = 30 * 86_400_000

/** Deletes the records of mails that were sent or given up; they contain addresses. */
export const mailHousekeeping = ({ kysely }: Database): readonly HousekeepingTask[] => [
  () =>
    kysely
      .deleteFrom('mails')
      .where('ended_at', '<', new Date(Date.now() - keptMs))
      .execute(),
]
