import { Type } from 'typebox'

export const messageParamSchema = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Object(
    {
      reason: Type.String({ description: 'Stable name of that message.' }),
      params: Type.Record(Type.String(), Type.Unknown(), { description: 'Values in that message.' }),
    },
    { description: 'The message that this one contains.' },
  ),
])

export const messageParamsSchema = Type.Record(Type.String(), messageParamSchema, {
  description: 'Values in `Message`, by name.',
  examples: [{ host: 'media.example.com', status: 404 }],
})

/** Fields of a record beside the English text of a message. Records of older releases do not have them. */
export const reasonFields = {
  Reason: Type.Optional(
    Type.String({
      description: 'Stable name of `Message`, for translations. Absent in records of older releases.',
      examples: ['subtitles_damaged'],
    }),
  ),
  Params: Type.Optional(messageParamsSchema),
}
