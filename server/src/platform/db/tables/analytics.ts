import type { Generated, GeneratedAlways } from 'kysely'
import type { JsonColumn } from './columns.ts'

interface ViewReportsTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  file_id: number | null
  stored_at: Generated<Date>
  report: JsonColumn<object>
}

export type ViewKind = 'viewer' | 'bot' | 'preview'

interface OpenViewsTable {
  playout_id: string
  session_id: string
  account_id: number
  project_id: number
  /** Null for a live stream or a playlist. */
  file_id: number | null
  kind: ViewKind
  is_playing: boolean
  seen_at: Date
  state: JsonColumn<object>
}

interface ViewsTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  file_id: number | null
  kind: ViewKind
  source: 'reports' | 'loads'
  started_at: Date
  ended_at: Date
  watch_ms: number
  startup_ms: number | null
  rebuffers: number
  rebuffer_ms: number
  has_started: boolean
  has_failed: boolean
  error_code: string | null
  dimensions: JsonColumn<Readonly<Record<string, string>>>
}

/** What is added up over views. */
export interface ViewMeasures {
  views: number
  watch_ms: number
  startups: number
  startup_ms: number
  rebuffers: number
  rebuffer_ms: number
  failures: number
  errors: number
  exits: number
  latencies: number
  latency_ms: number
  bytes: number
  bot_views: number
  preview_views: number
}

interface ViewHoursTable extends ViewMeasures {
  account_id: number
  project_id: number
  hour: Date
}

interface FileViewDaysTable extends ViewMeasures {
  account_id: number
  project_id: number
  file_id: number
  day: string
}

interface ViewDimensionDaysTable extends ViewMeasures {
  account_id: number
  project_id: number
  day: string
  dimension: string
  value: string
}

interface ViewMinutesTable {
  account_id: number
  project_id: number
  minute: Date
  viewers: number
}

interface ViewerDaysTable {
  account_id: number
  project_id: number
  day: string
  viewers: number
  /** Null once the day is over. */
  sketch: Buffer | null
}

interface FileViewerDaysTable {
  account_id: number
  file_id: number
  day: string
  viewers: number
  sketch: Buffer | null
}

interface ViewerSaltsTable {
  day: string
  salt: Buffer
}

interface FileHeatDaysTable {
  account_id: number
  file_id: number
  day: string
  played_ms: number[]
  reached: number[]
}

export interface AnalyticsTables {
  view_reports: ViewReportsTable
  open_views: OpenViewsTable
  views: ViewsTable
  view_hours: ViewHoursTable
  file_view_days: FileViewDaysTable
  view_dimension_days: ViewDimensionDaysTable
  view_minutes: ViewMinutesTable
  viewer_days: ViewerDaysTable
  file_viewer_days: FileViewerDaysTable
  viewer_salts: ViewerSaltsTable
  file_heat_days: FileHeatDaysTable
}
