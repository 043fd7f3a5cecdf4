import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import { dropUsedStates } from './used-states.ts'

export const ssoHousekeeping = (database: Database): readonly HousekeepingTask[] => [
  () => dropUsedStates(database),
]
