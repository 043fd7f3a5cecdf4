import { Type, type TOptional, type TUnsafe } from 'typebox'

/**
 * Query parameters whose names end in a caller-defined text: `customMetadata.<key>`. In the schema of a
 * route, such a family is one property, `customMetadata.*`. OpenAPI cannot describe the dot, so openapi.json
 * uses the style deepObject, which also works: `customMetadata[<key>]`.
 */
const suffix = '.*'

export const familyOfParameters = <Name extends string>(
  name: Name,
  description: string,
  example: Readonly<Record<string, string>>,
) =>
  ({ [`${name}${suffix}`]: Type.Optional(Type.Unsafe<string>({ description, example })) }) as Record<
    `${Name}${typeof suffix}`,
    TOptional<TUnsafe<string>>
  >

export const familiesOf = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length))

/**
 * Returns the name with the family in the spelling of the schema and the key as sent; null for other
 * parameters.
 */
export const canonicalMember = (families: readonly string[], sent: string): string | null => {
  for (const family of families) {
    if (!sent.toLowerCase().startsWith(family.toLowerCase())) continue
    const rest = sent.slice(family.length)
    const key = rest.startsWith('.') ? rest.slice(1) : (/^\[(.*)\]$/s.exec(rest)?.[1] ?? '')
    if (key !== '') return `${family}.${key}`
  }
  return null
}

export const memberOf = (family: string, name: string): string | null =>
  name.startsWith(`${family}.`) ? name.slice(family.length + 1) : null

interface Parameter {
  readonly in?: string
  name?: string
  schema?: object
  style?: string
  explode?: boolean
  example?: unknown
}

export const describeQueryFamily = (parameter: Parameter): void => {
  const [family] = familiesOf([parameter.name ?? ''])
  if (parameter.in !== 'query' || family === undefined) return
  Object.assign(parameter, {
    name: family,
    style: 'deepObject',
    explode: true,
    schema: {
      type: 'object',
      maxProperties: 200,
      additionalProperties: { type: 'string', maxLength: 10_000 },
    },
  })
}
