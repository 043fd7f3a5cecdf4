import { Type } from 'typebox'
import { idSchema, nullable, timestampSchema } from '../http/schemas.ts'

/** State of a target as written by the live node, for its record and the status of the stream. */
export const liveTargetStateFields = {
  State: Type.Union(
    [Type.Literal('idle'), Type.Literal('connecting'), Type.Literal('online'), Type.Literal('waiting')],
    {
      description:
        '`waiting`: it failed and is tried again soon. `idle`: nothing is live, or it is disabled.',
    },
  ),
  Message: nullable(Type.String({ description: 'Why it failed last.' })),
  OnlineSince: nullable(timestampSchema),
  RestartCount: Type.Integer({ description: 'How often it was begun anew in this broadcast.' }),
}

export const liveTargetStatusSchema = Type.Object({
  Id: idSchema,
  Label: Type.String(),
  ...liveTargetStateFields,
})
