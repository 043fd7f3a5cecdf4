import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import type { ProjectsTable } from '../../platform/db/tables/projects.ts'
import { etagOf } from '../../platform/http/responses/etag.ts'
import {
  deletionFields,
  described,
  idSchema,
  nullable,
  timestampSchema,
} from '../../platform/http/requests/schemas.ts'
import { toTimestamp, toTimestampOrNull } from '../../platform/base/timestamp.ts'
import { externalIdSchema } from './external-id.ts'
import { domainSchema } from './settings/allowed-domains.ts'
import { metadataFieldSchema, type MetadataField } from './settings/metadata-fields.ts'
import { playerThemeRecord, playerThemeSchema, playerThemeWriteSchema } from './settings/player-theme.ts'
import {
  completeEncoderSettings,
  defaultEncoderSettings,
  encoderSettingsSchema,
  encoderSettingsWriteSchema,
  type EncoderSettings,
} from './settings/encoder-settings.ts'

export const releaseStatusSchema = Type.Union(
  [Type.Literal('draft'), Type.Literal('unpublished'), Type.Literal('published')],
  { description: 'Release status. Viewers can only watch `published` media.' },
)

/** Also part of CMCD keys, which are lower case. */
const dimensionNameSchema = Type.String({
  description: 'Name of a dimension: lower-case letters, digits and hyphens.',
  minLength: 1,
  maxLength: 30,
  pattern: '^[a-z][a-z0-9-]*$',
  examples: ['campaign'],
})

/** Writable fields. PUT accepts any subset; null clears nullable fields. */
export const projectWriteFields = {
  ExternalId: Type.Optional(externalIdSchema('the account')),
  Description: Type.Optional(
    nullable(Type.String({ maxLength: 10_000 }), 'Free text for your editors. Viewers do not see it.'),
  ),
  DefaultReleaseStatus: Type.Optional(
    nullable(releaseStatusSchema, 'Release status of new files. Default `unpublished`.'),
  ),
  TokenSecurity: Type.Optional(
    nullable(Type.Boolean(), 'Whether viewers need a signed token to play. Default false.'),
  ),
  AllowedDomains: Type.Optional(
    Type.Union(
      [
        Type.Array(domainSchema, {
          maxItems: 100,
          description: 'Domains that may embed the player; empty = all.',
        }),
        Type.Null(),
      ],
      {
        description:
          'Domains that may embed the player. An empty list allows all. Internationalized domains are stored in their ASCII form (`xn--…`).',
      },
    ),
  ),
  AnalyticsDimensions: Type.Optional(
    Type.Union(
      [
        Type.Array(dimensionNameSchema, {
          maxItems: 10,
          description: 'Names of custom dimensions in analytics.',
        }),
        Type.Null(),
      ],
      { description: 'Names of the custom dimensions that analytics collects, up to ten.' },
    ),
  ),
  PlayerTheme: Type.Optional(nullable(playerThemeWriteSchema)),
  EncoderSettings: Type.Optional(nullable(encoderSettingsWriteSchema)),
  MetadataFields: Type.Optional(
    Type.Union(
      [
        Type.Array(metadataFieldSchema, { maxItems: 100, description: 'Typing of CustomMetadata.' }),
        Type.Null(),
      ],
      { description: 'Definitions of the fields in `CustomMetadata`.' },
    ),
  ),
  StorageQuotaBytes: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
      description: 'Largest size of all files together in bytes. Null means no limit.',
    }),
  ),
}

export const projectNameSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '\\S',
  description: 'Name of the project.',
  examples: ['Spring campaign'],
})

export const projectSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the project.'),
    ExternalId: externalIdSchema('the account'),
    Name: projectNameSchema,
    Description: Type.String({
      description: 'Free text for your editors. Viewers do not see it. May be empty.',
    }),
    DefaultReleaseStatus: described(releaseStatusSchema, 'Release status of new files.'),
    TokenSecurity: Type.Boolean({ description: 'Whether viewers need a signed token to play.' }),
    AllowedDomains: Type.Array(Type.String(), {
      description: 'Domains that may embed the player. An empty list allows all.',
    }),
    AnalyticsDimensions: Type.Array(Type.String(), {
      description: 'Names of the custom dimensions that analytics collects.',
    }),
    PlayerTheme: playerThemeSchema,
    EncoderSettings: encoderSettingsSchema,
    MetadataFields: Type.Array(metadataFieldSchema, {
      description: 'Definitions of the fields in `CustomMetadata` of the files.',
    }),
    IsLive: Type.Boolean({ description: 'Whether the live stream of the project is on air.' }),
    FileCount: Type.Integer({ description: 'Number of files, without deleted ones.' }),
    StorageBytes: Type.Integer({ description: 'Storage that the files use, in bytes.' }),
    StorageQuotaBytes: nullable(
      Type.Integer(),
      'Largest size of all files together in bytes. Null means no limit.',
    ),
    IsEnabled: Type.Boolean({ description: 'False if the project is deleted.' }),
    IsRestoring: Type.Boolean({
      description:
        'Whether files of a restored project are still being restored. `project.restored` is sent when all are restored.',
    }),
    CreatedAt: described(timestampSchema, 'Time at which the project was created.'),
    LastUpdateAt: described(timestampSchema, 'Time of the last change of the project.'),
    ...deletionFields,
  },
  {
    description: 'A folder of media with its own settings.',
    examples: [
      {
        Id: 3,
        ExternalId: 'campaign-2026',
        Name: 'Spring campaign',
        Description: 'Films for the shops',
        DefaultReleaseStatus: 'unpublished',
        TokenSecurity: false,
        AllowedDomains: ['www.example.com'],
        AnalyticsDimensions: ['campaign'],
        PlayerTheme: { Color: '#e0457b', HasHeatMap: false, Logo: null },
        EncoderSettings: defaultEncoderSettings,
        MetadataFields: [],
        IsLive: false,
        FileCount: 12,
        StorageBytes: 1_204_882_113,
        StorageQuotaBytes: null,
        IsEnabled: true,
        IsRestoring: false,
        CreatedAt: '2026-03-01T11:40:00+00:00',
        LastUpdateAt: '2026-03-01T12:00:00+00:00',
        DeletedAt: null,
        PurgeAt: null,
      },
    ],
  },
)

export type ProjectRow = Selectable<ProjectsTable>

export const encoderSettingsOf = (row: Pick<ProjectRow, 'encoder_settings'>): Required<EncoderSettings> =>
  completeEncoderSettings(row.encoder_settings)

export const metadataFieldsOf = (row: Pick<ProjectRow, 'metadata_fields'>): MetadataField[] =>
  row.metadata_fields as MetadataField[]

export const projectRecord = (row: ProjectRow, publicUrl: string) => ({
  Id: row.id,
  ExternalId: row.external_id,
  Name: row.name,
  Description: row.description,
  DefaultReleaseStatus: row.default_release_status,
  TokenSecurity: row.token_security,
  AllowedDomains: row.allowed_domains,
  AnalyticsDimensions: row.analytics_dimensions,
  PlayerTheme: playerThemeRecord(row, publicUrl),
  EncoderSettings: encoderSettingsOf(row),
  MetadataFields: row.metadata_fields,
  IsLive: row.is_live,
  FileCount: row.file_count,
  StorageBytes: row.storage_bytes,
  StorageQuotaBytes: row.storage_quota_bytes,
  IsEnabled: row.deleted_at === null,
  IsRestoring: row.is_restoring,
  CreatedAt: toTimestamp(row.created_at),
  LastUpdateAt: toTimestamp(row.updated_at),
  DeletedAt: toTimestampOrNull(row.deleted_at),
  PurgeAt: toTimestampOrNull(row.purge_at),
})

export const renderProject = (row: ProjectRow, publicUrl: string): string =>
  JSON.stringify(projectRecord(row, publicUrl))

/** Returns an ETag of the whole record, because its counters change with every file, without a new version. */
export const etagOfProject = (row: ProjectRow, publicUrl: string): string =>
  etagOf(renderProject(row, publicUrl))
