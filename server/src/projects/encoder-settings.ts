import { Type, type Static } from 'typebox'
import { nullable } from '../http/schemas.ts'

const useEncoding = Type.Boolean({
  description: 'False packages sources without transcoding where their codecs allow it.',
})
const encodingPriority = Type.Integer({ minimum: 0, maximum: 100, description: 'Higher first.' })
const renditions = Type.Array(
  Type.Object({
    Height: Type.Integer({
      minimum: 64,
      maximum: 4320,
      description: 'Short side in pixels; never upscaled.',
    }),
    VideoBitRate: Type.Optional(
      Type.Integer({ minimum: 50_000, maximum: 100_000_000, description: 'Peak, bits per second.' }),
    ),
  }),
  { maxItems: 12, description: 'Overrides the default ladder; empty = default.' },
)

/** How the files of a project are processed; each file may override UseEncoding and EncodingPriority. */
export const encoderSettingsSchema = Type.Object(
  {
    UseEncoding: Type.Optional(useEncoding),
    EncodingPriority: Type.Optional(encodingPriority),
    Renditions: Type.Optional(renditions),
  },
  { description: 'Encoder settings.' },
)

export const encoderSettingsWriteSchema = Type.Object(
  {
    UseEncoding: Type.Optional(nullable(useEncoding)),
    EncodingPriority: Type.Optional(nullable(encodingPriority)),
    Renditions: Type.Optional(nullable(renditions)),
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

export const defaultEncoderSettings = { UseEncoding: true, EncodingPriority: 50, Renditions: [] } as const
