import { Type, type Static } from 'typebox'
import { nullable } from '../../../platform/http/requests/schemas.ts'

const useEncoding = Type.Boolean({
  description: 'Whether to transcode sources. False packages them as they are where their codecs allow it.',
})
const encodingPriority = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'Priority in the encoding queue, 0 to 100. Higher values go first.',
})
export const rungSchema = Type.Object({
  Height: Type.Integer({
    minimum: 64,
    maximum: 4320,
    description: 'Short side in pixels. Files are never upscaled.',
  }),
  VideoBitRate: Type.Optional(
    Type.Integer({ minimum: 50_000, maximum: 100_000_000, description: 'Peak bit rate in bits per second.' }),
  ),
})

export type RungSetting = Static<typeof rungSchema>

export const rungOverrides = (renditions: readonly RungSetting[]) =>
  renditions.map(({ Height, VideoBitRate }) => ({ heightPixels: Height, maxBitsPerSecond: VideoBitRate }))

const renditions = Type.Array(rungSchema, {
  maxItems: 12,
  description: 'Renditions to encode. An empty list uses the default ladder.',
})

const videoCodecs = Type.Array(
  Type.Union([Type.Literal('h264'), Type.Literal('hevc'), Type.Literal('av1')]),
  {
    maxItems: 3,
    uniqueItems: true,
    description:
      'Codecs to encode. H.264 is always encoded first. HEVC and AV1 need fewer bits but take much longer to encode.',
    examples: [['h264', 'hevc']],
  },
)
const normalizeLoudness = Type.Boolean({
  description:
    'Whether to normalize loudness to −16 LUFS (EBU R 128) with one gain, without clipping. Files become playable later, because the whole sound is measured first.',
})
const keepOriginal = Type.Boolean({
  description:
    'Whether to keep the source after processing. Without it a file cannot be encoded again or clipped, and no new pictures can be taken from it.',
})

const ladderMode = Type.Union([Type.Literal('eager'), Type.Literal('on-demand'), Type.Literal('auto')], {
  description:
    'When the renditions above the one that plays first are encoded: `eager`, after the upload; `on-demand`, when viewers request them; `auto`, when viewers request them or workers have nothing else to do. A file keeps the mode that its project had when the file was created.',
})

/**
 * Settings for processing the files of a project. Each file may override UseEncoding and EncodingPriority.
 */
export const encoderSettingsSchema = Type.Object(
  {
    UseEncoding: Type.Optional(useEncoding),
    EncodingPriority: Type.Optional(encodingPriority),
    Renditions: Type.Optional(renditions),
    VideoCodecs: Type.Optional(videoCodecs),
    NormalizeLoudness: Type.Optional(normalizeLoudness),
    KeepOriginal: Type.Optional(keepOriginal),
    LadderMode: Type.Optional(ladderMode),
  },
  { description: 'How the files of the project are processed.' },
)

export const encoderSettingsWriteSchema = Type.Object(
  {
    UseEncoding: Type.Optional(nullable(useEncoding)),
    EncodingPriority: Type.Optional(nullable(encodingPriority)),
    Renditions: Type.Optional(nullable(renditions)),
    VideoCodecs: Type.Optional(nullable(videoCodecs)),
    NormalizeLoudness: Type.Optional(nullable(normalizeLoudness)),
    KeepOriginal: Type.Optional(nullable(keepOriginal)),
    LadderMode: Type.Optional(nullable(ladderMode)),
  },
  { description: 'Encoder settings. Absent fields keep their values; null restores the default.' },
)

/** Merges a write into the settings. Null restores the default, which is not stored. */
export const changeEncoderSettings = (
  before: EncoderSettings,
  write: Static<typeof encoderSettingsWriteSchema> | null,
): EncoderSettings =>
  write === null
    ? {}
    : (Object.fromEntries(
        Object.entries({ ...before, ...write }).filter(([, value]) => value !== null),
      ) as EncoderSettings)

export type EncoderSettings = Static<typeof encoderSettingsSchema>

export const defaultEncoderSettings: Required<EncoderSettings> = {
  UseEncoding: true,
  EncodingPriority: 50,
  Renditions: [],
  VideoCodecs: ['h264'],
  NormalizeLoudness: false,
  KeepOriginal: true,
  LadderMode: 'auto',
}

/** Returns the settings as a record shows them, including the defaults. */
export const completeEncoderSettings = (settings: EncoderSettings): Required<EncoderSettings> => ({
  ...defaultEncoderSettings,
  ...settings,
})
