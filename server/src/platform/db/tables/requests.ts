import type { ColumnType, Generated } from 'kysely'

interface IdempotencyKeysTable {
  account_id: number
  caller: string
  key: string
  fingerprint: Buffer
  created_at: ColumnType<Date, Date | undefined, Date>
  sealed_answer: Buffer | null
  claim_id: string | null
  leased_until: Date | null
}

interface RateLimitWindowsTable {
  account_id: number
  caller: string
  kind: 'reads' | 'writes' | 'signatures'
  minute: number
  taken: number
}

interface MetricsReporterTable {
  is_only: Generated<boolean>
  node_id: string
  leased_until: Date
}

export interface RequestTables {
  idempotency_keys: IdempotencyKeysTable
  metrics_reporter: MetricsReporterTable
  rate_limit_windows: RateLimitWindowsTable
}
