import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, JsonColumn, UpdatedAt } from './columns.ts'
import type { ReleaseStatus } from './projects.ts'

export interface PlaylistsTable {
  id: GeneratedAlways<number>
  account_id: number
  external_id: string | null
  project_id: number | null
  name: string
  description: Generated<string>
  type: 'manual' | 'automatic'
  release_status: ReleaseStatus
  element_file_ids: Generated<number[]>
  rules: JsonColumn<Record<string, unknown> | null>
  playout_id: Generated<string>
  event_sequence: Generated<number>
  version: Generated<number>
  created_at: CreatedAt
  updated_at: UpdatedAt
  deleted_at: Date | null
  purge_at: Date | null
  is_deleted_with_project: Generated<boolean>
}

interface PlaylistStreamsTable {
  account_id: number
  playlist_id: number
  fingerprint: string
  layout: string
  used_at: ColumnType<Date, Date | undefined, Date>
}

export interface PlaylistTables {
  playlists: PlaylistsTable
  playlist_streams: PlaylistStreamsTable
}
