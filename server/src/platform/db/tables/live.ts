import type { MessageParams } from '@zoetrope/vocabulary'
import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, DefaultedJsonColumn, JsonColumn, UpdatedAt } from './columns.ts'

interface LiveNodesTable {
  id: string
  url: string
  public_url: string | null
  disk: string
  supervisor_id: Generated<string | null>
  taken_ports: DefaultedJsonColumn<TakenPort[]>
  started_at: CreatedAt
  seen_at: UpdatedAt
}

export interface TakenPort {
  readonly protocol: 'rtmp' | 'rtmps' | 'srt'
  readonly port: number
  readonly sinceMs: number
}

export type StreamInType = 'rtmp' | 'srt' | 'whip' | 'rtmp-pull' | 'srt-pull' | 'hls-pull'

export interface LiveStreamsTable {
  project_id: number
  account_id: number
  playout_id: Generated<string>
  kind: Generated<StreamInType>
  sealed_source_uri: Buffer | null
  sealed_stream_key: Buffer
  stream_key_hash: Buffer
  sealed_srt_passphrase: Buffer
  title: Generated<string>
  board_text: Generated<string>
  ended_text: Generated<string>
  release_status: Generated<'draft' | 'unpublished' | 'published'>
  is_low_latency: Generated<boolean>
  timeshift_seconds: Generated<number>
  reconnect_seconds: Generated<number>
  is_transcoded: Generated<boolean>
  renditions: DefaultedJsonColumn<unknown[]>
  is_auto_recorded: Generated<boolean>
  is_enabled: Generated<boolean>
  version: Generated<number>
  applied_version: Generated<number>
  stops_wanted: Generated<number>
  stops_done: Generated<number>
  is_recording_wanted: Generated<boolean>
  state: Generated<'offline' | 'connected' | 'online' | 'reconnecting'>
  node_id: string | null
  epoch: Generated<number>
  broadcast_id: number | null
  pull_node_id: Generated<string | null>
  pull_until: Generated<Date | null>
  sequence: Generated<number>
  created_at: CreatedAt
  updated_at: UpdatedAt
}

interface LivePostersTable {
  project_id: number
  account_id: number
  picture: Buffer
  taken_at: Date
}

export interface LiveBroadcastsTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  kind: Generated<StreamInType | null>
  connected_at: CreatedAt
  online_at: Date | null
  disconnected_at: Date | null
  lost_until: Generated<Date | null>
  ended_at: Date | null
  end_reason: string | null
  has_stored_window: Generated<boolean>
  stored_window_bytes: Generated<number>
  publisher_address: Generated<string>
  publisher_encoder: Generated<string>
}

interface LiveJournalTable {
  id: GeneratedAlways<number>
  account_id: number
  broadcast_id: number
  block: number
  lines: string
}

export interface LiveRecordingsTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  broadcast_id: number
  node_id: string
  kind: Generated<'recording' | 'clip'>
  file_name: string
  title: string
  state: Generated<'recording' | 'finishing' | 'finished' | 'failed'>
  message: string | null
  file_id: number | null
  started_at: CreatedAt
  ended_at: Date | null
  is_stored: Generated<boolean>
  epoch: Generated<number>
  tracks: JsonColumn<RecordedTrackRow[] | null>
}

export interface RecordedTrackRow {
  readonly kind: 'video' | 'audio'
  /** Base64. */
  readonly initSegment: string
}

interface LiveRecordingPiecesTable {
  recording_id: number
  account_id: number
  start_offset: number
  size_bytes: number
  skeleton_bytes: number
  blob: string
  state: JsonColumn<unknown>
}

export interface LiveLogTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  broadcast_id: number | null
  level: 'info' | 'warning' | 'error'
  code: string
  message: string
  reason: string | null
  params: JsonColumn<MessageParams | null>
  occurred_at: CreatedAt
}

export interface LiveTargetsTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  label: string
  sealed_uri: Buffer
  is_enabled: Generated<boolean>
  state: Generated<'idle' | 'connecting' | 'online' | 'waiting'>
  message: string | null
  online_since: Date | null
  restart_count: Generated<number>
  version: Generated<number>
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export interface LiveTables {
  live_nodes: LiveNodesTable
  live_streams: LiveStreamsTable
  live_posters: LivePostersTable
  live_broadcasts: LiveBroadcastsTable
  live_journal: LiveJournalTable
  live_recordings: LiveRecordingsTable
  live_recording_pieces: LiveRecordingPiecesTable
  live_log: LiveLogTable
  live_targets: LiveTargetsTable
}
