/**
 * Extracts the operations for the command line from openapi.json: parameters and fields with their types and
 * a help sentence each.
 */

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
  readonly required?: readonly string[]
  readonly description?: string
}

interface Parameter {
  readonly $ref?: string
  readonly in?: string
  readonly name?: string
  readonly description?: string
  readonly schema?: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface OperationObject {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Content }
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** `A.B.C`; deeper values must be JSON. */
const deepestField = 3
const longestHelp = 160

/** Shortens a description to fit beside an option. */
const firstSentence = (text: string | undefined): string => {
  const flat = (text ?? '').replace(/\s+/g, ' ').trim()
  const sentence = /^.*?[.;](?= |$)/.exec(flat)?.[0] ?? flat
  const short = sentence.length > longestHelp ? `${sentence.slice(0, longestHelp - 1)}…` : sentence
  return short.replace(/[.;]$/, '')
}

interface Field {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'integers' | 'json'
  readonly help: string
  readonly values: readonly string[]
  readonly properties: Readonly<Record<string, Schema>> | null
  /** Whether it has fields that `properties` does not list. */
  readonly isOpen: boolean
}

const fieldReader = (schemas: Readonly<Record<string, Schema>>) => {
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})

  /** Returns the alternatives of a field without null, which every clearable field accepts. */
  const alternatives = (schema: Schema): Schema[] => {
    const own = resolve(schema)
    if (own.anyOf === undefined) return own.type === 'null' ? [] : [own]
    return own.anyOf.flatMap(alternatives)
  }

  const typeOf = (all: readonly Schema[]): Field['type'] => {
    const types = new Set(all.flatMap(({ type }) => type ?? []).filter((type) => type !== 'null'))
    const [type] = types
    if (types.size !== 1) return 'json'
    if (type === 'array') {
      const item = typeOf(alternatives(all[0]?.items ?? {}))
      return item === 'string' ? 'strings' : item === 'integer' ? 'integers' : 'json'
    }
    return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean' ? type : 'json'
  }

  const describe = (schema: Schema): string =>
    [schema, resolve(schema), ...alternatives(schema), ...(schema.anyOf ?? [])].find(
      ({ description }) => description !== undefined,
    )?.description ?? ''

  return (schema: Schema): Field => {
    const all = alternatives(schema)
    const type = typeOf(all)
    const choices = type === 'strings' ? alternatives(all[0]?.items ?? {}) : all
    return {
      type,
      help: firstSentence(describe(schema)),
      values: choices.flatMap(({ enum: values }) => values ?? []).filter((one) => typeof one === 'string'),
      properties: type === 'json' && all.length === 1 ? (all[0]?.properties ?? null) : null,
      isOpen:
        type === 'json' && all.some(({ additionalProperties: more }) => more !== undefined && more !== false),
    }
  }
}

const entry = ({ type, help, values }: Pick<Field, 'type' | 'help' | 'values'>): object => ({
  type,
  ...(help === '' ? {} : { help }),
  ...(values.length === 0 ? {} : { values }),
})

const describeOperation = (
  path: string,
  operation: OperationObject,
  schemas: Readonly<Record<string, Schema>>,
): object => {
  const fieldOf = fieldReader(schemas)
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const query = Object.fromEntries(
    inQuery.map(({ name = '', schema = {}, description }) => {
      const { type, values } = fieldOf(schema)
      // Ids and lists of ids are typed as text. Only an object is a parameter family.
      const isText = type === 'json' && schema.type !== 'object'
      return [name, entry({ type: isText ? 'string' : type, values, help: firstSentence(description) })]
    }),
  )
  const fieldsOf = (
    properties: Readonly<Record<string, Schema>>,
    prefix: string,
    depth: number,
  ): [string, object][] =>
    Object.entries(properties).flatMap(([name, schema]) => {
      const field = fieldOf(schema)
      const own: [string, object] = [`${prefix}${name}`, entry(field)]
      const inner =
        field.properties === null || depth === deepestField
          ? []
          : fieldsOf(field.properties, `${prefix}${name}.`, depth + 1)
      return [own, ...inner]
    })
  const content = operation.requestBody?.content ?? {}
  const body = resolve(content['application/json']?.schema ?? {})
  const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1]
  const answer = resolve(success?.content?.['application/json']?.schema ?? {})
  const listKey =
    answer.properties?.['TotalCount'] === undefined
      ? undefined
      : Object.entries(answer.properties).find(([, schema]) => resolve(schema).type === 'array')?.[0]
  const recordOf = ({ properties = {} }: Schema, key: string): Schema =>
    resolve(resolve(properties[key] ?? {}).items ?? {})
  /** `Name.*` stands for all fields of an object whose fields the description does not list. */
  const columnsOf = ({ properties = {} }: Schema, prefix: string, depth: number): string[] =>
    Object.entries(properties).flatMap(([name, schema]) => {
      const field = fieldOf(schema)
      const column = `${prefix}${name}`
      if (field.type !== 'json') return [column]
      if (field.properties === null || depth === deepestField) return [column, `${column}.*`]
      const inner = columnsOf({ properties: field.properties }, `${column}.`, depth + 1)
      return [column, ...(field.isOpen ? [`${column}.*`] : []), ...inner]
    })
  return {
    summary: operation.summary ?? '',
    path: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
      name,
      fieldOf(
        (operation.parameters ?? []).find((one) => one.in === 'path' && one.name === name)?.schema ?? {},
      ).type,
    ]),
    query,
    body: Object.fromEntries(fieldsOf(body.properties ?? {}, '', 1)),
    required: body.required ?? [],
    hasBody: operation.requestBody !== undefined,
    listKey: listKey ?? null,
    ...(listKey === undefined ? {} : { columns: columnsOf(recordOf(answer, listKey), '', 1) }),
  }
}

export const commandTable = (document: ApiDocument): string => {
  const schemas = document.components?.schemas ?? {}
  const lines = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap((operation) =>
      operation.operationId === undefined || !path.startsWith('/v3/')
        ? []
        : [`  ${operation.operationId}: ${JSON.stringify(describeOperation(path, operation, schemas))},`],
    ),
  )
  return `import type { OperationId } from '@zoetrope/sdk'
import type { Operation } from '../operations/operation.ts'

export const operations: Readonly<Record<OperationId, Operation>> = {
${lines.join('\n')}
}
`
}
