import { innerSchemas, type Schema } from './openapi-bounds.ts'

const withoutDescription = (schema: Schema): Schema => {
  const { description: _description, ...others } = schema
  return others
}

/** TypeBox writes a choice of texts as a union of constants, but generated clients need an `enum`. */
const unionToEnum = (schema: Schema): void => {
  const { anyOf } = schema
  if (anyOf === undefined) return
  const flat = anyOf.flatMap((one) =>
    one.anyOf !== undefined && one.description === undefined ? one.anyOf : [one],
  )
  const choices = flat.filter(({ enum: values, const: value }) => values !== undefined || value !== undefined)
  const types = new Set(choices.map(({ type }) => type))
  if (choices.length < 2 || types.size !== 1) {
    schema.anyOf = flat
    return
  }
  const [type] = types
  const { description } = choices.find((one) => one.description !== undefined) ?? {}
  const values = choices.flatMap((one) => one.enum ?? [one.const])
  const merged: Schema = {
    ...(type === undefined ? {} : { type }),
    enum: [...new Set(values)],
    ...(description === undefined ? {} : { description }),
  }
  const others = flat.filter((one) => !choices.includes(one))
  if (others.length > 0) {
    schema.anyOf = [merged, ...others]
    return
  }
  delete schema.anyOf
  Object.assign(schema, {
    ...merged,
    ...(schema.description === undefined ? {} : { description: schema.description }),
  })
}

/** Moves the description of `anyOf: [{ description }, { type: 'null' }]` to the field. */
const liftDescription = (schema: Schema): void => {
  const branches = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [only] = branches
  if (only === undefined || branches.length > 1 || only.description === undefined) return
  schema.description ??= only.description
  schema.anyOf = schema.anyOf?.map((one) => (one === only ? withoutDescription(one) : one)) ?? []
}

/** Rewrites a TypeBox schema to the form that code generators expect. The accepted values stay the same. */
export const simplifySchema = (schema: Schema): void => {
  for (const one of innerSchemas(schema)) simplifySchema(one)
  unionToEnum(schema)
  liftDescription(schema)
}
