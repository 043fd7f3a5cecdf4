import { Type, type TString } from 'typebox'

/**
 * Keyword for the actual type of a query parameter. Routes declare such parameters as strings and parse them
 * strictly, because Ajv would accept `1e3` and `5.0`. openapi.json shows the actual type, so that generated
 * clients send numbers and booleans.
 */
const meaningKey = 'x-means'

/** Schema of `true` or `false`, for `parseBoolean`. */
export const booleanText = (description: string): TString =>
  Type.String({ description, maxLength: 5, examples: ['true'], [meaningKey]: { type: 'boolean' } })

/** Schema of an integer, which the caller parses. */
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

/** Schema of one or more record ids, separated by commas, for `parseIdList`. */
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

/** Schema of an instant, for `parseInstantParameter`. */
export const instantText = (description: string, example = '2026-03-01T12:00:00+00:00'): TString =>
  Type.String({
    description,
    maxLength: 40,
    examples: [example],
    [meaningKey]: { type: 'string', format: 'date-time', maxLength: 40 },
  })

/** Replaces the string schema of a query parameter by its actual type. */
export const describeQueryParameter = (parameter: Parameter): void => {
  const meaning = (parameter.schema as Record<string, unknown> | undefined)?.[meaningKey]
  if (parameter.in !== 'query' || typeof meaning !== 'object' || meaning === null) return
  parameter.schema = { ...meaning }
  const { type } = meaning as { readonly type?: string }
  if (typeof parameter.example === 'string' && type !== 'string')
    parameter.example = JSON.parse(parameter.example)
}
