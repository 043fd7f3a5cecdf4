import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import { dropOldInvitations } from './invitations/invitation-store.ts'
import { dropOldAttempts } from './sessions/sign-in-attempts.ts'
import { dropOldSignInLinks } from './sign-in-links/sign-in-links.ts'
import { dropEndedSessions } from './store/session-store.ts'
import { dropUsedStates } from './store/used-states.ts'
import { eraseDeletedUsers } from './users/erase-deleted-users.ts'

export const identityHousekeeping = (
  database: Database,
  { sessionIdleHours, retentionDays }: { readonly sessionIdleHours: number; readonly retentionDays: number },
): readonly HousekeepingTask[] => [
  () => eraseDeletedUsers(database, retentionDays),
  () => dropEndedSessions(database, { idleHours: sessionIdleHours }),
  () => dropOldInvitations(database, retentionDays),
  () => dropOldAttempts(database),
  () => dropOldSignInLinks(database),
  () => dropUsedStates(database.kysely),
]
