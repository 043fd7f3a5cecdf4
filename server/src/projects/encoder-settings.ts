import { Type, type Static } from 'typebox'

/** How the files of a project are processed; each file may override UseEncoding and EncodingPriority. */
export const encoderSettingsSchema = Type.Object(
  {
    UseEncoding: Type.Optional(
      Type.Boolean({
        description: 'False packages sources without transcoding where their codecs allow it.',
      }),
    ),
    EncodingPriority: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Higher first.' })),
    Renditions: Type.Optional(
      Type.Array(
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
      ),
    ),
  },
  { description: 'Encoder settings; absent fields stay as they are, at first the defaults.' },
)

export type EncoderSettings = Static<typeof encoderSettingsSchema>

export const defaultEncoderSettings = { UseEncoding: true, EncodingPriority: 50, Renditions: [] } as const
