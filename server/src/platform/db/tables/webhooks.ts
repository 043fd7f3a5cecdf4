import type { MessageParams } from '@zoetrope/vocabulary'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, DefaultedJsonColumn, JsonColumn, UpdatedAt } from './columns.ts'

interface EventsTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number | null
  file_id: number | null
  name: string
  sequence: number
  subject: string
  record: string
  occurred_at: CreatedAt
  request_id: string | null
  traceparent: string | null
}

export interface WebhooksTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number | null
  label: Generated<string>
  target_url: string
  sealed_secret: Buffer
  secret_last_four: string
  previous_sealed_secret: Buffer | null
  previous_secret_until: Date | null
  event_types: string[]
  /** Plain values of an earlier release, until its first start seals them. */
  custom_headers: DefaultedJsonColumn<Record<string, string>>
  sealed_headers: DefaultedJsonColumn<Record<string, string>>
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
  id: GeneratedAlways<number>
  account_id: number
  webhook_id: number
  event_id: number
  file_id: number | null
  /** The ordering key: deliveries of one webhook with the same one are sent in order. */
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
  error_reason: string | null
  error_params: JsonColumn<MessageParams | null>
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
  last_failure_reason: string | null
  last_failure_params: JsonColumn<MessageParams | null>
}

interface WebhookHoursTable {
  webhook_id: number
  account_id: number
  hour: Date
  delivered_count: number
  failed_count: number
  /** Counts per bucket of `latency-steps.ts`. */
  latency_counts: number[]
}

export interface WebhookReplaysTable {
  id: GeneratedAlways<number>
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
  id: GeneratedAlways<number>
  account_id: number
  webhook_id: number
  project_id: number | null
  received_at: CreatedAt
  path: string
  headers: JsonColumn<Readonly<Record<string, string>>>
  body: string
  is_genuine: boolean
}

export interface WebhookTables {
  events: EventsTable
  webhooks: WebhooksTable
  deliveries: DeliveriesTable
  delivery_attempts: DeliveryAttemptsTable
  webhook_health: WebhookHealthTable
  webhook_hours: WebhookHoursTable
  webhook_replays: WebhookReplaysTable
  inspected_requests: InspectedRequestsTable
}
