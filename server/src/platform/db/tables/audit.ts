import type { GeneratedAlways } from 'kysely'
import type { CreatedAt, DefaultedJsonColumn } from './columns.ts'

interface AuditEntriesTable {
  id: GeneratedAlways<number>
  account_id: number
  occurred_at: CreatedAt
  action: string
  user_id: number | null
  api_key_id: string | null
  session_id: string | null
  address: string
  request_id: string
  subject: string
  subject_id: string
  changes: DefaultedJsonColumn<AuditChange[]>
}

/**
 * One field of a record before and after an act, or the elements added to and removed from a list. Secrets
 * are masked.
 */
export interface AuditChange {
  readonly Field: string
  readonly Before?: unknown
  readonly After?: unknown
  readonly Added?: readonly unknown[]
  readonly Removed?: readonly unknown[]
}

export interface AuditTables {
  audit_entries: AuditEntriesTable
}
