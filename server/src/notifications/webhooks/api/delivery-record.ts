import { Type } from 'typebox'
import { messageParamsSchema } from '../../../platform/http/openapi/message-schema.ts'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { DeliveriesTable, DeliveryAttemptsTable } from '../../../platform/db/tables/webhooks.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import type { Selectable } from 'kysely'
import type { MessageParams } from '@zoetrope/vocabulary'

export const deliveryStates = ['pending', 'waiting', 'delivered', 'failed', 'cancelled'] as const

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
  readonly last_error_reason: string | null
  readonly last_error_params: MessageParams | null
}

export type AttemptRow = Selectable<DeliveryAttemptsTable>

const exampleDelivery = {
  Id: 31,
  WebhookId: 2,
  EventId: 17,
  Event: 'file.new',
  ProjectId: 3,
  FileId: 5,
  Status: 'delivered',
  AttemptCount: 1,
  NextAttemptAt: null,
  LastStatusCode: 200,
  LastError: null,
  LastErrorReason: null,
  LastErrorParams: null,
  CreatedAt: '2026-03-01T12:00:00.000+00:00',
  FinishedAt: '2026-03-01T12:00:00.214+00:00',
}

const deliveryFields = {
  Id: described(idSchema, 'Identifier of the delivery.'),
  WebhookId: described(idSchema, 'Webhook that receives the delivery.'),
  EventId: described(idSchema, 'Event that is delivered.'),
  Event: Type.String({ examples: ['file.new'], description: 'Name of the event.' }),
  ProjectId: nullable(idSchema, 'Project of the event. Null if it belongs to none.'),
  FileId: nullable(idSchema, 'File of the event. Null if it is not about a file.'),
  Status: Type.Union(
    deliveryStates.map((state) => Type.Literal(state)),
    {
      description:
        '`pending` is sent once the webhook is neither paused nor disabled. `waiting` waits for its next attempt or for an earlier delivery of the same file. `cancelled` was discarded, replaced by a replay, or its webhook was deleted or moved to another project.',
    },
  ),
  AttemptCount: Type.Integer({ description: 'Number of requests sent so far.' }),
  NextAttemptAt: nullable(timestampSchema, 'Time of the next attempt. Null if none is planned.'),
  LastStatusCode: nullable(Type.Integer(), 'HTTP status of the last response. Null if there was none.'),
  LastError: nullable(Type.String(), 'Why the last attempt failed. Null if it did not.'),
  LastErrorReason: nullable(
    Type.String({ examples: ['connection_refused'] }),
    'Stable name of `LastError`, for translations. Null without an error, and for attempts of older releases.',
  ),
  LastErrorParams: nullable(messageParamsSchema, 'Values in `LastError`. Null without `LastErrorReason`.'),
  CreatedAt: described(timestampSchema, 'Time at which the delivery was created.'),
  FinishedAt: nullable(timestampSchema, 'Time at which the delivery succeeded or was given up. Null before.'),
}

export const deliverySchema = Type.Object(deliveryFields, {
  description: 'A delivery of one event to one webhook.',
  examples: [exampleDelivery],
})

export const deliveryWithAttemptsSchema = Type.Object(
  {
    ...deliveryFields,
    Attempts: Type.Array(
      Type.Object({
        Number: Type.Integer({ description: 'Number of the attempt, counted from 1.' }),
        StartedAt: described(timestampSchema, 'Time at which the request was sent.'),
        DurationMs: Type.Integer({ description: 'Duration of the request in milliseconds.' }),
        StatusCode: nullable(Type.Integer(), 'HTTP status of the response. Null if there was none.'),
        ResponseExcerpt: Type.Union([Type.String(), Type.Null()], {
          description: 'First 4 KiB of the response body. Null if there was none.',
        }),
        Error: nullable(Type.String(), 'Why the attempt failed. Null if it did not.'),
        ErrorReason: nullable(
          Type.String({ examples: ['connection_refused'] }),
          'Stable name of `Error`, for translations. Null without an error, and for attempts of older releases.',
        ),
        ErrorParams: nullable(messageParamsSchema, 'Values in `Error`. Null without `ErrorReason`.'),
      }),
      { description: 'The requests, oldest first.' },
    ),
  },
  {
    description: 'A delivery with all its attempts.',
    examples: [
      {
        ...exampleDelivery,
        Attempts: [
          {
            Number: 1,
            StartedAt: '2026-03-01T12:00:00.031+00:00',
            DurationMs: 183,
            StatusCode: 200,
            ResponseExcerpt: 'thanks',
            Error: null,
            ErrorReason: null,
            ErrorParams: null,
          },
        ],
      },
    ],
  },
)

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
  LastErrorReason: row.last_error_reason,
  LastErrorParams: row.last_error_params,
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
  ErrorReason: row.error_reason,
  ErrorParams: row.error_params,
})
