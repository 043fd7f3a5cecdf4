import { Type } from 'typebox'
import type { DeliveriesTable, DeliveryAttemptsTable } from '../kernel/db/tables.ts'
import { toTimestamp, toTimestampOrNull } from '../kernel/timestamp.ts'
import type { Selectable } from 'kysely'

/** A delivery with what its event says and what its last attempt came to. */
export interface DeliveryRow extends Pick<
  Selectable<DeliveriesTable>,
  | 'id'
  | 'webhook_id'
  | 'event_id'
  | 'state'
  | 'attempt_count'
  | 'next_attempt_at'
  | 'created_at'
  | 'finished_at'
> {
  readonly event_name: string
  readonly project_id: number | null
  readonly file_id: number | null
  readonly last_status_code: number | null
  readonly last_error: string | null
}

export type AttemptRow = Selectable<DeliveryAttemptsTable>

const timestamp = Type.String({ format: 'date-time' })
const orNull = <Schema extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(
  schema: Schema,
) => Type.Union([schema, Type.Null()])

const deliveryFields = {
  Id: Type.Integer({ minimum: 1 }),
  WebhookId: Type.Integer({ minimum: 1 }),
  EventId: Type.Integer({ minimum: 1 }),
  Event: Type.String({ examples: ['file.new'] }),
  ProjectId: orNull(Type.Integer()),
  FileId: orNull(Type.Integer()),
  Status: Type.Union(
    [
      Type.Literal('pending'),
      Type.Literal('waiting'),
      Type.Literal('delivered'),
      Type.Literal('failed'),
      Type.Literal('cancelled'),
    ],
    {
      description:
        'pending: about to be sent; waiting: for its next attempt, or for an earlier delivery of the same file; cancelled: the webhook was disabled or deleted.',
    },
  ),
  AttemptCount: Type.Integer(),
  NextAttemptAt: orNull(timestamp),
  LastStatusCode: orNull(Type.Integer()),
  LastError: orNull(Type.String()),
  CreatedAt: timestamp,
  FinishedAt: orNull(timestamp),
}

export const deliverySchema = Type.Object(deliveryFields, { description: 'One event for one webhook.' })

export const deliveryWithAttemptsSchema = Type.Object(
  {
    ...deliveryFields,
    Attempts: Type.Array(
      Type.Object({
        Number: Type.Integer(),
        StartedAt: timestamp,
        DurationMs: Type.Integer(),
        StatusCode: orNull(Type.Integer()),
        ResponseExcerpt: Type.Union([Type.String(), Type.Null()], {
          description: 'The first 4 KiB of the answer.',
        }),
        Error: orNull(Type.String()),
      }),
    ),
  },
  { description: 'A delivery with all its attempts.' },
)

/** The one bridge from a deliveries row to the wire. */
export const deliveryRecord = (row: DeliveryRow) => ({
  Id: row.id,
  WebhookId: row.webhook_id,
  EventId: row.event_id,
  Event: row.event_name,
  ProjectId: row.project_id,
  FileId: row.file_id,
  Status: row.state,
  AttemptCount: row.attempt_count,
  NextAttemptAt: row.finished_at === null ? toTimestamp(row.next_attempt_at) : null,
  LastStatusCode: row.last_status_code,
  LastError: row.last_error,
  CreatedAt: toTimestamp(row.created_at),
  FinishedAt: toTimestampOrNull(row.finished_at),
})

export const attemptRecord = (row: AttemptRow) => ({
  Number: row.number,
  StartedAt: toTimestamp(row.started_at),
  DurationMs: row.duration_ms,
  StatusCode: row.status_code,
  ResponseExcerpt: row.response_excerpt,
  Error: row.error,
})
