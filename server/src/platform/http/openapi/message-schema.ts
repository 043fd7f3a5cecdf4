import { Type } from 'typebox'

export const messageParamsSchema = Type.Record(
  Type.String(),
  Type.Union([
    Type.String(),
    Type.Number(),
    Type.Object(
      { reason: Type.String(), params: Type.Record(Type.String(), Type.Unknown()) },
      { description: 'The message that this one contains.' },
    ),
  ]),
  { examples: [{ host: 'media.example.com', status: 404 }] },
)

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
