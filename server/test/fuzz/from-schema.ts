import fc from 'fast-check'
import { resolveSchema, type OpenApiDocument, type Schema } from '../support/openapi-document.ts'
import { hostileText, hostileValue } from './hostile-values.ts'

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc
    .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().replace('Z', '+00:00')),
  uuid: fc.uuid(),
  uri: fc.webUrl(),
  email: fc.emailAddress(),
}

const stringOf = (schema: Schema): fc.Arbitrary<string> => {
  const byFormat = schema.format === undefined ? undefined : formats[schema.format]
  if (byFormat !== undefined) return byFormat
  if (schema.pattern !== undefined)
    try {
      return fc.stringMatching(new RegExp(schema.pattern, 'u'), { size: 'small' })
    } catch {
      // fast-check cannot generate from this pattern. Arbitrary text works too, although most of it is
      // refused.
    }
  const minLength = schema.minLength ?? 0
  return fc.string({
    unit: 'grapheme',
    minLength,
    maxLength: Math.max(minLength, Math.min(schema.maxLength ?? 40, 40)),
  })
}

const typesOf = (schema: Schema): readonly string[] => {
  if (schema.type !== undefined) return [schema.type].flat()
  if (schema.properties !== undefined) return ['object']
  return ['null', 'boolean', 'string', 'integer']
}

/**
 * Generates values that the schema allows as far as this code understands it, including the examples of the
 * documentation.
 */
export const validValue = (
  document: OpenApiDocument,
  unresolved: Schema,
  depth = 0,
): fc.Arbitrary<unknown> => {
  const schema = resolveSchema(document, unresolved)
  const generated = generate(document, schema, depth)
  const { examples = [] } = schema
  return examples.length === 0 ? generated : fc.oneof(fc.constantFrom(...examples), generated)
}

const generate = (document: OpenApiDocument, schema: Schema, depth: number): fc.Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((one) => validValue(document, one, depth)))
  if (schema.allOf !== undefined)
    return fc
      .tuple(...schema.allOf.map((one) => validValue(document, one, depth)))
      .map((parts) => Object.assign({}, ...parts) as unknown)
  return fc.oneof(...typesOf(schema).map((type) => generateType(document, schema, type, depth)))
}

const generateType = (
  document: OpenApiDocument,
  schema: Schema,
  type: string,
  depth: number,
): fc.Arbitrary<unknown> => {
  const min = schema.minimum ?? -1_000
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min, max: Math.max(min, Math.min(schema.maximum ?? 1_000_000, 2 ** 31 - 1)) })
    case 'number':
      return fc.double({ min, max: Math.max(min, schema.maximum ?? 1_000_000), noNaN: true })
    case 'array': {
      const minLength = schema.minItems ?? 0
      return fc.array(validValue(document, schema.items ?? {}, depth + 1), {
        minLength,
        maxLength: Math.max(minLength, Math.min(schema.maxItems ?? 3, 3)),
      })
    }
    case 'object': {
      if (schema.properties === undefined)
        return fc.dictionary(
          fc.string({ maxLength: 10 }),
          depth > 3 ? fc.constant(1) : fc.jsonValue({ maxDepth: 1 }),
          {
            maxKeys: 3,
          },
        )
      const required = schema.required ?? []
      const entries = Object.entries(schema.properties)
      return fc.record(
        Object.fromEntries(entries.map(([name, one]) => [name, validValue(document, one, depth + 1)])),
        { requiredKeys: required.filter((name) => name in (schema.properties ?? {})) },
      )
    }
    default:
      return stringOf(schema)
  }
}

/**
 * Changes one place of a valid value: replaces it by a hostile value, removes it, or adds an unknown field.
 */
export const nearlyValid = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(valid, hostileValue, hostileText, fc.nat(), fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, hostile, name, pick, how]) => mutate(value, { hostile, name, pick, how }))

interface Mutation {
  readonly hostile: unknown
  readonly name: string
  readonly pick: number
  readonly how: string
}

const mutate = (value: unknown, mutation: Mutation): unknown => {
  const { hostile, name, pick, how } = mutation
  if (typeof value !== 'object' || value === null) return hostile
  if (Array.isArray(value)) {
    if (value.length === 0) return [hostile]
    const index = pick % value.length
    return value.map((item: unknown, at) => (at === index ? mutate(item, mutation) : item))
  }
  const keys = Object.keys(value)
  const key = keys[pick % Math.max(1, keys.length)]
  if (key === undefined || how === 'add') return { ...value, [name]: hostile }
  if (how === 'remove') return Object.fromEntries(Object.entries(value).filter(([one]) => one !== key))
  const inner = (value as Record<string, unknown>)[key]
  const isDeep = typeof inner === 'object' && inner !== null && pick % 3 !== 0
  return { ...value, [key]: isDeep ? mutate(inner, { ...mutation, pick: Math.floor(pick / 3) }) : hostile }
}
