import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { dropOldHours } from './health/hour-store.ts'
import { dropOldInspectedRequests } from './inspector/inspected-requests.ts'
import { resumeReplays } from './replay/resume-replays.ts'
import { dropOldEvents } from './store/drop-old-events.ts'

export const webhookHousekeeping = (
  { database, jobs }: { readonly database: Database; readonly jobs: Jobs },
  { eventRetentionDays }: { readonly eventRetentionDays: number },
): readonly HousekeepingTask[] => [
  () => dropOldEvents(database, eventRetentionDays),
  () => dropOldHours(database),
  () => dropOldInspectedRequests(database),
  () => resumeReplays(database, jobs),
]
