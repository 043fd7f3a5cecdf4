import type { FastifyInstance, FastifyRequest } from 'fastify'
import { detailOf, issue, Problem } from '../../base/problem.ts'
import { directHook } from './direct-hook.ts'

interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
  readonly items?: Schema
}

type Resolve = (name: string) => Schema | undefined

/** Fields that a body may contain, and the other fields of the record read from the same address. */
interface BodyShape {
  readonly written: readonly Schema[]
  readonly read: readonly Schema[]
}

interface UnknownField {
  readonly path: string
  /** A known field that differs only in case. */
  readonly suggestion: string | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Field of the returned record that the body replaces; by default the body replaces the whole record. */
    bodyOfField?: string
    /** Fields of the returned record that other operations change. The body does not, so they are listed. */
    fieldsOfOthers?: readonly string[]
  }
}

const maxFields = 50
const maxPathLength = 200

const expand = (schemas: readonly Schema[], resolve: Resolve): Schema[] =>
  schemas.flatMap((schema) => {
    const target = schema.$ref === undefined ? undefined : resolve(schema.$ref.replace(/#$/, ''))
    const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    const own = schema.properties !== undefined || schema.items !== undefined || schema.type !== undefined
    return [
      ...(own ? [schema] : []),
      ...(target === undefined ? [] : expand([target], resolve)),
      ...expand(inner, resolve),
    ]
  })

const propertyOf = ({ properties }: Schema, name: string): Schema[] =>
  properties !== undefined && Object.hasOwn(properties, name) ? [properties[name] as Schema] : []

const isOpen = ({ properties, additionalProperties }: Schema): boolean =>
  properties === undefined || (additionalProperties !== undefined && additionalProperties !== false)

const suggestionFor = (name: string, objects: readonly Schema[]): string | null =>
  objects
    .flatMap(({ properties }) => Object.keys(properties ?? {}))
    .find((known) => known.toLowerCase() === name.toLowerCase()) ?? null

const findUnknown = (value: unknown, shape: BodyShape, resolve: Resolve, path = ''): UnknownField[] => {
  if (typeof value !== 'object' || value === null) return []
  const written = expand(shape.written, resolve)
  const read = expand(shape.read, resolve)
  if (Array.isArray(value)) {
    const items = {
      written: written.flatMap((one) => one.items ?? []),
      read: read.flatMap((one) => one.items ?? []),
    }
    if (items.written.length === 0) return []
    return value.flatMap((item, index) => findUnknown(item, items, resolve, `${path}[${index}]`))
  }
  const objects = written.filter(({ type }) => type === 'object')
  if (objects.length === 0 || objects.some(isOpen)) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const at = path === '' ? name : `${path}.${name}`
    const field = {
      written: objects.flatMap((one) => propertyOf(one, name)),
      read: read.flatMap((one) => propertyOf(one, name)),
    }
    if (field.written.length > 0) return findUnknown(item, field, resolve, at)
    return field.read.length > 0 ? [] : [{ path: at, suggestion: suggestionFor(name, objects) }]
  })
}

const without = (schema: Schema, names: readonly string[]): Schema => {
  if (schema.properties === undefined) return schema
  const kept = Object.entries(schema.properties).filter(([name]) => !names.includes(name))
  return { ...schema, properties: Object.fromEntries(kept) }
}

interface JsonContent {
  readonly content?: { readonly 'application/json'?: { readonly schema?: Schema } }
}

const jsonOf = (part: unknown): Schema[] => {
  const { content } = (part ?? {}) as JsonContent
  if (content === undefined) return part === undefined ? [] : [part as Schema]
  const schema = content['application/json']?.schema
  return schema === undefined ? [] : [schema]
}

const shapeOf = ({ routeOptions }: FastifyRequest, resolve: Resolve): BodyShape => {
  const { schema, config } = routeOptions
  const answers = (schema?.response ?? {}) as Readonly<Record<string, unknown>>
  const record = [...jsonOf(answers['200']), ...jsonOf(answers['201'])]
  const { bodyOfField, fieldsOfOthers } = config
  const written = jsonOf(schema?.body)
  if (bodyOfField === undefined && fieldsOfOthers === undefined) return { written, read: record }
  const read = expand(record, resolve)
  return {
    written,
    read:
      bodyOfField === undefined
        ? read.map((one) => without(one, fieldsOfOthers ?? []))
        : read.flatMap((one) => propertyOf(one, bodyOfField)),
  }
}

/** RFC 7240, 4.4. */
const wantsStrict = (header: string | string[] | undefined): boolean =>
  [header ?? []].flat().some((text) => /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(text))

const headerSafe = (path: string): string => path.replace(/[^A-Za-z0-9_.[\]-]/g, '?').slice(0, maxPathLength)

const refusal = (unknown: readonly UnknownField[]): Problem => {
  const shown = unknown.slice(0, maxFields)
  return new Problem(
    'unknown_fields',
    { fields: shown.map(({ path }) => path.slice(0, maxPathLength)).join(', ') },
    {
      details: shown.map(({ path, suggestion }) =>
        detailOf(
          path.slice(0, maxPathLength),
          suggestion === null ? issue('unknown_field') : issue('unknown_field_similar', { suggestion }),
        ),
      ),
    },
  )
}

/**
 * Lists unknown fields of JSON bodies in `X-Ignored-Fields`. Throws 'invalid' under `Prefer:
 * handling=strict`. Fields that a response contains are known, so that a record can be read, changed and sent
 * back whole.
 */
export const reportIgnoredFields = (app: FastifyInstance): void => {
  app.addHook(
    'preHandler',
    directHook((request, reply) => {
      const { body } = request
      if (typeof body !== 'object' || body === null || Object.getPrototypeOf(body) !== Object.prototype)
        return
      const isStrict = wantsStrict(request.headers['prefer'])
      const resolve: Resolve = (name) => request.server.getSchema(name) as Schema | undefined
      const unknown = findUnknown(body, shapeOf(request, resolve), resolve)
      if (isStrict && unknown.length > 0) throw refusal(unknown)
      if (isStrict) reply.header('Preference-Applied', 'handling=strict')
      if (unknown.length === 0) return
      const names = unknown.slice(0, maxFields).map(({ path }) => headerSafe(path))
      reply.header('X-Ignored-Fields', names.join(', '))
    }),
  )
}
