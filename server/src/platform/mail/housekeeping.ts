import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { HousekeepingTask } from '../jobs/housekeeping.ts'

const keptMs = 30 * 86_400_000
/** The queue gives up within a day. A mail without its job, as after a restored backup, would keep its links forever. */
const waitingMs = 7 * 86_400_000

/** Gives up mails that wait for a week. Deletes the records of mails that were sent or given up; they contain addresses. */
export const mailHousekeeping = ({ kysely }: Database): readonly HousekeepingTask[] => [
  () =>
    kysely
      .updateTable('mails')
      .set({
        state: 'failed',
        last_error: sql`coalesce(last_error, 'It could not be sent for a week.')`,
        ended_at: new Date(),
        sealed_params: null,
      })
      .where('state', '=', 'waiting')
      .where('created_at', '<', new Date(Date.now() - waitingMs))
      .execute(),
  () =>
    kysely
      .deleteFrom('mails')
      .where('ended_at', '<', new Date(Date.now() - keptMs))
      .execute(),
]
