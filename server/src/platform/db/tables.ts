import type { Role } from '@zoetrope/vocabulary'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** `migrations/*.sql` define the schema; this file repeats it for the type checker. */

type CreatedAt = ColumnType<Date, Date | undefined, never>
type UpdatedAt = ColumnType<Date, Date | undefined, Date>
/** jsonb: written as JSON text, read parsed. */
export type JsonColumn<T> = ColumnType<T, string | undefined, string>

export type ReleaseStatus = 'draft' | 'unpublished' | 'published'
export type MediaFileState =
  'created' | 'uploaded' | 'encoding' | 'playable' | 'finished' | 'failed' | 'degraded'

export interface NewSource {
  readonly blob: string
  readonly sizeBytes: number
  readonly fileName: string
  readonly checksum: string | null
  readonly uploadedAt: string
  /** URI that the source was fetched from; absent when it was uploaded. */
  readonly uri?: string | null
  /** Absent for a source that was uploaded or fetched, which `uri` tells apart. */
  readonly kind?: 'clip' | 'recording'
}

/** A poster extracted from a new source; it becomes the file's poster together with that source. */
export interface NewPoster {
  readonly pictureBlob: string
  readonly thumbBlob: string
  readonly widthPixels: number
  readonly heightPixels: number
  readonly sizeBytes: number
}

/** Stills of the whole video at even intervals: as tiles of one sheet and as single pictures. */
export interface FileStoryboard {
  /** Id in the URLs of viewers; a new storyboard gets a new one. */
  readonly publicId: string
  readonly sheetBlob: string
  readonly stillsBlob: string
  /** End offset of each still in the stills blob. */
  readonly stillEnds: readonly number[]
  readonly tileWidthPixels: number
  readonly tileHeightPixels: number
  readonly columns: number
  readonly intervalSeconds: number
  readonly durationSeconds: number
  readonly sizeBytes: number
}

/** Pending revision of a file, which is processed while the current revision stays playable. */
export interface FileRework {
  readonly generation: number
  /** Null when the current source is processed again. */
  readonly source: NewSource | null
  readonly properties: Record<string, unknown> | null
  readonly poster: NewPoster | null
  /** What the new source brings along; absent until it is known, and of the same source. */
  readonly captions?: readonly NewCaption[]
  readonly warnings?: readonly FileWarning[]
}

/** A text of a new source that no caption has yet. */
export interface NewCaption {
  readonly language: string
  readonly kind: 'subtitles' | 'captions'
  readonly label: string
  readonly publicId: string
  readonly blob: string
  readonly sizeBytes: number
}

/** What a source has that viewers do not get. */
export interface FileWarning {
  readonly Code: 'subtitles_not_converted' | 'subtitles_left_out' | 'closed_captions_not_converted'
  readonly Message: string
}

export interface AccountsTable {
  id: Generated<number>
  name: string
  created_at: CreatedAt
  /** Set by the operator: disables the keys and sessions of the account. */
  disabled_at: Date | null
}

export interface UsersTable {
  id: Generated<number>
  account_id: number
  email: string
  name: Generated<string>
  password_hash: string | null
  role: Role
  is_enabled: Generated<boolean>
  created_at: CreatedAt
  updated_at: UpdatedAt
  last_sign_in_at: Date | null
  deleted_at: Date | null
}

export interface ProjectRolesTable {
  account_id: number
  user_id: number
  project_id: number
  role: Role
}

export interface SigningKeysTable {
  kid: string
  sealed_private_key: Buffer
  public_jwk: JsonColumn<Record<string, unknown>>
  created_at: CreatedAt
  retired_at: Date | null
}

export interface ApiKeysTable {
  jti: string
  account_id: number
  user_id: number
  label: string
  scopes: string[]
  project_ids: number[] | null
  last_four: string
  created_at: CreatedAt
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  ordinal: GeneratedAlways<number>
  token_expires_at: Date | null
}

export interface SessionsTable {
  token_hash: Buffer
  account_id: number
  user_id: number
  created_at: CreatedAt
  expires_at: Date
  uuid: Generated<string>
  last_used_at: Generated<Date>
  address: Generated<string>
  user_agent: Generated<string>
  ordinal: GeneratedAlways<number>
}

export interface SignInAttemptsTable {
  bucket: Buffer
  attempt_count: number
  began_at: Date
  last_attempt_at: Date
  blocked_until: Date
}

export interface InvitationsTable {
  id: Generated<number>
  account_id: number
  token_hash: Buffer
  created_by: number
  /** Null when the change was made in a session. */
  api_key_id: string | null
  user_id: number | null
  email: string
  role: Role | null
  project_roles: JsonColumn<{ readonly projectId: number; readonly role: Role }[]>
  created_at: CreatedAt
  expires_at: Date
  accepted_at: Date | null
  revoked_at: Date | null
}

export interface SignInLinksTable {
  token_hash: Buffer
  account_id: number
  user_id: number
  expires_at: Date
}

export interface AuditEntriesTable {
  id: Generated<number>
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
  changes: JsonColumn<AuditChange[]>
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

export interface ProjectsTable {
  id: Generated<number>
  account_id: number
  external_id: string | null
  name: string
  description: Generated<string>
  default_release_status: Generated<ReleaseStatus>
  token_security: Generated<boolean>
  allowed_domains: JsonColumn<string[]>
  encoder_settings: JsonColumn<Record<string, unknown>>
  metadata_fields: JsonColumn<unknown[]>
  is_live: Generated<boolean>
  file_count: Generated<number>
  storage_bytes: Generated<number>
  storage_quota_bytes: number | null
  /** `#rrggbb` */
  player_color: string | null
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

export type Corner = 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right'

/** Shown in a corner of the player; the picture itself is in player_logos. */
export interface PlayerLogo {
  readonly name: string
  readonly widthPixels: number
  readonly heightPixels: number
  readonly position: Corner
  readonly link: string | null
}

export interface PlayerLogosTable {
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

export interface MediaFilesTable {
  id: Generated<number>
  account_id: number
  project_id: number
  external_id: string | null
  state: Generated<MediaFileState>
  original_file_name: string
  use_encoding: boolean
  encoding_priority: number
  encoding_progress: Generated<number>
  estimated_ready_at: Date | null
  error_message: string | null
  metadata: JsonColumn<Record<string, unknown>>
  properties: JsonColumn<Record<string, unknown> | null>
  checksum: string | null
  source_kind: Generated<'upload' | 'url' | 'recording' | 'clip'>
  source_uri: string | null
  source_blob: string | null
  source_size_bytes: number | null
  source_removed_at: Date | null
  playout_id: Generated<string>
  uploaded_at: Date | null
  playable_at: Date | null
  encoded_at: Date | null
  announced_at: Date | null
  storage_bytes: Generated<number>
  event_sequence: Generated<number>
  version: Generated<number>
  record: Generated<string>
  created_at: CreatedAt
  updated_at: UpdatedAt
  deleted_at: Date | null
  purge_at: Date | null
  purging_at: Date | null
  is_deleted_with_project: Generated<boolean>
  created_by: number | null
  generation: Generated<number>
  last_generation: Generated<number>
  rework: ColumnType<FileRework | null, never, string | null>
  arriving_upload: string | null
  storyboard: ColumnType<FileStoryboard | null, never, string | null>
  is_released: Generated<boolean>
  release_changes_at: Date | null
  warnings: JsonColumn<readonly FileWarning[]>
  captions_read_of: string | null
}

/** Triggers on `media_files` maintain this table: never write it. */
export interface FileListTable {
  account_id: number
  project_id: number
  file_id: number
  version: number
  changed_in: string
  state: MediaFileState
  release_status: string
  use_encoding: boolean
  is_deleted: boolean
  created_at: Date
  updated_at: Date
  title: string
  length: number
  size: number
  terms: string
  external_id: string | null
}

export interface FileBlocksTable {
  project_id: number
  block: number
  file_count: number
}

export interface RenditionsTable {
  id: Generated<number>
  account_id: number
  file_id: number
  generation: Generated<number>
  kind: 'video' | 'audio'
  name: string
  /** Position among the renditions of its kind that viewers choose from; 0 is the default. */
  position: Generated<number>
  label: string | null
  delivery: 'in_place' | 'packaged'
  state: 'encoding' | 'growing' | 'complete'
  media_blob: string
  /** For passthrough: the track's own number in the blob; null = the first track of its kind. */
  track_id: number | null
  codec: Generated<string>
  width_pixels: number | null
  height_pixels: number | null
  frame_rate: number | null
  channels: number | null
  sample_rate_hz: number | null
  language: string | null
  timescale: number
  peak_bits_per_second: Generated<number>
  average_bits_per_second: Generated<number>
  size_bytes: Generated<number>
  segments: Generated<string>
  /** CTA-608 or CTA-708 captions inside the source's video; null = not known. */
  has_closed_captions: boolean | null
  created_at: CreatedAt
}

export interface ChunkedEncodesTable {
  account_id: number
  file_id: number
  generation: number
  plan: JsonColumn<Record<string, unknown>>
  rendition_ids: number[]
  created_at: CreatedAt
}

export interface EncodeChunksTable {
  account_id: number
  file_id: number
  generation: number
  number: number
  state: Generated<'planned' | 'running' | 'done'>
  claim: string | null
  done_seconds: Generated<number>
  pieces: ColumnType<unknown[] | null, never, string>
}

export interface FilePicturesTable {
  id: Generated<number>
  account_id: number
  file_id: number
  public_id: Generated<string>
  width_pixels: number
  height_pixels: number
  is_standard: boolean
  manual_upload: Generated<boolean>
  picture_blob: string
  thumb_blob: string
  size_bytes: Generated<number>
  poster_of_generation: number | null
  created_at: CreatedAt
}

export interface FileCaptionsTable {
  id: Generated<number>
  account_id: number
  file_id: number
  language: string
  kind: 'subtitles' | 'captions' | 'chapters'
  label: string
  is_default: boolean
  public_id: string
  caption_blob: string
  size_bytes: number
  origin: Generated<'upload' | 'source'>
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export interface PictureRequestsTable {
  id: Generated<string>
  account_id: number
  /** Null for pictures of a project. */
  file_id: number | null
  project_id: number | null
  state: Generated<'waiting' | 'working' | 'made' | 'refused'>
  picture_id: number | null
  message: string | null
  sent: Buffer | null
  drawn: Buffer | null
  width_pixels: number | null
  height_pixels: number | null
  created_at: CreatedAt
}

export interface UploadsTable {
  token_hash: Buffer
  account_id: number
  file_id: number
  staging_name: Generated<string>
  size_bytes: number | null
  checksum: string | null
  file_name: string | null
  source_name: Generated<string>
  created_at: CreatedAt
  expires_at: Date
  completed_at: Date | null
  unchecked_after: number | null
  tus_metadata: string | null
  tus_concat: string | null
  staged_on: string | null
  staged_by: string | null
  look_at_bytes: Generated<number | null>
}

export interface UploadPartsTable {
  token_hash: Buffer
  account_id: number
  project_id: number
  staging_name: string
  size_bytes: number | null
  unchecked_after: number | null
  tus_metadata: string | null
  staged_on: string | null
  staged_by: string | null
  created_at: CreatedAt
  expires_at: Date
}

export interface PullsTable {
  id: Generated<number>
  account_id: number
  file_id: number
  upload_token_hash: Buffer
  sealed_uri: Buffer
  expected_bytes: number | null
  is_named: boolean
  validator: string | null
  attempt: Generated<number>
  claim: string | null
  fruitless_attempts: Generated<number>
  begun_at: UpdatedAt
}

export interface ClipsTable {
  file_id: number
  account_id: number
  source_blob: string
  start_seconds: number
  end_seconds: number
  attempt: Generated<number>
}

export interface DiscardedMediaTable {
  id: Generated<number>
  account_id: number
  file_id: number
  generation: number | null
  blobs: string[]
  remove_after: Date
}

export interface MediaMovesTable {
  file_id: number
  account_id: number
  disk: string
  run: string
  blobs: string[]
}

export type CatalogKind = 'category' | 'videotype' | 'share'

export interface CatalogEntriesTable {
  id: Generated<number>
  account_id: number
  kind: CatalogKind
  label: string
  label_key: string
  custom_id: Generated<string>
  version: Generated<number>
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export interface PlaylistsTable {
  id: Generated<number>
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
}

export interface PlaylistStreamsTable {
  account_id: number
  playlist_id: number
  fingerprint: string
  layout: string
  used_at: ColumnType<Date, Date | undefined, Date>
}

export interface LiveNodesTable {
  id: string
  url: string
  public_url: string | null
  disk: string
  supervisor_id: Generated<string | null>
  taken_ports: JsonColumn<TakenPort[]>
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
  renditions: JsonColumn<unknown[]>
  is_auto_recorded: Generated<boolean>
  is_enabled: Generated<boolean>
  version: Generated<number>
  applied_version: Generated<number>
  stops_wanted: Generated<number>
  stops_done: Generated<number>
  is_recording_wanted: Generated<boolean>
  state: Generated<'offline' | 'connected' | 'online' | 'reconnecting'>
  node_id: string | null
  broadcast_id: number | null
  pull_node_id: Generated<string | null>
  pull_until: Generated<Date | null>
  sequence: Generated<number>
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export interface LivePostersTable {
  project_id: number
  account_id: number
  picture: Buffer
  taken_at: Date
}

export interface LiveBroadcastsTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  connected_at: CreatedAt
  online_at: Date | null
  disconnected_at: Date | null
  ended_at: Date | null
  end_reason: string | null
  publisher_address: Generated<string>
  publisher_encoder: Generated<string>
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
}

export interface LiveLogTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  broadcast_id: number | null
  level: 'info' | 'warning' | 'error'
  code: string
  message: string
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

export interface EventsTable {
  id: Generated<number>
  account_id: number
  project_id: number | null
  file_id: number | null
  name: string
  sequence: number
  subject: string
  record: string
  occurred_at: CreatedAt
}

export interface WebhooksTable {
  id: Generated<number>
  account_id: number
  project_id: number | null
  label: Generated<string>
  target_url: string
  sealed_secret: Buffer
  secret_last_four: string
  previous_sealed_secret: Buffer | null
  previous_secret_until: Date | null
  event_types: string[]
  custom_headers: JsonColumn<Record<string, string>>
  is_enabled: Generated<boolean>
  disabled_reason: string | null
  disabled_at: Date | null
  event_sequence: Generated<number>
  version: Generated<number>
  created_at: CreatedAt
  updated_at: UpdatedAt
  deleted_at: Date | null
}

export interface DeliveriesTable {
  id: Generated<number>
  account_id: number
  webhook_id: number
  event_id: number
  file_id: number | null
  lane: number | null
  state: Generated<'pending' | 'waiting' | 'delivered' | 'failed' | 'cancelled'>
  attempt_count: Generated<number>
  schedule_start: Generated<number>
  blocks_lane: Generated<boolean>
  next_attempt_at: ColumnType<Date, Date | undefined, Date>
  created_at: CreatedAt
  finished_at: Date | null
}

export interface DeliveryAttemptsTable {
  delivery_id: number
  number: number
  started_at: Date
  duration_ms: number
  status_code: number | null
  response_excerpt: string | null
  error: string | null
}

export interface WebhookHealthTable {
  webhook_id: number
  account_id: number
  revision: Generated<number>
  failures_in_row: Generated<number>
  failing_since: Date | null
  pause_count: Generated<number>
  paused_until: Date | null
  last_success_at: Date | null
  last_failure_at: Date | null
  last_failure_status: number | null
  last_failure_error: string | null
}

export interface WebhookHoursTable {
  webhook_id: number
  account_id: number
  hour: Date
  delivered_count: number
  failed_count: number
  /** Counts per bucket of `latency-steps.ts`. */
  latency_counts: number[]
}

export interface WebhookReplaysTable {
  id: Generated<number>
  account_id: number
  webhook_id: number
  project_id: number | null
  event_names: string[]
  from_at: Date
  to_at: Date
  reached_event_id: number
  last_event_id: number
  event_count: number
  delivery_count: Generated<number>
  skipped_count: Generated<number>
  state: Generated<'running' | 'finished' | 'cancelled'>
  created_at: CreatedAt
  finished_at: Date | null
  run: Generated<number>
  looked_at: Generated<Date>
}

export interface InspectedRequestsTable {
  id: Generated<number>
  account_id: number
  webhook_id: number
  project_id: number | null
  received_at: CreatedAt
  path: string
  headers: JsonColumn<Readonly<Record<string, string>>>
  body: string
  is_genuine: boolean
}

export interface InstallationSettingsTable {
  name: string
  value: string
}

export interface IdempotencyKeysTable {
  account_id: number
  caller: string
  key: string
  fingerprint: Buffer
  created_at: ColumnType<Date, Date | undefined, Date>
  sealed_answer: Buffer | null
  claim_id: string | null
  leased_until: Date | null
}

export interface RateLimitWindowsTable {
  account_id: number
  caller: string
  kind: 'reads' | 'writes' | 'signatures'
  minute: number
  taken: number
}

export interface IdentityProvidersTable {
  account_id: number
  id: GeneratedAlways<number>
  preset: 'cognito' | 'auth0' | 'entra' | 'keycloak' | 'google' | 'custom'
  issuer: string
  client_id: string
  authentication: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'service_account'
  sealed_client_secret: Buffer | null
  client_key_id: string | null
  scope: string | null
  audience: string | null
  token_endpoint: string
  key_set_uri: string
  state: Generated<'working' | 'unreachable' | 'broken'>
  state_reason: string | null
  state_since: UpdatedAt
  version: Generated<number>
  credential_version: Generated<number>
  connected_at: CreatedAt
  updated_at: UpdatedAt
  sign_in_is_enabled: Generated<boolean>
  sign_in_client_id: string | null
  sealed_sign_in_secret: Buffer | null
  sign_in_failure: string | null
  sign_in_failed_at: Date | null
}

export interface UserIdentitiesTable {
  account_id: number
  issuer: string
  client_id: string
  subject: string
  user_id: number
  created_at: CreatedAt
}

export interface UsedSignInStatesTable {
  state_hash: Buffer
  account_id: number
  used_at: CreatedAt
}

export interface WebhookSigningKeysTable {
  kid: string
  account_id: number
  sealed_private_key: Buffer
  public_jwk: JsonColumn<JsonWebKey>
  created_at: CreatedAt
  active_from: ColumnType<Date, Date | undefined, Date>
  published_until: Date | null
}

export interface ClientKeysTable {
  kid: string
  account_id: number
  key_set_id: string
  sealed_private_key: Buffer
  public_jwk: JsonColumn<JsonWebKey>
  created_at: CreatedAt
}

export interface UsageDaysTable {
  account_id: number
  day: string
  project_id: number
  file_count: number
  playable_seconds: number
  storage_bytes: number
  source_bytes: number
  picture_bytes: number
  caption_bytes: number
}

export interface Tables {
  installation_settings: InstallationSettingsTable
  accounts: AccountsTable
  users: UsersTable
  project_roles: ProjectRolesTable
  signing_keys: SigningKeysTable
  api_keys: ApiKeysTable
  sessions: SessionsTable
  sign_in_attempts: SignInAttemptsTable
  invitations: InvitationsTable
  sign_in_links: SignInLinksTable
  audit_entries: AuditEntriesTable
  projects: ProjectsTable
  project_watermarks: ProjectWatermarksTable
  player_logos: PlayerLogosTable
  media_files: MediaFilesTable
  file_list: FileListTable
  file_blocks: FileBlocksTable
  renditions: RenditionsTable
  chunked_encodes: ChunkedEncodesTable
  encode_chunks: EncodeChunksTable
  file_pictures: FilePicturesTable
  file_captions: FileCaptionsTable
  picture_requests: PictureRequestsTable
  uploads: UploadsTable
  upload_parts: UploadPartsTable
  pulls: PullsTable
  clips: ClipsTable
  discarded_media: DiscardedMediaTable
  media_moves: MediaMovesTable
  catalog_entries: CatalogEntriesTable
  playlists: PlaylistsTable
  playlist_streams: PlaylistStreamsTable
  live_nodes: LiveNodesTable
  live_streams: LiveStreamsTable
  live_broadcasts: LiveBroadcastsTable
  live_recordings: LiveRecordingsTable
  live_log: LiveLogTable
  live_targets: LiveTargetsTable
  live_posters: LivePostersTable
  events: EventsTable
  webhooks: WebhooksTable
  deliveries: DeliveriesTable
  delivery_attempts: DeliveryAttemptsTable
  identity_providers: IdentityProvidersTable
  webhook_signing_keys: WebhookSigningKeysTable
  client_keys: ClientKeysTable
  user_identities: UserIdentitiesTable
  used_sign_in_states: UsedSignInStatesTable
  webhook_health: WebhookHealthTable
  webhook_hours: WebhookHoursTable
  webhook_replays: WebhookReplaysTable
  inspected_requests: InspectedRequestsTable
  idempotency_keys: IdempotencyKeysTable
  rate_limit_windows: RateLimitWindowsTable
  usage_days: UsageDaysTable
}
