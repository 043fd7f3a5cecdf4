import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../http/schemas.ts'
import type { WebhookReplaysTable } from '../kernel/db/tables.ts'
import { toTimestamp, toTimestampOrNull } from '../kernel/timestamp.ts'

export type ReplayRow = Selectable<WebhookReplaysTable>

const replayStates = ['running', 'finished', 'cancelled'] as const

export const replayCreateSchema = Type.Object(
  {
    From: Type.String({ ...timestampSchema, description: 'Events that happened at this time or later.' }),
    To: Type.Optional(
      Type.Union([timestampSchema, Type.Null()], {
        description: 'Events that happened at this time or earlier. Default: now.',
      }),
    ),
    Events: Type.Optional(
      Type.Union([Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 }), Type.Null()], {
        description:
          'Only these of the events that the webhook subscribes to: names, families such as `file.*`, or `*`.',
      }),
    ),
    ProjectId: Type.Optional(
      Type.Union([idSchema, Type.Null()], { description: 'Only events of this project.' }),
    ),
  },
  {
    examples: [
      {
        From: '2026-03-01T08:00:00+00:00',
        To: '2026-03-01T12:00:00+00:00',
        Events: ['file.*'],
        ProjectId: 3,
      },
    ],
  },
)

export const replaySchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the replay.'),
    WebhookId: described(idSchema, 'Webhook that receives the events.'),
    From: described(timestampSchema, 'Start of the range, inclusive.'),
    To: described(timestampSchema, 'End of the range, inclusive.'),
    Events: Type.Array(Type.String(), { description: 'Names of the events to send again.' }),
    ProjectId: nullable(idSchema, 'Project whose events are sent again. Null means every project.'),
    Status: Type.Union(
      replayStates.map((state) => Type.Literal(state)),
      {
        description:
          'running: deliveries are being made; finished: all are made, and sent like any other; cancelled: the webhook was disabled or deleted before.',
      },
    ),
    EventCount: Type.Integer({ description: 'Number of events in the range that match the webhook.' }),
    DeliveryCount: Type.Integer({ description: 'Number of events with a new delivery so far.' }),
    SkippedCount: Type.Integer({
      description:
        'Events without a new delivery so far, because their earlier one still waited: it was brought forward.',
    }),
    CreatedAt: described(timestampSchema, 'Time at which the replay was created.'),
    FinishedAt: nullable(timestampSchema, 'Time at which the replay ended. Null before.'),
  },
  {
    description: 'Events of a time range that are sent once more.',
    examples: [
      {
        Id: 4,
        WebhookId: 2,
        From: '2026-03-01T08:00:00.000+00:00',
        To: '2026-03-01T12:00:00.000+00:00',
        Events: ['file.new', 'file.deleted'],
        ProjectId: 3,
        Status: 'running',
        EventCount: 1_204,
        DeliveryCount: 500,
        SkippedCount: 0,
        CreatedAt: '2026-03-01T12:05:00.000+00:00',
        FinishedAt: null,
      },
    ],
  },
)

/** The one bridge from a webhook_replays row to the wire. */
export const replayRecord = (row: ReplayRow) => ({
  Id: row.id,
  WebhookId: row.webhook_id,
  From: toTimestamp(row.from_at),
  To: toTimestamp(row.to_at),
  Events: row.event_names,
  ProjectId: row.project_id,
  Status: row.state,
  EventCount: row.event_count,
  DeliveryCount: row.delivery_count,
  SkippedCount: row.skipped_count,
  CreatedAt: toTimestamp(row.created_at),
  FinishedAt: toTimestampOrNull(row.finished_at),
})
