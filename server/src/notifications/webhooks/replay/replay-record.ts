import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { WebhookReplaysTable } from '../../../platform/db/tables/webhooks.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'

export type ReplayRow = Selectable<WebhookReplaysTable>

const replayStates = ['running', 'finished', 'cancelled'] as const

export const replayCreateSchema = Type.Object(
  {
    From: Type.String({ ...timestampSchema, description: 'Start of the range, inclusive.' }),
    To: Type.Optional(
      Type.Union([timestampSchema, Type.Null()], {
        description: 'End of the range, inclusive. Default: now.',
      }),
    ),
    Events: Type.Optional(
      Type.Union([Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 }), Type.Null()], {
        description:
          'Events to send again, among those of the webhook: names, families such as `file.*`, or `*`.',
      }),
    ),
    ProjectId: Type.Optional(
      Type.Union([idSchema, Type.Null()], {
        description: 'Project whose events are sent again. Null means every project.',
      }),
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
          '`running` creates deliveries; `finished` means that all were created and are sent like any other; `cancelled` means that the webhook was disabled or deleted.',
      },
    ),
    EventCount: Type.Integer({ description: 'Number of events in the range that match the webhook.' }),
    DeliveryCount: Type.Integer({ description: 'Number of events with a new delivery so far.' }),
    SkippedCount: Type.Integer({
      description: 'Number of events whose earlier delivery was still waiting; it is sent now instead.',
    }),
    CreatedAt: described(timestampSchema, 'Time at which the replay was created.'),
    FinishedAt: nullable(timestampSchema, 'Time at which the replay ended. Null before.'),
  },
  {
    description: 'A replay: events of a time range that are sent again.',
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
