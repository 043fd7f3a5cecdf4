import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'

/** State of a target as written by the live node, for its record and the status of the stream. */
export const liveTargetStateFields = {
  State: Type.Union(
    [Type.Literal('idle'), Type.Literal('connecting'), Type.Literal('online'), Type.Literal('waiting')],
    {
      description:
        'State of the target. `waiting` means that it failed and is retried soon. `idle` means that nothing is live or the target is disabled.',
    },
  ),
  Message: nullable(Type.String(), 'Why the target failed last. Null if it did not.'),
  OnlineSince: nullable(
    timestampSchema,
    'Time since which the target receives the stream. Null while it does not.',
  ),
  RestartCount: Type.Integer({ description: 'Number of reconnections in this broadcast.' }),
}

export const liveTargetStatusSchema = Type.Object({
  Id: described(idSchema, 'Identifier of the simulcast target.'),
  Label: Type.String({ description: 'Name of the target.' }),
  ...liveTargetStateFields,
})
