import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import { dropOldLiveLog } from './api/live-log.ts'
import { dropFailedBroadcasts } from './store/live-broadcasts.ts'
import { purgeLiveStreams } from './store/purge-live-streams.ts'

export const liveHousekeeping = (
  database: Database,
  { eventRetentionDays }: { readonly eventRetentionDays: number },
): readonly HousekeepingTask[] => [
  () => purgeLiveStreams(database),
  () => dropOldLiveLog(database, eventRetentionDays),
  () => dropFailedBroadcasts(database, eventRetentionDays),
]
