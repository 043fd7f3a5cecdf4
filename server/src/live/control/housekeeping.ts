import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import { dropOldLiveLog } from './api/live-log.ts'
import { dropFailedBroadcasts } from './store/live-broadcasts.ts'
import { dropLeftPieces } from './store/left-pieces.ts'
import { purgeLiveStreams } from './store/purge-live-streams.ts'
import { dropStoredWindows } from './store/stored-windows.ts'

export const liveHousekeeping = (
  database: Database,
  blobs: BlobStore,
  { eventRetentionDays }: { readonly eventRetentionDays: number },
): readonly HousekeepingTask[] => [
  () => dropStoredWindows(database, blobs),
  () => dropLeftPieces(database, blobs),
  () => purgeLiveStreams(database),
  () => dropOldLiveLog(database, eventRetentionDays),
  () => dropFailedBroadcasts(database, eventRetentionDays),
]
