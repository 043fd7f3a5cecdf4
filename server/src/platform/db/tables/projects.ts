import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, DefaultedJsonColumn, UpdatedAt } from './columns.ts'

export type ReleaseStatus = 'draft' | 'unpublished' | 'published'

export interface ProjectsTable {
  id: GeneratedAlways<number>
  account_id: number
  external_id: string | null
  name: string
  description: Generated<string>
  default_release_status: Generated<ReleaseStatus>
  token_security: Generated<boolean>
  allowed_domains: DefaultedJsonColumn<string[]>
  analytics_dimensions: DefaultedJsonColumn<string[]>
  encoder_settings: DefaultedJsonColumn<Record<string, unknown>>
  metadata_fields: DefaultedJsonColumn<unknown[]>
  is_live: Generated<boolean>
  file_count: Generated<number>
  storage_bytes: Generated<number>
  storage_quota_bytes: number | null
  /** `#rrggbb` */
  player_color: string | null
  has_heat_map: Generated<boolean>
  player_logo: ColumnType<PlayerLogo | null, string | null | undefined, string | null>
  event_sequence: Generated<number>
  version: Generated<number>
  created_at: CreatedAt
  updated_at: UpdatedAt
  deleted_at: Date | null
  purge_at: Date | null
  is_restoring: Generated<boolean>
  purged_at: Date | null
}

/** Counts that are not yet added to the project. */
interface ProjectCountsTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  file_count: number
  storage_bytes: number
}

type Corner = 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right'

/** Shown in a corner of the player; the picture itself is in player_logos. */
export interface PlayerLogo {
  readonly name: string
  readonly widthPixels: number
  readonly heightPixels: number
  readonly position: Corner
  readonly link: string | null
}

interface PlayerLogosTable {
  project_id: number
  account_id: number
  name: string
  picture: Buffer
}

export interface ProjectWatermarksTable {
  project_id: number
  account_id: number
  picture: Buffer
  width_pixels: number
  height_pixels: number
  position: Corner
  opacity_percent: number
  width_percent: number
  updated_at: UpdatedAt
}

export interface ProjectTables {
  projects: ProjectsTable
  project_counts: ProjectCountsTable
  player_logos: PlayerLogosTable
  project_watermarks: ProjectWatermarksTable
}
