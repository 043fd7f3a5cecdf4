import type { Generated } from 'kysely'

interface UsageDaysTable {
  account_id: number
  day: string
  project_id: number
  file_count: number
  playable_seconds: number
  storage_bytes: number
  source_bytes: number
  picture_bytes: number
  caption_bytes: number
  live_bytes: Generated<number>
  evictable_bytes: Generated<number>
}

export interface UsageTables {
  usage_days: UsageDaysTable
}
