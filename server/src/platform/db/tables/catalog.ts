import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, UpdatedAt } from './columns.ts'

export type CatalogKind = 'category' | 'videotype' | 'share'

export interface CatalogEntriesTable {
  id: GeneratedAlways<number>
  account_id: number
  kind: CatalogKind
  label: string
  label_key: string
  custom_id: Generated<string>
  version: Generated<number>
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export interface CatalogTables {
  catalog_entries: CatalogEntriesTable
}
