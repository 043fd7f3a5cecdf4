import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { JsonColumn } from './columns.ts'

interface ViewReportsTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  file_id: number | null
  stored_at: Generated<Date>
  report: JsonColumn<object>
}

interface ReportWritersTable {
  id: string
  batch: number
  stored_at: Generated<Date>
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
  is_complete: Generated<boolean>
  /** Bits per second; null if the player did not report it. */
  bit_rate: number | null
  /** Playing time in which the picture was larger than the rendition; null if its size was not reported. */
  upscaled_ms: number | null
  dimensions: JsonColumn<Readonly<Record<string, string>>>
}

/** Measures that have sums of minutes as well, for alerts. */
interface MinuteMeasures {
  views: Generated<number>
  watch_ms: Generated<number>
  startups: Generated<number>
  startup_ms: Generated<number>
  rebuffers: Generated<number>
  rebuffer_ms: Generated<number>
  failures: Generated<number>
  errors: Generated<number>
  latencies: Generated<number>
  latency_ms: Generated<number>
}

interface Measures extends MinuteMeasures {
  exits: Generated<number>
  bytes: Generated<number>
  bot_views: Generated<number>
  preview_views: Generated<number>
  /** Sessions that played a first frame. */
  starts: Generated<number>
  complete_views: Generated<number>
  /** Playing time with a known bit rate, and its bits. */
  rated_ms: Generated<number>
  rated_bits: Generated<number>
  /** Playing time with a known size of the picture. */
  scaled_ms: Generated<number>
  /** Playing time in which the picture was larger than the rendition. */
  upscaled_ms: Generated<number>
  /** Playing time multiplied by how much larger the picture was: ten seconds at 150 % are five seconds. */
  upscale_ms: Generated<number>
}

/** Durations in the steps of latency-steps.ts. Steps after the last one are 0. */
interface Histograms {
  startup_counts: Generated<number[]>
  latency_counts: Generated<number[]>
}

/** Sums over views. */
export type ViewMeasures = Selectable<Measures>
export type ViewHistograms = Selectable<Histograms>

interface ViewHoursTable extends Measures, Histograms {
  account_id: number
  project_id: number
  hour: Date
}

/** Triggers keep sums of days and months equal to those of hours and days. */
interface FollowingSums {
  /** Number of the rows that were added up. */
  row_count: number
}

interface ViewDaysTable extends FollowingSums, Measures, Histograms {
  account_id: number
  project_id: number
  day: string
}

interface FileViewDaysTable extends Measures, Histograms {
  account_id: number
  project_id: number
  file_id: number
  day: string
}

interface FileViewMonthsTable extends FollowingSums, Measures, Histograms {
  account_id: number
  project_id: number
  file_id: number
  /** First day. */
  month: string
}

interface ViewDimensionDaysTable extends Measures {
  account_id: number
  project_id: number
  day: string
  dimension: string
  value: string
}

interface ViewDimensionMonthsTable extends FollowingSums, Measures {
  account_id: number
  project_id: number
  month: string
  dimension: string
  value: string
}

interface ViewMinutesTable extends MinuteMeasures {
  account_id: number
  project_id: number
  minute: Date
  viewers: number
}

interface FileViewMinutesTable extends MinuteMeasures {
  account_id: number
  file_id: number
  minute: Date
  viewers: number
}

export interface AnalyticsAlertsTable {
  id: GeneratedAlways<number>
  account_id: number
  /** Null = all projects. */
  project_id: number | null
  file_id: number | null
  label: Generated<string>
  metric: string
  operator: 'above' | 'below'
  threshold: number
  window_minutes: Generated<number>
  minimum_viewers: Generated<number>
  is_enabled: Generated<boolean>
  state: Generated<'firing' | 'resolved'>
  state_since: Generated<Date>
  /** Value and mean number of viewers when the state last changed. */
  value: number | null
  viewers: number | null
  /** End of the last window that was evaluated. */
  evaluated_at: Generated<Date>
  event_sequence: Generated<number>
  version: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
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

interface FileViewerMonthsTable extends FollowingSums {
  account_id: number
  file_id: number
  month: string
  viewers: number
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
  views: Generated<number>
}

interface ViewArchivesTable {
  id: GeneratedAlways<number>
  account_id: number
  day: string
  /** Null = the file has one day. */
  last_day: string | null
  blob: string
  state: 'writing' | 'current' | 'obsolete'
  changed_at: Generated<Date>
  views: Generated<number>
  dimensions: Generated<string[]>
  project_ids: Generated<number[]>
  file_ids: Generated<number[]>
}

export interface AnalyticsTables {
  view_reports: ViewReportsTable
  report_writers: ReportWritersTable
  open_views: OpenViewsTable
  views: ViewsTable
  view_hours: ViewHoursTable
  view_days: ViewDaysTable
  file_view_days: FileViewDaysTable
  file_view_months: FileViewMonthsTable
  view_dimension_days: ViewDimensionDaysTable
  view_dimension_months: ViewDimensionMonthsTable
  view_minutes: ViewMinutesTable
  file_view_minutes: FileViewMinutesTable
  analytics_alerts: AnalyticsAlertsTable
  viewer_days: ViewerDaysTable
  file_viewer_days: FileViewerDaysTable
  file_viewer_months: FileViewerMonthsTable
  viewer_salts: ViewerSaltsTable
  file_heat_days: FileHeatDaysTable
  view_archives: ViewArchivesTable
}
