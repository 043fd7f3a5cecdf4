import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import { purgePlaylists } from './purge-playlists.ts'

export const playlistHousekeeping = (
  database: Database,
  { retentionDays }: { readonly retentionDays: number },
): readonly HousekeepingTask[] => [() => purgePlaylists(database, retentionDays)]
