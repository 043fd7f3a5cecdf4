import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import { dropAbandonedPictureRequests } from './picture-requests.ts'

export const pictureHousekeeping = (database: Database): readonly HousekeepingTask[] => [
  () => dropAbandonedPictureRequests(database),
]
