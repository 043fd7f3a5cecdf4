import { Type, type TString } from 'typebox'

/**
 * Values of a query that are read strictly, by hand, stand in the route as texts: Ajv would let `1e3` and `5.0` pass. In openapi.json they are
 * what they mean, so that generated clients ask for numbers and booleans.
 */
const meaningKey = 'x-means'

/** Takes `true` or `false`; `parseBoolean` reads it. */
export const booleanText = (description: string): TString =>
  Type.String({ description, maxLength: 5, examples: ['true'], [meaningKey]: { type: 'boolean' } })

/** Takes a whole number, which is read by the caller. */
export const integerText = (
  options: { readonly description: string; readonly maxLength: number; readonly pattern?: string },
  meaning: { readonly minimum: number; readonly maximum: number; readonly example: number },
): TString => {
  const { example, ...bounds } = meaning
  return Type.String({
    ...options,
    examples: [String(example)],
    [meaningKey]: { type: 'integer', ...bounds },
  })
}

interface Parameter {
  readonly in?: string
  schema?: object
  example?: unknown
}

/** Takes the Id of a record, or several with commas between them; `parseIdList` reads it. */
export const idListText = (
  description: string,
  { maxLength = 10_000, example = 3 }: { readonly maxLength?: number; readonly example?: number } = {},
): TString =>
  Type.String({
    description,
    maxLength,
    examples: [String(example)],
    [meaningKey]: {
      anyOf: [
        { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        { type: 'string', maxLength, pattern: '^[1-9][0-9]*(,[1-9][0-9]*)*$' },
      ],
    },
  })

/** Takes a point in time; `parseInstantParameter` reads it. */
export const instantText = (description: string, example = '2026-03-01T12:00:00+00:00'): TString =>
  Type.String({
    description,
    maxLength: 40,
    examples: [example],
    [meaningKey]: { type: 'string', format: 'date-time', maxLength: 40 },
  })

/** Says what the values of a query mean, in place of how they are read. */
export const describeQueryParameter = (parameter: Parameter): void => {
  const meaning = (parameter.schema as Record<string, unknown> | undefined)?.[meaningKey]
  if (parameter.in !== 'query' || typeof meaning !== 'object' || meaning === null) return
  parameter.schema = { ...meaning }
  const { type } = meaning as { readonly type?: string }
  if (typeof parameter.example === 'string' && type !== 'string')
    parameter.example = JSON.parse(parameter.example)
}
