import { Type, type Static } from 'typebox'
import { nullable } from '../http/schemas.ts'

const useEncoding = Type.Boolean({
  description: 'False packages sources without transcoding where their codecs allow it.',
})
const encodingPriority = Type.Integer({ minimum: 0, maximum: 100, description: 'Higher first.' })
/** One step of a ladder, as callers write it. */
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

/** As plans of ladders take them. */
export const rungOverrides = (renditions: readonly RungSetting[]) =>
  renditions.map(({ Height, VideoBitRate }) => ({ heightPixels: Height, maxBitsPerSecond: VideoBitRate }))

const renditions = Type.Array(rungSchema, {
  maxItems: 12,
  description: 'Overrides the default ladder; empty = default.',
})

const videoCodecs = Type.Array(
  Type.Union([Type.Literal('h264'), Type.Literal('hevc'), Type.Literal('av1')]),
  {
    maxItems: 3,
    uniqueItems: true,
    description:
      'Codecs of the ladder. H.264 is always made, first of all; HEVC and AV1 need fewer bits on devices that play them, and much longer to encode.',
    examples: [['h264', 'hevc']],
  },
)
const normalizeLoudness = Type.Boolean({
  description:
    'Turns the sound up or down to −16 LUFS (EBU R 128) by one measured gain, without clipping its peaks. The first step then takes longer: the whole sound is measured before anything plays.',
})
const keepOriginal = Type.Boolean({
  description:
    'False removes the source once the file is finished, unless it plays from there. Such a file cannot be encoded again, nor clipped, nor give new stills.',
})

/** How the files of a project are processed; each file may override UseEncoding and EncodingPriority. */
export const encoderSettingsSchema = Type.Object(
  {
    UseEncoding: Type.Optional(useEncoding),
    EncodingPriority: Type.Optional(encodingPriority),
    Renditions: Type.Optional(renditions),
    VideoCodecs: Type.Optional(videoCodecs),
    NormalizeLoudness: Type.Optional(normalizeLoudness),
    KeepOriginal: Type.Optional(keepOriginal),
  },
  { description: 'Encoder settings.' },
)

export const encoderSettingsWriteSchema = Type.Object(
  {
    UseEncoding: Type.Optional(nullable(useEncoding)),
    EncodingPriority: Type.Optional(nullable(encodingPriority)),
    Renditions: Type.Optional(nullable(renditions)),
    VideoCodecs: Type.Optional(nullable(videoCodecs)),
    NormalizeLoudness: Type.Optional(nullable(normalizeLoudness)),
    KeepOriginal: Type.Optional(nullable(keepOriginal)),
  },
  { description: 'Encoder settings; absent fields stay as they are, null = the default.' },
)

/** Null = the default, which is not written out. */
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
}

/** As a record shows them, with what is left to the defaults. */
export const completeEncoderSettings = (settings: EncoderSettings): Required<EncoderSettings> => ({
  ...defaultEncoderSettings,
  ...settings,
})
