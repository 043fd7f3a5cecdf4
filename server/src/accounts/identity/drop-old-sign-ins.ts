import type { Database } from '../../platform/db/database.ts'
import { dropOldInvitations } from './invitations/invitation-store.ts'
import { dropOldSignInLinks } from './sign-in-links/sign-in-links.ts'
import { dropEndedSessions } from './store/session-store.ts'
import { dropOldAttempts } from './sessions/sign-in-attempts.ts'

/** Deletes sessions, links and attempts that are no longer valid. Part of housekeeping. */
export const dropOldSignIns = async (
  database: Database,
  { sessionIdleHours, retentionDays }: { readonly sessionIdleHours: number; readonly retentionDays: number },
): Promise<void> => {
  await dropEndedSessions(database, { idleHours: sessionIdleHours })
  await dropOldInvitations(database, retentionDays)
  await dropOldAttempts(database)
  await dropOldSignInLinks(database)
}
