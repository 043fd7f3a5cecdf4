export interface Schema {
  $ref?: string
  description?: string
  type?: string | string[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
}

const maxInt32 = 2_147_483_647

const lengths: Record<string, number> = { 'date-time': 40, uuid: 36, email: 320 }
/**
 * Default bounds of response fields without their own limit. No text or array of a response comes near them.
 */
const anyLength = 65_536
const anyCount = 10_000

const withIntegerFormat = (schema: Schema): void => {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
  schema.format ??= minimum >= -maxInt32 && maximum <= maxInt32 ? 'int32' : 'int64'
}

const withBounds = (schema: Schema): void => {
  if (schema.type === 'integer' && schema.enum === undefined) {
    schema.minimum ??= 0
    schema.maximum ??= Number.MAX_SAFE_INTEGER
  }
  if (schema.type === 'string' && schema.enum === undefined && schema.const === undefined)
    schema.maxLength ??= lengths[schema.format ?? ''] ?? anyLength
  if (schema.type === 'array') schema.maxItems ??= anyCount
}

export const innerSchemas = (schema: Schema): Schema[] => {
  const { properties, patternProperties, additionalProperties, items, anyOf, allOf } = schema
  return [
    ...Object.values(properties ?? {}),
    ...Object.values(patternProperties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(items === undefined ? [] : [items]),
    ...(anyOf ?? []),
    ...(allOf ?? []),
  ]
}

const walk = (schema: Schema, visit: (schema: Schema) => void): void => {
  visit(schema)
  for (const one of innerSchemas(schema)) walk(one, visit)
}

/** Adds only integer formats to a request schema. Its bounds are declared in the route, which enforces them. */
export const describeRequestSchema = (schema: Schema): void => {
  walk(schema, (one) => {
    if (one.type === 'integer') withIntegerFormat(one)
  })
}

/** Adds default bounds and integer formats to a response schema. */
export const describeAnswerSchema = (schema: Schema): void => {
  walk(schema, (one) => {
    withBounds(one)
    if (one.type === 'integer') withIntegerFormat(one)
  })
}
