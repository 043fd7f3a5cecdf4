import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import type {
  FileCaptionsTable,
  FilePicturesTable,
  MediaFilesTable,
  MediaFileState,
  RenditionsTable,
} from '../kernel/db/tables.ts'
import { deletionFields, idSchema, nullable, timestampSchema } from '../http/schemas.ts'
import { toTimestamp, toTimestampOrNull } from '../kernel/timestamp.ts'
import { externalIdSchema } from '../projects/external-id.ts'
import { releaseStatusSchema } from '../projects/project-record.ts'
import { emptyMetadata, type FileMetadata } from './file-metadata.ts'
import { createdFileExample, fileExample } from './file-example.ts'
import { storedFileName } from './file-name.ts'
import { m4aDownloadOf, mp4DownloadOf } from './mp4-download.ts'

export type MediaFileRow = Selectable<MediaFilesTable>
export type RenditionRow = Selectable<RenditionsTable>
export type FilePictureRow = Selectable<FilePicturesTable>
export type FileCaptionRow = Selectable<FileCaptionsTable>

/** What the contract's flags are made from; the row keeps one state. */
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

/** The states in which a flag of the contract is so. */
export const statesWith = (
  flag: 'isFinished' | 'isEncoded' | 'hasErrors',
  value: boolean,
): MediaFileState[] => fileStates.filter((state) => flagsOf[state][flag] === value)

export const isPlayableState = (state: MediaFileState): boolean => flagsOf[state].isEncoded

/** As stored in `media_files.properties`; null where the source has no such track. */
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
  const base = `${publicUrl}/p/${picture.public_id}`
  return {
    FilePictureId: picture.id,
    AspectRatio: ratio(picture.width_pixels, picture.height_pixels),
    AspectRatioClosest: closestRatio(picture.width_pixels, picture.height_pixels),
    URI: `${base}/poster.jpg`,
    ThumbURI: `${base}/thumb.jpg`,
    SrcPictureURI: `${base}/poster.jpg`,
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
})

/** What is served from where it lies takes no storage of its own: its size is that of its samples. */
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

/** The links that exist only for some files: they depend on what the file has of picture and sound. */
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

/** A DASH manifest is static: it is offered as soon as a whole rendition is there. */
export const hasDash = (renditions: readonly RenditionRow[]): boolean =>
  renditions.some(({ state }) => state === 'complete')

/** That of a clip is kept without our own address, which may change. */
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

/** jsonb forgets the order of fields; people who read a record like to find them where they were. */
const inOrder = <T extends object>(value: T, order: readonly (keyof T)[]): T =>
  Object.fromEntries(order.map((key) => [key, value[key]])) as T

/** Whether the source is still being fetched: the message then says why the last attempt failed. */
const isFetched = (file: MediaFileRow): boolean => file.state === 'created' && file.source_blob === null

/** The one bridge from a media_files row to the wire: the same text in REST answers and webhook payloads. */
export const renderMediaFile = (
  file: MediaFileRow,
  renditions: readonly RenditionRow[],
  standardPicture: FilePictureRow | null,
  captions: readonly FileCaptionRow[],
  publicUrl: string,
): string => {
  const flags = flagsOf[file.state]
  const uris = playoutUris(publicUrl, file.playout_id)
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
    ErrorMessage: flags.hasErrors || isFetched(file) ? file.error_message : null,
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
  })
}

const uri = Type.String({ format: 'uri' })
const element = (extra: Record<string, ReturnType<typeof Type.String>> = {}) =>
  Type.Array(Type.Object({ Id: Type.Integer(), Label: Type.String(), ...extra }))

export const kindMeaning =
  'captions also tell of sounds, for those who do not hear them; chapters are titles for parts of the video, which the player marks and lists.'

export const captionSchema = Type.Object(
  {
    Id: idSchema,
    Language: Type.String({ description: 'BCP 47.' }),
    Label: Type.String({ description: 'What people read in the menu of the player.' }),
    Kind: Type.Union([Type.Literal('subtitles'), Type.Literal('captions'), Type.Literal('chapters')], {
      description: kindMeaning,
    }),
    IsDefault: Type.Boolean({ description: 'Shown unless the viewer chooses otherwise.' }),
    URI: Type.String({
      format: 'uri',
      description: 'WebVTT; answers under the same conditions as the video. Previews: see the playouts.',
    }),
  },
  {
    description: 'Subtitles, captions or chapters of a file in one language.',
    examples: [
      {
        Id: 3,
        Language: 'en',
        Label: 'English',
        Kind: 'subtitles',
        IsDefault: true,
        URI: 'https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/captions/9e1c7ad2-52c4-4f5e-9df1-6b6f0a7a3f55.vtt',
      },
    ],
  },
)

export const pictureSchema = Type.Object(
  {
    FilePictureId: idSchema,
    AspectRatio: Type.String({ examples: ['16:9'] }),
    AspectRatioClosest: Type.String({ examples: ['16:9'] }),
    URI: uri,
    ThumbURI: uri,
    SrcPictureURI: uri,
    IsStandard: Type.Boolean({ description: 'Stands for the file in lists and players.' }),
    ManualUpload: Type.Boolean({ description: 'Uploaded by somebody, not taken of the video.' }),
  },
  {
    description: 'A still picture of a file.',
    examples: [
      {
        FilePictureId: 12,
        AspectRatio: '16:9',
        AspectRatioClosest: '16:9',
        URI: 'https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg',
        ThumbURI: 'https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg',
        SrcPictureURI: 'https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg',
        IsStandard: true,
        ManualUpload: false,
      },
    ],
  },
)

export const playoutSchema = Type.Object({
  Id: Type.String({ format: 'uuid' }),
  Label: Type.String(),
  IsDefault: Type.Boolean(),
  HLS: nullable(uri),
  DASH: nullable(uri),
  MP4: nullable(
    Type.String({
      format: 'uri',
      description:
        'One MP4 for download: the best H.264 rendition that is complete, with its sound; `?rendition=<Id>` chooses another one.',
    }),
  ),
  EmbedURI: nullable(uri),
})

export const storyboardUriSchema = nullable(
  Type.String({
    format: 'uri',
    description:
      'WebVTT whose cues name tiles of one picture (`#xywh`), for previews on the seek bar; null until the file is ' +
      'finished, and without video. `storyboard.json` beside it says the same, and `thumbnail.jpg?time=<seconds>` is the picture of a moment.',
  }),
)

export const extraPlayoutSchemas = {
  M4A: nullable(
    Type.String({
      format: 'uri',
      description: 'One M4A for download, of a file that is sound alone; null for videos, which have MP4.',
    }),
  ),
  ThumbnailURI: nullable(
    Type.String({
      format: 'uri',
      description:
        'The picture at any time, exact to the frame: add `time` (seconds), `width`, `height` and `fit` (contain or cover). ' +
        '`thumbnail.webp` beside it is the same as WebP. Null without video.',
    }),
  ),
  AnimatedURI: nullable(
    Type.String({
      format: 'uri',
      description:
        'A short animated WebP: add `start` and `end` (seconds, at most 10 apart) and `width`. Null without video.',
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
    Id: idSchema,
    ProjectId: idSchema,
    ExternalId: externalIdSchema('its project'),
    Name: Type.String({ description: 'Stored name.' }),
    Status: Type.Union(fileStates.map((state) => Type.Literal(state))),
    IsFinished: Type.Boolean({ description: 'All processing is done.' }),
    IsEncoded: Type.Boolean({ description: 'Encoded and usable.' }),
    IsPlayable: Type.Boolean(),
    IsEnabled: Type.Boolean(),
    UseEncoding: Type.Boolean(),
    EncodingPriority: Type.Integer({ minimum: 0, maximum: 100 }),
    EncodingProgress: Type.Integer({ minimum: 0, maximum: 100 }),
    EstimatedReadyAt: nullable({
      ...timestampSchema,
      description:
        'When processing will have ended, by the speed until now; null while that is unknown, and when it has ended.',
    }),
    HasErrors: Type.Boolean(),
    ErrorMessage: nullable(
      Type.String({
        description:
          'Never empty when HasErrors. In the status `created` it says why the last attempt to fetch the source failed, and when the next one is; HasErrors is then false.',
      }),
    ),
    Metadata: Type.Object({
      StandardFilePicture: nullable(pictureSchema),
      Title: Type.String(),
      Description: Type.String(),
      DisplayTitle: Type.String(),
      DisplayTitleSecondLine: Type.String(),
      ReleaseStatus: releaseStatusSchema,
      Category: element({ CustomId: Type.String() }),
      IABCategory: element({ IABId: Type.String() }),
      Share: element(),
      Videotype: element(),
      Tags: Type.Array(Type.String()),
      IsPublicAt: nullable(timestampSchema),
      IsPublicUntil: nullable(timestampSchema),
      Genre: Type.String(),
      Series: Type.String(),
      NativeLanguage: Type.String(),
      ProgramId: Type.String(),
      Rating: Type.String(),
      Latitude: nullable(Type.Number()),
      Longitude: nullable(Type.Number()),
      OriginalFileName: Type.String(),
      CustomMetadata: Type.Object({ adsDisabled: Type.Boolean() }, { additionalProperties: true }),
    }),
    Properties: nullable(
      Type.Object({
        Length: nullable(Type.Number({ description: 'Seconds.' })),
        Size: Type.Integer({ description: 'Bytes.' }),
        VideoFormat: nullable(Type.String()),
        VideoBitRate: nullable(Type.Integer({ description: 'Bits per second.' })),
        VideoWidth: nullable(Type.Integer()),
        VideoHeight: nullable(Type.Integer()),
        VideoFPS: nullable(Type.Number()),
        AudioFormat: nullable(Type.String()),
        AudioBitRate: nullable(Type.Integer({ description: 'Bits per second.' })),
        AudioSampleRate: nullable(Type.Integer({ description: 'Hertz.' })),
        AudioChannels: nullable(Type.Integer()),
      }),
    ),
    Renditions: Type.Array(
      Type.Object({
        Id: Type.Integer(),
        Name: Type.String({ examples: ['720p'] }),
        Type: Type.Union([Type.Literal('video'), Type.Literal('audio')]),
        Language: nullable(Type.String({ description: 'Of sound, where the source says: BCP 47.' })),
        Label: nullable(
          Type.String({ description: 'Of sound: what people read in the menu of the player.' }),
        ),
        IsComplete: Type.Boolean(),
        Codec: Type.String({ description: 'RFC 6381.', examples: ['avc1.64001f'] }),
        Width: nullable(Type.Integer()),
        Height: nullable(Type.Integer()),
        FPS: nullable(Type.Number()),
        BitRate: Type.Integer({ description: 'Average, bits per second.' }),
        PeakBitRate: Type.Integer({ description: 'Bits per second.' }),
        Size: Type.Integer({ description: 'Bytes.' }),
      }),
    ),
    Playouts: Type.Array(filePlayoutSchema),
    Captions: Type.Array(captionSchema),
    Checksum: nullable(
      Type.String({ description: 'sha256:<hex> of the source, when the uploader sent one.' }),
    ),
    Source: Type.Object({
      Kind: Type.String({ description: '`upload`, `url`, `recording` or `clip`.' }),
      URI: nullable(
        Type.String({
          description:
            'Where it was fetched from; of a clip the file that it was cut of, with the part (`#t=start,end` in seconds).',
        }),
      ),
    }),
    CreatedBy: nullable(
      Type.Integer({ description: 'The user whose key made the file; null where nobody is known.' }),
    ),
    Timings: Type.Object({
      UploadedAt: nullable(timestampSchema),
      PlayableAt: nullable(timestampSchema),
      EncodedAt: nullable(timestampSchema),
    }),
    CreatedAt: timestampSchema,
    LastUpdateAt: timestampSchema,
    ...deletionFields,
  },
  {
    description: 'A video or audio file; the same in answers and webhook payloads.',
    examples: [fileExample, createdFileExample],
  },
)
