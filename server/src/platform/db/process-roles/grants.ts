import type { Tables } from '../tables.ts'
import type { ProcessRole } from './login.ts'

/**
 * Rights as in the access lists of PostgreSQL: a = insert, r = select, w = update, d = delete; and l = only
 * `select … for update`.
 */
export type Right = 'a' | 'r' | 'w' | 'd' | 'l'

/** Either the rights on the whole table, or the columns of each. */
export type Rights<Column extends string = string> =
  | string
  | Partial<Record<Right, readonly Column[] | 'all columns'>>

export type RightsOfRoles<Column extends string = string> = Partial<Record<ProcessRole, Rights<Column>>>

type TableGrants = {
  readonly [Name in keyof Tables]: RightsOfRoles<keyof Tables[Name] & string>
} & { readonly schema_migrations: RightsOfRoles }

/** All but the hash of the password. */
const usersForWorkers = [
  'id',
  'account_id',
  'email',
  'name',
  'role',
  'is_enabled',
  'language',
  'deleted_at',
] as const

/** All but where tokens come from and with which secret. */
const providerState = [
  'state',
  'state_reason',
  'state_error_reason',
  'state_error_params',
  'state_since',
  'version',
  'updated_at',
] as const

/**
 * What each process does with each table, including what triggers do in its name. A test derives the same from
 * the code that the process can reach.
 */
export const tableGrants: TableGrants = {
  accounts: { api: 'rw', worker: 'rl', live: 'r' },
  analytics_alerts: { api: 'arwd', worker: 'rwd' },
  api_keys: { api: 'arw' },
  audit_entries: { api: 'ar', worker: 'arwd' },
  catalog_entries: { api: 'arwd', worker: 'rl', live: 'rl' },
  chunked_encodes: { api: 'rd', worker: 'ard' },
  client_keys: { api: 'ard', worker: 'r' },
  clips: { api: 'arw', worker: 'rwd' },
  deliveries: { api: 'arw', worker: 'arw', live: 'a' },
  delivery_attempts: { api: 'r', worker: 'ar' },
  discarded_media: { api: 'arwd', worker: 'arwd', live: 'a' },
  encode_chunks: { api: 'rw', worker: 'arw' },
  evicted_renditions: { api: 'r', worker: 'arw' },
  events: { api: 'ar', worker: 'arld', live: 'ar' },
  file_block_counts: { api: 'arw', worker: 'arwd', live: 'arw' },
  file_blocks: { api: 'r', worker: 'arw' },
  file_captions: { api: 'arwd', worker: 'ard', live: 'r' },
  file_heat_days: { api: 'arwd', worker: 'rd' },
  file_list: { api: 'arw', worker: 'rw', live: 'arw' },
  file_pictures: { api: 'rwd', worker: 'arwd', live: 'r' },
  file_view_days: { api: 'arw', worker: 'rd' },
  file_view_minutes: { api: 'arw', worker: 'rd' },
  file_view_months: { api: 'arw', worker: 'rwd' },
  file_viewer_days: { api: 'arw', worker: 'rwd' },
  file_viewer_months: { api: 'arw', worker: 'arwd' },
  idempotency_keys: { api: 'arwd', worker: 'rd' },
  identity_providers: { api: 'arwd', worker: { r: 'all columns', w: providerState } },
  inspected_requests: { api: 'r', worker: 'arld' },
  installation_settings: { api: 'ar', worker: 'arw', live: 'r' },
  invitations: { api: 'arw', worker: 'rd' },
  link_keys: { api: 'ar', live: 'r' },
  live_broadcasts: {
    api: 'r',
    worker: { r: 'all columns', d: 'all columns', w: ['has_stored_window', 'stored_window_bytes'] },
    live: 'arw',
  },
  live_journal: { live: 'ard' },
  live_log: { api: 'ar', worker: 'rd', live: 'a' },
  live_nodes: { api: 'r', live: 'arwd' },
  live_posters: { api: 'r', live: 'arw' },
  live_recording_pieces: { api: 'r', worker: 'r', live: 'arwd' },
  live_recordings: { api: 'r', worker: 'rd', live: 'arw' },
  live_streams: { api: 'arw', worker: 'rd', live: 'rw' },
  live_targets: { api: 'arwd', worker: 'rd', live: 'rw' },
  mails: { api: 'ar', worker: 'arwd', live: 'ar' },
  media_files: { api: 'arw', worker: 'rwd', live: 'arw' },
  media_moves: { worker: 'arld' },
  metrics_reporter: { api: 'arw', worker: 'arw' },
  on_demand_chunks: { api: 'arw', worker: 'arwd' },
  on_demand_days: { api: 'r', worker: 'arwd' },
  on_demand_renditions: { api: 'rw', worker: 'arw' },
  open_views: { api: 'arwd', worker: 'rd' },
  passkeys: { api: 'arwd' },
  picture_requests: { api: 'ard', worker: 'rwd' },
  player_logos: { api: 'arwd', worker: 'rd' },
  playlist_streams: { api: 'arw', worker: 'rd' },
  playlists: { api: 'arw', worker: 'rwd' },
  project_counts: { api: 'arwd', worker: 'arwd', live: 'arwd' },
  project_roles: { api: 'arwd' },
  project_watermarks: { api: 'arwd', worker: 'rd' },
  projects: { api: 'arw', worker: 'rw', live: 'rw' },
  pulls: { api: 'arw', worker: 'rwd' },
  rate_limit_windows: { api: 'arw', worker: 'rd' },
  recovery_codes: { api: 'arwd' },
  remote_workers: { api: 'rw', worker: 'r' },
  renditions: { api: 'arwd', worker: 'arwd', live: 'r' },
  report_writers: { api: 'arw', worker: 'rd' },
  revoked_links: { api: 'ar', worker: 'rd', live: 'r' },
  schema_migrations: { api: 'r', worker: 'r', live: 'r' },
  sessions: { api: 'arwd', worker: 'rd' },
  sign_in_attempts: { api: 'arwd', worker: 'rd' },
  sign_in_links: { api: 'rd', worker: 'rd' },
  signing_keys: { api: 'ar' },
  staged_pieces: { api: 'ard', worker: 'ard' },
  staged_uploads: { api: 'arwd', worker: 'arwd' },
  totp_secrets: { api: 'arwd' },
  upload_parts: { api: 'arwd', worker: 'rd' },
  uploads: { api: 'arwd', worker: 'rwd' },
  usage_days: { api: 'r', worker: 'arwd' },
  used_sign_in_states: { api: 'ar', worker: 'rd' },
  user_identities: { api: 'ard' },
  users: { api: 'arw', worker: { r: usersForWorkers } },
  view_archives: { api: 'r', worker: 'arwd' },
  view_days: { api: 'arw', worker: 'rwd' },
  view_dimension_days: { api: 'arw', worker: 'rd' },
  view_dimension_months: { api: 'arw', worker: 'rwd' },
  view_hours: { api: 'arw', worker: 'rd' },
  view_minutes: { api: 'arw', worker: 'rd' },
  view_reports: { api: 'ard', worker: 'rd' },
  viewer_days: { api: 'arw', worker: 'rwd' },
  viewer_salts: { api: 'ar', worker: 'rd' },
  views: { api: 'ar', worker: 'rd' },
  webhook_health: { api: 'rw', worker: 'arw' },
  webhook_hours: { api: 'r', worker: 'arwd' },
  webhook_replays: { api: 'ar', worker: 'rwd' },
  webhook_signing_keys: { api: 'arwd', worker: 'arwd' },
  webhooks: { api: 'arw', worker: 'rw', live: 'r' },
}

/** Read by the functions that order the logs. */
export const sequenceGrants: Readonly<Record<string, readonly ProcessRole[]>> = {
  events_id_seq: ['api', 'worker', 'live'],
  audit_entries_id_seq: ['api', 'worker'],
}

/** Functions that run with the rights of the owner. */
export const functionGrants: Readonly<Record<string, readonly ProcessRole[]>> = {
  'erase_deleted_users(timestamptz)': ['worker'],
}

/** Rights on the tables of pg-boss. Workers maintain all of them; other processes only add and find jobs. */
export const queueGrants = (table: string): RightsOfRoles => {
  const enqueue = /^job(_common)?$/.test(table) ? 'ar' : /^(queue|version)$/.test(table) ? 'r' : ''
  return { api: enqueue, worker: 'arwd', live: enqueue }
}
