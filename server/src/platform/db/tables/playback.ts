import type { Generated } from 'kysely'
import type { CreatedAt } from './columns.ts'

interface LinkKeysTable {
  id: number
  sealed_keys: Buffer
  created_at: CreatedAt
  active_from: Date
  /** Null for the latest key. */
  ends_at: Date | null
}

interface RevokedLinksTable {
  token_id: string
  account_id: number
  revoked_at: Generated<Date>
  drop_at: Date
}

export interface PlaybackTables {
  link_keys: LinkKeysTable
  revoked_links: RevokedLinksTable
}
