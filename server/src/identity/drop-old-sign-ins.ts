import type { Database } from '../kernel/db/database.ts'
import { dropOldInvitations } from './invitations/invitation-store.ts'
import { dropOldSignInLinks } from './sign-in-links/sign-in-links.ts'
import { dropEndedSessions } from './sessions/session-store.ts'
import { dropOldAttempts } from './sessions/sign-in-attempts.ts'

/** Part of the housekeeping: what nobody can sign in by any more. */
export const dropOldSignIns = async (
  database: Database,
  { sessionIdleHours, retentionDays }: { readonly sessionIdleHours: number; readonly retentionDays: number },
): Promise<void> => {
  await dropEndedSessions(database, { idleHours: sessionIdleHours })
  await dropOldInvitations(database, retentionDays)
  await dropOldAttempts(database)
  await dropOldSignInLinks(database)
}
