import { Type } from 'typebox'
import { schemaRef } from '../http/openapi.ts'
import { idSchema, nullable, timestampSchema } from '../http/schemas.ts'
import { eventNames } from '../kernel/events/domain-event.ts'

const example = {
  Event: 'project.new',
  EventId: 17,
  OccurredAt: '2026-03-01T12:00:00.000+00:00',
  Sequence: 1,
  ProjectId: 3,
  Project: {
    Id: 3,
    Name: 'Newsroom',
    Description: 'What the news desk publishes',
    DefaultReleaseStatus: 'unpublished',
    TokenSecurity: false,
    AllowedDomains: [],
    EncoderSettings: { UseEncoding: true, EncodingPriority: 50, Renditions: [], KeepOriginal: true },
    MetadataFields: [],
    IsLive: false,
    FileCount: 0,
    StorageBytes: 0,
    StorageQuotaBytes: null,
    IsEnabled: true,
    CreatedAt: '2026-03-01T12:00:00.000+00:00',
    LastUpdateAt: '2026-03-01T12:00:00.000+00:00',
  },
}
