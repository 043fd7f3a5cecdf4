import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import { messageParamsSchema, reasonFields } from '../../../platform/http/openapi/message-schema.ts'
import type { FileCaptionsTable } from '../../../platform/db/tables/captions.ts'
import type { RenditionsTable } from '../../../platform/db/tables/encoding.ts'
import type { MediaFilesTable, MediaFileState } from '../../../platform/db/tables/files.ts'
import type { FilePicturesTable } from '../../../platform/db/tables/pictures.ts'
import {
  deletionFields,
  described,
  idSchema,
  nullable,
  timestampSchema,
} from '../../../platform/http/requests/schemas.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import { externalIdSchema } from '../../projects/external-id.ts'
import { releaseStatusSchema } from '../../projects/project-record.ts'
import { emptyMetadata, type FileMetadata } from './file-metadata.ts'
import { createdFileExample, fileExample } from './file-example.ts'
import { storedFileName } from './file-name.ts'
import { m4aDownloadOf, mp4DownloadOf } from './mp4-download.ts'

export type MediaFileRow = Selectable<MediaFilesTable>
export type RenditionRow = Selectable<RenditionsTable>
export type FilePictureRow = Selectable<FilePicturesTable>
export type FileCaptionRow = Selectable<FileCaptionsTable>

/** The flags of the API by state; the row stores only the state. */
const flagsOf: Record<MediaFileState, { isFinished: boolean; isEncoded: boolean; hasErrors: boolean }> = {
  created: { isFinished: false, isEncoded: false, hasErrors: false },
  uploaded: { isFinished: false, isEncoded: false, hasErrors: false },
  encoding: { isFinished: false, isEncoded: false, hasErrors: false },
  playable: { isFinished: false, isEncoded: true, hasErrors: false },
  finished: { isFinished: true, isEncoded: true, hasErrors: false },
  failed: { isFinished: true, isEncoded: false, hasErrors: true },
  degraded: { isFinished: true, isEncoded: true, hasErrors: true },
}

export const fileStates = Object.keys(flagsOf) as MediaFileState[]

/** Returns the states in which a flag of the API has a value. */
export const statesWith = (
  flag: 'isFinished' | 'isEncoded' | 'hasErrors',
  value: boolean,
): MediaFileState[] => fileStates.filter((state) => flagsOf[state][flag] === value)

export const isPlayableState = (state: MediaFileState): boolean => flagsOf[state].isEncoded

/** Properties as stored in `media_files.properties`; null when the source has no such track. */
export interface FileProperties {
  /** Seconds. */
  readonly Length: number | null
  /** Bytes. */
  readonly Size: number
  readonly VideoFormat: string | null
  readonly VideoBitRate: number | null
  readonly VideoWidth: number | null
  readonly VideoHeight: number | null
  readonly VideoFPS: number | null
  readonly AudioFormat: string | null
  readonly AudioBitRate: number | null
  readonly AudioSampleRate: number | null
  readonly AudioChannels: number | null
}

const ratio = (width: number, height: number): string => {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  const common = divisor(width, height)
  return `${width / common}:${height / common}`
}

const commonRatios = ['16:9', '4:3', '1:1', '9:16', '3:4', '21:9', '3:2', '2:3', '4:5', '5:4'] as const

const closestRatio = (width: number, height: number): string => {
  const distance = (name: string): number => {
    const [w = 1, h = 1] = name.split(':').map(Number)
    return Math.abs(Math.log(width / height / (w / h)))
  }
  return commonRatios.reduce((best, name) => (distance(name) < distance(best) ? name : best))
}

export const pictureRecord = (picture: FilePictureRow, publicUrl: string) => {
  const uriOf = (name: string): string =>
    `${publicUrl}/p/${picture.public_id}/${name}?key=${picture.access_key}`
  return {
    FilePictureId: picture.id,
    AspectRatio: ratio(picture.width_pixels, picture.height_pixels),
    AspectRatioClosest: closestRatio(picture.width_pixels, picture.height_pixels),
    URI: uriOf('poster.jpg'),
    ThumbURI: uriOf('thumb.jpg'),
    SrcPictureURI: uriOf('poster.jpg'),
    IsStandard: picture.is_standard,
    ManualUpload: picture.manual_upload,
  }
}

export const captionRecord = (
  caption: FileCaptionRow,
  file: Pick<MediaFileRow, 'playout_id'>,
  baseUrl: string,
) => ({
  Id: caption.id,
  Language: caption.language,
  Label: caption.label,
  Kind: caption.kind,
  IsDefault: caption.is_default,
  URI: `${baseUrl}/v/${file.playout_id}/captions/${caption.public_id}.vtt`,
  Origin: caption.origin,
})

/**
 * Returns the size of a rendition in bytes. A passthrough rendition takes no storage; its size is that of its
 * samples.
 */
const sizeOf = ({ delivery, segments, size_bytes }: RenditionRow): number =>
  delivery === 'in_place'
    ? (JSON.parse(segments) as [number, number, number][]).reduce((sum, [, , bytes]) => sum + bytes, 0)
    : size_bytes

const renderRendition = (rendition: RenditionRow) => ({
  Id: rendition.id,
  Name: rendition.name,
  Type: rendition.kind,
  Language: rendition.language,
  Label: rendition.label,
  IsComplete: rendition.state === 'complete',
  Codec: rendition.codec,
  Width: rendition.width_pixels,
  Height: rendition.height_pixels,
  FPS: rendition.frame_rate,
  BitRate: rendition.average_bits_per_second,
  PeakBitRate: rendition.peak_bits_per_second,
  Size: sizeOf(rendition),
})

export const playoutUris = (publicUrl: string, playoutId: string) => ({
  hls: `${publicUrl}/v/${playoutId}/main.m3u8`,
  dash: `${publicUrl}/v/${playoutId}/main.mpd`,
  mp4: `${publicUrl}/v/${playoutId}/download.mp4`,
  embed: `${publicUrl}/embed/${playoutId}`,
  storyboard: `${publicUrl}/v/${playoutId}/storyboard.vtt`,
  m4a: `${publicUrl}/v/${playoutId}/download.m4a`,
  thumbnail: `${publicUrl}/v/${playoutId}/thumbnail.jpg`,
  animated: `${publicUrl}/v/${playoutId}/animated.webp`,
})

export const extraPlayoutLinks = (
  { state }: Pick<MediaFileRow, 'state'>,
  renditions: readonly RenditionRow[],
  uris: ReturnType<typeof playoutUris>,
) => {
  const isPlayable = isPlayableState(state)
  const hasPictures = isPlayable && renditions.some((one) => one.kind === 'video' && one.state === 'complete')
  return {
    M4A: isPlayable && m4aDownloadOf(renditions) !== null ? uris.m4a : null,
    ThumbnailURI: hasPictures ? uris.thumbnail : null,
    AnimatedURI: hasPictures ? uris.animated : null,
  }
}

/** Whether DASH is available. The manifest is static, so it needs one complete rendition. */
export const hasDash = (renditions: readonly RenditionRow[]): boolean =>
  renditions.some(({ state }) => state === 'complete')

/** Returns the source URI. The row of a clip stores it without the public URL, which may change. */
const sourceUri = ({ source_kind, source_uri }: MediaFileRow, publicUrl: string): string | null =>
  source_kind === 'clip' && source_uri !== null ? `${publicUrl}${source_uri}` : source_uri

export const hasStoryboard = ({ state, storyboard }: Pick<MediaFileRow, 'state' | 'storyboard'>): boolean =>
  isPlayableState(state) && storyboard !== null

const metadataOrder = Object.keys(emptyMetadata('', 'draft', [])) as (keyof FileMetadata)[]
const propertyOrder = [
  'Length',
  'Size',
  'VideoFormat',
  'VideoBitRate',
  'VideoWidth',
  'VideoHeight',
  'VideoFPS',
  'AudioFormat',
  'AudioBitRate',
  'AudioSampleRate',
  'AudioChannels',
] as const satisfies (keyof FileProperties)[]

/** Restores the field order, which jsonb does not keep, so that records are stable to read. */
const inOrder = <T extends object>(value: T, order: readonly (keyof T)[]): T =>
  Object.fromEntries(order.map((key) => [key, value[key]])) as T

/** Whether the source is still being fetched; the error message then explains the last failed attempt. */
const isFetched = (file: MediaFileRow): boolean => file.state === 'created' && file.source_blob === null

/**
 * Renders a `media_files` row as JSON: the only renderer, so REST responses and webhook payloads are
 * identical.
 */
export const renderMediaFile = (
  file: MediaFileRow,
  renditions: readonly RenditionRow[],
  standardPicture: FilePictureRow | null,
  captions: readonly FileCaptionRow[],
  publicUrl: string,
): string => {
  const flags = flagsOf[file.state]
  const uris = playoutUris(publicUrl, file.playout_id)
  const hasError = flags.hasErrors || isFetched(file)
  return JSON.stringify({
    Id: file.id,
    ProjectId: file.project_id,
    ExternalId: file.external_id,
    Name: storedFileName(file.project_id, file.id, file.original_file_name),
    Status: file.state,
    IsFinished: flags.isFinished,
    IsEncoded: flags.isEncoded,
    IsPlayable: flags.isEncoded,
    IsEnabled: file.deleted_at === null,
    UseEncoding: file.use_encoding,
    EncodingPriority: file.encoding_priority,
    EncodingProgress: file.encoding_progress,
    EstimatedReadyAt: flags.isFinished ? null : toTimestampOrNull(file.estimated_ready_at),
    HasErrors: flags.hasErrors,
    ErrorMessage: hasError ? file.error_message : null,
    Metadata: {
      StandardFilePicture: standardPicture === null ? null : pictureRecord(standardPicture, publicUrl),
      ...inOrder(file.metadata as unknown as FileMetadata, metadataOrder),
      OriginalFileName: file.original_file_name,
    },
    Properties:
      file.properties === null ? null : inOrder(file.properties as unknown as FileProperties, propertyOrder),
    Renditions: renditions.map(renderRendition),
    Playouts: [
      {
        Id: file.playout_id,
        Label: 'Default',
        IsDefault: true,
        HLS: flags.isEncoded ? uris.hls : null,
        DASH: flags.isEncoded && hasDash(renditions) ? uris.dash : null,
        MP4: flags.isEncoded && mp4DownloadOf(renditions) !== null ? uris.mp4 : null,
        EmbedURI: flags.isEncoded ? uris.embed : null,
        Storyboard: hasStoryboard(file) ? uris.storyboard : null,
        ...extraPlayoutLinks(file, renditions, uris),
      },
    ],
    Captions: captions.map((caption) => captionRecord(caption, file, publicUrl)),
    Checksum: file.checksum,
    Source: { Kind: file.source_kind, URI: sourceUri(file, publicUrl) },
    CreatedBy: file.created_by,
    Timings: {
      UploadedAt: toTimestampOrNull(file.uploaded_at),
      PlayableAt: toTimestampOrNull(file.playable_at),
      EncodedAt: toTimestampOrNull(file.encoded_at),
    },
    CreatedAt: toTimestamp(file.created_at),
    LastUpdateAt: toTimestamp(file.updated_at),
    DeletedAt: toTimestampOrNull(file.deleted_at),
    PurgeAt: toTimestampOrNull(file.purge_at),
    Warnings: file.warnings,
    ErrorReason: hasError ? file.error_reason : null,
    ErrorParams: hasError ? file.error_params : null,
  })
}

const uri = Type.String({ format: 'uri' })
const element = (extra: Record<string, ReturnType<typeof Type.String>> = {}) =>
  Type.Array(
    Type.Object({
      Id: Type.Integer({ description: 'Identifier of the entry.' }),
      Label: Type.String({ description: 'Name of the entry.' }),
      ...extra,
    }),
  )

export const kindMeaning =
  '`captions` also describe sounds, for deaf viewers. `chapters` are titles of parts, which the player marks and lists.'

export const captionSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the caption track.'),
    Language: Type.String({ description: 'Language tag (BCP 47).' }),
    Label: Type.String({ description: 'Name in the caption menu of the player.' }),
    Kind: Type.Union([Type.Literal('subtitles'), Type.Literal('captions'), Type.Literal('chapters')], {
      description: kindMeaning,
    }),
    IsDefault: Type.Boolean({
      description: 'Whether the player shows this track until the viewer picks another.',
    }),
    URI: Type.String({
      format: 'uri',
      description: 'URL of the track in WebVTT. It needs the same token as the video.',
    }),
    Origin: Type.Union([Type.Literal('upload'), Type.Literal('source')], {
      description:
        '`source`: read from the source of the file, and replaced with it. `upload`: sent by a user, kept.',
    }),
  },
  {
    description: 'Subtitles, captions or chapters in one language.',
    examples: [
      {
        Id: 3,
        Language: 'en',
        Label: 'English',
        Kind: 'subtitles',
        IsDefault: true,
        URI: 'https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/captions/9e1c7ad2-52c4-4f5e-9df1-6b6f0a7a3f55.vtt',
        Origin: 'upload',
      },
    ],
  },
)

export const pictureSchema = Type.Object(
  {
    FilePictureId: described(idSchema, 'Identifier of the picture.'),
    AspectRatio: Type.String({ examples: ['16:9'], description: 'Exact aspect ratio, such as `16:9`.' }),
    AspectRatioClosest: Type.String({
      examples: ['16:9'],
      description: 'The common aspect ratio that is closest, such as `16:9`.',
    }),
    URI: described(
      uri,
      'URL of the picture (JPEG). With its `key` it also opens the picture of an unpublished file. For viewers, remove the query: the URL then has the access rules of the video.',
    ),
    ThumbURI: described(uri, 'URL of a small version (JPEG).'),
    SrcPictureURI: described(uri, 'URL of the picture at its full size. Same as `URI`.'),
    IsStandard: Type.Boolean({ description: 'Whether this picture is the poster of the file.' }),
    ManualUpload: Type.Boolean({
      description: 'Whether the picture was uploaded. False for a frame of the video.',
    }),
  },
  {
    description: 'A still picture of a file.',
    examples: [
      {
        FilePictureId: 12,
        AspectRatio: '16:9',
        AspectRatioClosest: '16:9',
        URI: 'https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg?key=4f1c2b8e9a7d4c53b0e6f1a2d3c4b5e6',
        ThumbURI:
          'https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg?key=4f1c2b8e9a7d4c53b0e6f1a2d3c4b5e6',
        SrcPictureURI:
          'https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg?key=4f1c2b8e9a7d4c53b0e6f1a2d3c4b5e6',
        IsStandard: true,
        ManualUpload: false,
      },
    ],
  },
)

export const playoutSchema = Type.Object({
  Id: Type.String({ format: 'uuid', description: 'Identifier of the playout, part of its URLs.' }),
  Label: Type.String({ description: 'Name of the playout.' }),
  IsDefault: Type.Boolean({ description: 'Whether players use this playout if none is chosen.' }),
  HLS: nullable(uri, 'URL of the HLS playlist. Null until something can be played.'),
  DASH: nullable(uri, 'URL of the DASH manifest. Null until a rendition is complete.'),
  MP4: nullable(
    Type.String({ format: 'uri' }),
    'URL of an MP4 for download: the best complete H.264 rendition, or `?rendition=<Id>`. Null until there is one.',
  ),
  EmbedURI: nullable(uri, 'URL of the player page for an iframe. Null until something can be played.'),
})

export const storyboardUriSchema = nullable(
  Type.String({
    format: 'uri',
    description:
      'WebVTT with previews for the seek bar: each cue references a tile of one picture (`#xywh`). `storyboard.json` at the same path has the same data, and `thumbnail.jpg?time=<seconds>` returns a single picture. Null until the file is finished, and without video.',
  }),
)

export const extraPlayoutSchemas = {
  M4A: nullable(
    Type.String({
      format: 'uri',
      description: 'URL of an M4A for download, for files without video. Null for videos, which have `MP4`.',
    }),
  ),
  ThumbnailURI: nullable(
    Type.String({
      format: 'uri',
      description:
        'URL of the picture at any time, exact to the frame. Parameters: `time` (seconds), `width`, `height` and `fit` (contain or cover). `thumbnail.webp` at the same path returns WebP. Null without video.',
    }),
  ),
  AnimatedURI: nullable(
    Type.String({
      format: 'uri',
      description:
        'URL of a short animated WebP. Parameters: `start` and `end` (seconds, at most 10 apart) and `width`. Null without video.',
    }),
  ),
}

export const filePlayoutSchema = Type.Object({
  ...playoutSchema.properties,
  Storyboard: storyboardUriSchema,
  ...extraPlayoutSchemas,
})

export const fileSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the file.'),
    ProjectId: described(idSchema, 'Project that the file belongs to.'),
    ExternalId: externalIdSchema('its project'),
    Name: Type.String({ description: 'Name of the stored file.' }),
    Status: Type.Union(
      fileStates.map((state) => Type.Literal(state)),
      {
        description:
          'State of processing. `playable` means that viewers can watch while encoding continues; `degraded` means that some renditions failed.',
      },
    ),
    IsFinished: Type.Boolean({ description: 'Whether processing has ended, with or without errors.' }),
    IsEncoded: Type.Boolean({ description: 'Whether at least one rendition can be played.' }),
    IsPlayable: Type.Boolean({ description: 'Whether the file can be played. Same as `IsEncoded`.' }),
    IsEnabled: Type.Boolean({ description: 'False if the file is deleted.' }),
    UseEncoding: Type.Boolean({
      description:
        'Whether the file is transcoded. False packages the source as it is where its codecs allow it.',
    }),
    EncodingPriority: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Priority in the encoding queue, 0 to 100. Higher values go first.',
    }),
    EncodingProgress: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Progress of encoding in percent.',
    }),
    EstimatedReadyAt: nullable(
      timestampSchema,
      'Estimated end of processing. Null while it is unknown and after the end.',
    ),
    HasErrors: Type.Boolean({ description: 'Whether processing failed, wholly or in part.' }),
    ErrorMessage: nullable(Type.String(), 'What failed. Null unless `HasErrors`.'),
    Metadata: Type.Object(
      {
        StandardFilePicture: nullable(pictureSchema, 'Poster of the file. Null if there is none.'),
        Title: Type.String({ description: 'Title, also shown in the player. May be empty.' }),
        Description: Type.String({ description: 'Description. May be empty.' }),
        DisplayTitle: Type.String({
          description: 'Title for viewers, if it differs from `Title`. May be empty.',
        }),
        DisplayTitleSecondLine: Type.String({
          description: 'Second line of the title for viewers. May be empty.',
        }),
        ReleaseStatus: releaseStatusSchema,
        Category: described(
          element({
            CustomId: Type.String({ description: 'Identifier in your systems. Empty if none was given.' }),
          }),
          'Categories of the file.',
        ),
        IABCategory: described(
          element({ IABId: Type.String({ description: 'Identifier in the IAB Content Taxonomy.' }) }),
          'Categories of the IAB Content Taxonomy.',
        ),
        Share: described(element(), 'Destinations to share the file with.'),
        Videotype: described(element(), 'Video types of the file.'),
        Tags: Type.Array(Type.String(), { description: 'Tags of the file.' }),
        IsPublicAt: nullable(
          timestampSchema,
          'Start of the time in which viewers can watch a published file. Null means no start.',
        ),
        IsPublicUntil: nullable(
          timestampSchema,
          'End of the time in which viewers can watch a published file. Null means no end.',
        ),
        Genre: Type.String({ description: 'Genre. May be empty.' }),
        Series: Type.String({ description: 'Name of the series. May be empty.' }),
        NativeLanguage: Type.String({ description: 'Original language (BCP 47). May be empty.' }),
        ProgramId: Type.String({ description: 'Identifier of the program in your systems. May be empty.' }),
        Rating: Type.String({ description: 'Age rating. May be empty.' }),
        Latitude: nullable(Type.Number(), 'Latitude of the place in degrees. Null if unknown.'),
        Longitude: nullable(Type.Number(), 'Longitude of the place in degrees. Null if unknown.'),
        OriginalFileName: Type.String({ description: 'Name of the file when it was uploaded.' }),
        CustomMetadata: Type.Object(
          { adsDisabled: Type.Boolean({ description: 'Whether your player must not show ads.' }) },
          {
            additionalProperties: true,
            description: 'Your own fields, as `MetadataFields` of the project define them.',
          },
        ),
      },
      { description: 'Metadata of the file, set by editors and your systems.' },
    ),
    Properties: nullable(
      Type.Object({
        Length: nullable(Type.Number(), 'Duration in seconds. Null if unknown.'),
        Size: Type.Integer({ description: 'Size in bytes.' }),
        VideoFormat: nullable(Type.String(), 'Video codec of the source. Null without video.'),
        VideoBitRate: nullable(Type.Integer(), 'Video bit rate in bits per second. Null if unknown.'),
        VideoWidth: nullable(Type.Integer(), 'Width in pixels. Null without video.'),
        VideoHeight: nullable(Type.Integer(), 'Height in pixels. Null without video.'),
        VideoFPS: nullable(Type.Number(), 'Frames per second. Null without video.'),
        AudioFormat: nullable(Type.String(), 'Audio codec of the source. Null without sound.'),
        AudioBitRate: nullable(Type.Integer(), 'Audio bit rate in bits per second. Null if unknown.'),
        AudioSampleRate: nullable(Type.Integer(), 'Sample rate in hertz. Null without sound.'),
        AudioChannels: nullable(Type.Integer(), 'Number of audio channels. Null without sound.'),
      }),
      'Technical properties of the source. Null until it has been inspected.',
    ),
    Renditions: Type.Array(
      Type.Object({
        Id: Type.Integer({ description: 'Identifier of the rendition.' }),
        Name: Type.String({ examples: ['720p'], description: 'Short name, such as `720p`.' }),
        Type: Type.Union([Type.Literal('video'), Type.Literal('audio')], { description: 'Kind of track.' }),
        Language: nullable(
          Type.String(),
          'Language of an audio track (BCP 47). Null if the source does not say it.',
        ),
        Label: nullable(Type.String(), 'Name of an audio track in the menu of the player. Null for video.'),
        IsComplete: Type.Boolean({ description: 'Whether the rendition is encoded to its end.' }),
        Codec: Type.String({ description: 'Codec string (RFC 6381).', examples: ['avc1.64001f'] }),
        Width: nullable(Type.Integer(), 'Width in pixels. Null for audio.'),
        Height: nullable(Type.Integer(), 'Height in pixels. Null for audio.'),
        FPS: nullable(Type.Number(), 'Frames per second. Null for audio.'),
        BitRate: Type.Integer({ description: 'Average bit rate in bits per second.' }),
        PeakBitRate: Type.Integer({ description: 'Peak bit rate in bits per second.' }),
        Size: Type.Integer({ description: 'Size in bytes.' }),
      }),
      { description: 'Encoded versions of the video and audio tracks.' },
    ),
    Playouts: Type.Array(filePlayoutSchema, { description: 'URLs under which the file is played.' }),
    Captions: Type.Array(captionSchema, { description: 'Subtitles, captions and chapters.' }),
    Checksum: nullable(
      Type.String(),
      'Checksum of the source as `sha256:<hex>`. Null unless the upload named one.',
    ),
    Source: Type.Object(
      {
        Kind: Type.String({ description: 'Origin: `upload`, `url`, `recording` or `clip`.' }),
        URI: nullable(
          Type.String(),
          'URL that was fetched, or for a clip the file it was cut from with `#t=start,end` in seconds. Null for uploads.',
        ),
      },
      { description: 'Where the media came from.' },
    ),
    CreatedBy: nullable(Type.Integer(), 'User whose key or session created the file. Null if unknown.'),
    Timings: Type.Object(
      {
        UploadedAt: nullable(timestampSchema, 'Time at which all bytes were stored. Null before.'),
        PlayableAt: nullable(timestampSchema, 'Time at which the file could first be played. Null before.'),
        EncodedAt: nullable(timestampSchema, 'Time at which encoding ended. Null before.'),
      },
      { description: 'When each step of processing was reached.' },
    ),
    CreatedAt: described(timestampSchema, 'Time at which the file was created.'),
    LastUpdateAt: described(timestampSchema, 'Time of the last change of the file.'),
    ...deletionFields,
    Warnings: Type.Array(
      Type.Object({
        Code: Type.String({
          description:
            '`subtitles_not_converted`, `subtitles_left_out` or `closed_captions_not_converted`; more may follow.',
        }),
        Message: Type.String({ description: 'Explanation for people.' }),
        ...reasonFields,
      }),
      {
        description:
          'Parts of the source that viewers do not get, such as picture-based subtitles. The file can be used.',
      },
    ),
    ErrorReason: nullable(
      Type.String({ examples: ['file_not_media'] }),
      'Stable name of `ErrorMessage`, for translations. Null without an error, and for errors of older releases.',
    ),
    ErrorParams: nullable(messageParamsSchema, 'Values in `ErrorMessage`. Null without `ErrorReason`.'),
  },
  {
    description: 'A video or audio file. Responses and webhooks carry the same record.',
    examples: [fileExample, createdFileExample],
  },
)
