import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import type { AnalyticsTables } from '../../platform/db/tables/analytics.ts'
import { customDimensionPrefix, pageDimension } from '@zoetrope/vocabulary'
import { directSite, unknownValue, type Dimensions } from '../dimensions/names.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'

export const viewKinds = ['viewer', 'bot', 'preview'] as const

export const viewSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the view.'),
    ProjectId: described(idSchema, 'Identifier of the project.'),
    FileId: nullable(
      idSchema,
      'Identifier of the file. Null for the live stream and playlists of the project.',
    ),
    Kind: Type.Unsafe<string>({
      type: 'string',
      enum: [...viewKinds],
      description: 'A viewer, a program, or a preview by a user of the account.',
    }),
    Source: Type.Unsafe<string>({
      type: 'string',
      enum: ['reports', 'loads'],
      description:
        'How it was measured: by the states that the player reported, or only by the media that it loaded.',
    }),
    StartedAt: described(timestampSchema, 'Time of the first report.'),
    EndedAt: described(timestampSchema, 'Time of the last report.'),
    WatchSeconds: Type.Number({ minimum: 0, description: 'Time of playing.' }),
    StartupMs: nullable(
      Type.Number({ minimum: 0 }),
      'Time from the request to play until the first frame. Null if it was not measured.',
    ),
    Rebuffers: Type.Integer({ minimum: 0, description: 'Number of interruptions to load media.' }),
    RebufferMs: Type.Integer({ minimum: 0, description: 'Total time of these interruptions.' }),
    HasStarted: Type.Boolean({ description: 'Whether a first frame was played.' }),
    HasFailed: Type.Boolean({ description: 'Whether an error ended it.' }),
    ErrorCode: nullable(Type.String(), 'The last error code of the player. Null without an error.'),
    IsComplete: Type.Boolean({ description: 'Whether it played at least 90 % of the length of the file.' }),
    BitRate: nullable(
      Type.Integer({ minimum: 0 }),
      'Mean bit rate of the renditions in bits per second. Null if the player did not report it.',
    ),
    UpscaledSeconds: nullable(
      Type.Number({ minimum: 0 }),
      'Time in which the picture was larger than the rendition. Null if the player did not report its size.',
    ),
    Country: Type.String({ description: 'ISO 3166-1 alpha-2, or `unknown`.' }),
    Device: Type.String({ description: '`desktop`, `phone`, `tablet`, `tv` or `unknown`.' }),
    Browser: Type.String({ description: 'Name of the browser, or `unknown`.' }),
    Os: Type.String({ description: 'Name of the operating system, or `unknown`.' }),
    Player: Type.String({ description: 'Name of the player, or `unknown`.' }),
    Codec: Type.String({
      description: 'Codec that played longest, such as `h264`, `hevc` or `av1`, or `unknown`.',
    }),
    Rendition: Type.String({
      description: 'Rendition that played longest: its height, such as `1080p`, `audio` or `unknown`.',
    }),
    Format: Type.String({ description: '`hls`, `dash`, `smooth`, `other` or `unknown`.' }),
    Stream: Type.String({ description: '`live`, `vod` or `unknown`.' }),
    Site: Type.String({ description: 'Host of the page. `direct` is a page of this server, or none.' }),
    Page: nullable(Type.String(), 'Site and path of the page. Null if pages are not collected.'),
    Data: Type.Record(Type.String(), Type.String(), {
      description: 'Values of the custom dimensions of the project.',
    }),
  },
  {
    description: 'A view that has ended.',
    examples: [
      {
        ...{ Id: 912, ProjectId: 3, FileId: 5, Kind: 'viewer', Source: 'reports' },
        ...{ StartedAt: '2026-03-01T12:00:00.000+00:00', EndedAt: '2026-03-01T12:04:10.000+00:00' },
        ...{ WatchSeconds: 241.5, StartupMs: 480, Rebuffers: 1, RebufferMs: 1_200 },
        ...{ HasStarted: true, HasFailed: false, ErrorCode: null, Site: 'www.example.com' },
        ...{ IsComplete: true, BitRate: 3_349_000, UpscaledSeconds: 12.5 },
        ...{ Country: 'DE', Device: 'phone', Browser: 'Firefox', Os: 'Android', Player: 'zoetrope' },
        ...{
          Codec: 'h264',
          Rendition: '1080p',
          Format: 'hls',
          Stream: 'vod',
          Page: null,
          Data: { campaign: 'spring' },
        },
      },
    ],
  },
)

const customData = (dimensions: Dimensions): Record<string, string> =>
  Object.fromEntries(
    Object.entries(dimensions).flatMap(([name, value]) =>
      name.startsWith(customDimensionPrefix) ? [[name.slice(customDimensionPrefix.length), value]] : [],
    ),
  )

export type ViewRow = Selectable<AnalyticsTables['views']>

export const viewRecord = (row: ViewRow) => ({
  Id: row.id,
  ProjectId: row.project_id,
  FileId: row.file_id,
  Kind: row.kind,
  Source: row.source,
  StartedAt: toTimestamp(row.started_at),
  EndedAt: toTimestamp(row.ended_at),
  WatchSeconds: row.watch_ms / 1_000,
  StartupMs: row.startup_ms,
  Rebuffers: row.rebuffers,
  RebufferMs: row.rebuffer_ms,
  HasStarted: row.has_started,
  HasFailed: row.has_failed,
  ErrorCode: row.error_code,
  IsComplete: row.is_complete,
  BitRate: row.bit_rate,
  UpscaledSeconds: row.upscaled_ms === null ? null : row.upscaled_ms / 1_000,
  Country: row.dimensions['country'] ?? unknownValue,
  Device: row.dimensions['device'] ?? unknownValue,
  Browser: row.dimensions['browser'] ?? unknownValue,
  Os: row.dimensions['os'] ?? unknownValue,
  Player: row.dimensions['player'] ?? unknownValue,
  Codec: row.dimensions['codec'] ?? unknownValue,
  Rendition: row.dimensions['rendition'] ?? unknownValue,
  Format: row.dimensions['format'] ?? unknownValue,
  Stream: row.dimensions['stream'] ?? unknownValue,
  Site: row.dimensions['site'] ?? directSite,
  Page: row.dimensions[pageDimension] ?? null,
  Data: customData(row.dimensions),
})
