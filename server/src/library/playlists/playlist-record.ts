import { Type } from 'typebox'
import { playoutSchema, playoutUris } from '../files/record/parts/playout-record.ts'
import {
  deletionFields,
  described,
  idSchema,
  nullable,
  timestampSchema,
} from '../../platform/http/requests/schemas.ts'
import { toTimestamp, toTimestampOrNull } from '../../platform/base/timestamp.ts'
import { externalIdSchema } from '../projects/external-id.ts'
import { releaseStatusSchema } from '../projects/project-record.ts'
import { rulesOf, totalsOf, type ElementRow, type PlaylistRow, type PlaylistTotals } from './playlist-row.ts'
import { rulesSchema } from './rules/playlist-rules.ts'

export const nameSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '\\S',
  description: 'Name of the playlist.',
  examples: ['Highlights'],
})

export const typeSchema = Type.Unsafe<'manual' | 'automatic'>({
  type: 'string',
  enum: ['manual', 'automatic'],
  description:
    '`manual` holds files in your order; `automatic` holds files that match rules. It cannot be changed later.',
})

const uri = Type.String({ format: 'uri', maxLength: 2_048 })

export const elementSchema = Type.Object({
  Position: Type.Integer({ minimum: 1, description: 'Position in the playlist, counted from 1.' }),
  FileId: described(idSchema, 'Identifier of the file.'),
  ProjectId: described(idSchema, 'Project that the file belongs to.'),
  Title: Type.String({ description: 'Title of the file.' }),
  Length: nullable(Type.Number(), 'Duration in seconds. Null if unknown.'),
  ThumbURI: nullable(
    uri,
    'URL of a small poster (JPEG), for your team: its `key` opens it whatever the release status. Null if there is none.',
  ),
  ReleaseStatus: releaseStatusSchema,
  IsPlayable: Type.Boolean({
    description: 'Whether the file is encoded. Viewers also need it to be published.',
  }),
})

export const feedUrisSchema = Type.Object(
  {
    JSON: described(uri, 'URL of the JSON Feed 1.1.'),
    MRSS: described(uri, 'URL of the Media RSS feed.'),
    HLS: nullable(uri, 'URL of the HLS playlist. Null until something can be played.'),
  },
  { description: 'Public feeds of the playlist.' },
)

export const totalFields = {
  ElementCount: Type.Integer({ minimum: 0, description: 'Number of files in the playlist.' }),
  TotalLength: Type.Number({
    minimum: 0,
    description: 'Duration in seconds of all files whose duration is known.',
  }),
}

const summaryFields = {
  Id: described(idSchema, 'Identifier of the playlist.'),
  ExternalId: externalIdSchema('the account'),
  Name: nameSchema,
  Description: Type.String({ description: 'Description. May be empty.' }),
  Type: typeSchema,
  ProjectId: nullable(idSchema, 'Project that the playlist belongs to. Null if it spans the account.'),
  ReleaseStatus: releaseStatusSchema,
  Rules: nullable(rulesSchema),
  ...totalFields,
  Playouts: Type.Array(playoutSchema, {
    description: 'URLs under which the playlist plays as one stream.',
  }),
  FeedURIs: feedUrisSchema,
  IsEnabled: Type.Boolean({ description: 'False if the playlist is deleted.' }),
  CreatedAt: described(timestampSchema, 'Time at which the playlist was created.'),
  LastUpdateAt: described(timestampSchema, 'Time of the last change of the playlist.'),
  ...deletionFields,
}

const base = 'https://video.example.com'
const playoutId = '7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e'
const summaryExample = {
  Id: 4,
  ExternalId: 'show-12',
  Name: 'Highlights of the week',
  Description: '',
  Type: 'manual',
  ProjectId: 3,
  ReleaseStatus: 'published',
  Rules: null,
  ElementCount: 1,
  TotalLength: 93.4,
  Playouts: [
    {
      Id: playoutId,
      Label: 'Default',
      IsDefault: true,
      HLS: `${base}/v/${playoutId}/main.m3u8`,
      DASH: null,
      MP4: null,
      EmbedURI: `${base}/embed/${playoutId}`,
    },
  ],
  FeedURIs: {
    JSON: `${base}/v/${playoutId}/feed.json`,
    MRSS: `${base}/v/${playoutId}/feed.xml`,
    HLS: `${base}/v/${playoutId}/main.m3u8`,
  },
  IsEnabled: true,
  CreatedAt: '2026-03-01T12:00:00+00:00',
  LastUpdateAt: '2026-03-01T12:00:00+00:00',
  DeletedAt: null,
  PurgeAt: null,
}

/** Omits the elements, which would make lists and webhooks too large. */
export const playlistSummarySchema = Type.Object(summaryFields, {
  description: 'A playlist without its elements, as in lists and webhooks.',
  examples: [summaryExample],
})

export const playlistSchema = Type.Object(
  {
    ...summaryFields,
    Elements: Type.Array(elementSchema, { description: 'The files, in order of playback.' }),
  },
  {
    description: 'Files in an order that you or rules define. A playlist plays as one stream.',
    examples: [
      {
        ...summaryExample,
        Elements: [
          {
            Position: 1,
            FileId: 17,
            ProjectId: 3,
            Title: 'Opening night',
            Length: 93.4,
            ThumbURI: `${base}/p/0d7ad9a1-5c0b-4d3c-8f43-91b1f2f0c8aa/thumb.jpg?key=4f1c2b8e9a7d4c53b0e6f1a2d3c4b5e6`,
            ReleaseStatus: 'published',
            IsPlayable: true,
          },
        ],
      },
    ],
  },
)

/** Returns feed URLs below the playout URL, so that a token in the path covers them too. */
export const feedUris = (publicUrl: string, row: Pick<PlaylistRow, 'playout_id'>) => ({
  JSON: `${publicUrl}/v/${row.playout_id}/feed.json`,
  MRSS: `${publicUrl}/v/${row.playout_id}/feed.xml`,
})

/**
 * Returns the playback URLs of a playlist. `baseUrl` is public or contains a token. DASH is null because each
 * element would need its own period.
 */
export const playlistLinks = (baseUrl: string, row: Pick<PlaylistRow, 'playout_id'>, isPlayable: boolean) => {
  const uris = playoutUris(baseUrl, row.playout_id)
  return {
    HLS: isPlayable ? uris.hls : null,
    DASH: null,
    MP4: null,
    EmbedURI: isPlayable ? uris.embed : null,
  }
}

export const totalsRecord = ({ count, lengthSeconds }: PlaylistTotals) => ({
  ElementCount: count,
  TotalLength: Math.round(lengthSeconds * 1_000) / 1_000,
})

/** Converts a playlists row to its API record without elements. */
export const playlistSummary = (row: PlaylistRow, totals: PlaylistTotals, publicUrl: string) => {
  const links = playlistLinks(publicUrl, row, totals.isPlayable)
  return {
    Id: row.id,
    ExternalId: row.external_id,
    Name: row.name,
    Description: row.description,
    Type: row.type,
    ProjectId: row.project_id,
    ReleaseStatus: row.release_status,
    Rules: rulesOf(row),
    ...totalsRecord(totals),
    Playouts: [{ Id: row.playout_id, Label: 'Default', IsDefault: true, ...links }],
    FeedURIs: { ...feedUris(publicUrl, row), HLS: links.HLS },
    IsEnabled: row.deleted_at === null,
    CreatedAt: toTimestamp(row.created_at),
    LastUpdateAt: toTimestamp(row.updated_at),
    DeletedAt: toTimestampOrNull(row.deleted_at),
    PurgeAt: toTimestampOrNull(row.purge_at),
  }
}

export const elementRecord = (element: ElementRow, index: number, publicUrl: string) => ({
  Position: index + 1,
  FileId: element.fileId,
  ProjectId: element.projectId,
  Title: element.metadata.Title,
  Length: element.lengthSeconds,
  ThumbURI:
    element.pictureId === null
      ? null
      : `${publicUrl}/p/${element.pictureId}/thumb.jpg?key=${element.pictureKey}`,
  ReleaseStatus: element.metadata.ReleaseStatus,
  IsPlayable: element.isPlayable,
})

export const playlistRecord = (row: PlaylistRow, elements: readonly ElementRow[], publicUrl: string) => ({
  ...playlistSummary(row, totalsOf(elements), publicUrl),
  Elements: elements.map((element, index) => elementRecord(element, index, publicUrl)),
})
