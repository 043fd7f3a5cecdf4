import { eventNames, type EventName } from '@zoetrope/vocabulary'
import { Type } from 'typebox'
import { schemaRef } from '../../platform/http/openapi/openapi.ts'
import { described, idSchema, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'

const example = {
  Event: 'project.new',
  EventId: 17,
  OccurredAt: '2026-03-01T12:00:00.000+00:00',
  Sequence: 1,
  ProjectId: 3,
  Project: {
    Id: 3,
    ExternalId: 'campaign-2026',
    Name: 'Newsroom',
    Description: 'What the news desk publishes',
    DefaultReleaseStatus: 'unpublished',
    TokenSecurity: false,
    AllowedDomains: [],
    AnalyticsDimensions: [],
    PlayerTheme: { Color: null, HasHeatMap: false, Logo: null },
    EncoderSettings: {
      UseEncoding: true,
      EncodingPriority: 50,
      Renditions: [],
      VideoCodecs: ['h264'],
      NormalizeLoudness: false,
      KeepOriginal: true,
      LadderMode: 'eager',
    },
    MetadataFields: [],
    IsLive: false,
    FileCount: 0,
    StorageBytes: 0,
    StorageQuotaBytes: null,
    IsEnabled: true,
    IsRestoring: false,
    CreatedAt: '2026-03-01T12:00:00.000+00:00',
    LastUpdateAt: '2026-03-01T12:00:00.000+00:00',
    DeletedAt: null,
    PurgeAt: null,
  },
}

/** Schema of an event in the event log and in webhook bodies. `renderEvent` writes it. */
export const eventSchema = Type.Object(
  {
    Event: Type.Unsafe<EventName>({
      type: 'string',
      enum: [...eventNames],
      description: 'Name of the event. New names may be added: ignore those that you do not know.',
    }),
    EventId: Type.Integer({
      ...idSchema,
      description: 'Identifier of the event. It grows with every event, with gaps.',
    }),
    OccurredAt: described(timestampSchema, 'Time at which it happened.'),
    Sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of the event among those of the same record, without gaps.',
    }),
    ProjectId: nullable(idSchema, 'Project that the event belongs to. Null if it belongs to none.'),
    File: Type.Optional(schemaRef('File')),
    Project: Type.Optional(schemaRef('Project')),
    Playlist: Type.Optional(schemaRef('PlaylistSummary')),
    Live: Type.Optional(schemaRef('Live')),
    View: Type.Optional(schemaRef('View')),
    Alert: Type.Optional(schemaRef('Alert')),
    Webhook: Type.Optional(schemaRef('Webhook')),
  },
  {
    description:
      'An event, with the record at that moment: `file.*` events contain `File`, `project.*` events `Project`, and so on.',
    examples: [example],
  },
)
