import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import { dropOldAuditEntries } from './audit-store.ts'

export const auditHousekeeping = (
  database: Database,
  { auditRetentionDays }: { readonly auditRetentionDays: number },
): readonly HousekeepingTask[] => [() => dropOldAuditEntries(database, auditRetentionDays)]
