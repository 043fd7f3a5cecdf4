interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly $ref?: string
    readonly in?: string
    readonly name?: string
    readonly required?: boolean
    readonly description?: string
    readonly schema?: Schema
  }[]
  readonly requestBody?: Body
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const withoutNull = ({ anyOf = [] }: Schema): readonly Schema[] => anyOf.filter(({ type }) => type !== 'null')

/** Unwraps nullable values and lists with one kind of element. */
const inner = (schema: Schema): Schema => {
  const [only, ...others] = withoutNull(schema)
  if (only !== undefined && others.length === 0) return inner(only)
  if (schema.type === 'array' && schema.items !== undefined) return inner(schema.items)
  return schema
}

const typeOf = (schema: Schema): string => {
  const { $ref, anyOf, allOf, items, type, format } = schema
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  const union = anyOf ?? allOf
  if (union !== undefined) return [...new Set(union.map(typeOf))].join(' or ')
  if (type === 'array') return `array of ${items === undefined ? 'anything' : typeOf(items)}`
  if (type === undefined) return 'anything'
  const name = typeof type === 'string' ? type : type.join(' or ')
  return format === undefined || format.startsWith('int') ? name : `${name} (${format})`
}

const describe = (schema: Schema): string =>
  schema.description ??
  withoutNull(schema).find(({ description }) => description !== undefined)?.description ??
  ''

/** One table row per field. Nested fields have a path such as `Properties.Length`. */
const rowsOf = (schema: Schema, path = ''): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true
    const row = `| \`${path}${name}\` | ${cell(typeOf(field))}${isRequired ? '' : ', optional'} | ${cell(describe(field))} |`
    return [row, ...rowsOf(inner(field), `${path}${name}.`)]
  })

const table = (heads: string, rows: readonly string[]): string[] =>
  rows.length === 0 ? [] : [heads, '|---|---|---|', ...rows, '']

const generated =
  '`npm run openapi` generates this page. A running Zoetrope serves the OpenAPI description at `/v3/openapi.json`.'

/** docs/api-records.md: every field of every record of the API. */
export const recordsPage = ({ components }: OpenApi): string =>
  [
    '# API records',
    '',
    `All records of the API with their fields. ${generated}`,
    '',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [
      `## ${name}`,
      '',
      ...(schema.description === undefined ? [] : [schema.description, '']),
      ...table('| field | type | description |', rowsOf(schema)),
    ]),
  ].join('\n')

const bodyRows = (body: Body | undefined): string[] => {
  const schema = body?.content?.['application/json']?.schema
  if (schema === undefined) return []
  return [schema, ...(schema.anyOf ?? [])].flatMap((one) => rowsOf(one))
}

const parameterRows = ({ parameters = [] }: Operation): string[] =>
  parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, schema = {}, description = '' }) => {
      const type = `${typeOf(schema)}${required === true ? '' : ', optional'}`
      return `| \`${name}\` | ${cell(type)} | ${cell(description)} |`
    })

/** docs/api-operations.md: every operation with its query parameters and the fields of its JSON body. */
export const operationsPage = ({ paths }: OpenApi): string => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'Others'))]
  return [
    '# API operations',
    '',
    `All operations of the API with their query parameters and JSON body fields. ${generated}`,
    '[API records](api-records.md) describes the responses. [The reference](http://localhost:8080/reference) lets you try the operations.',
    '',
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      '',
      ...operations
        .filter(({ operation }) => (operation.tags?.[0] ?? 'Others') === tag)
        .flatMap(({ path, method, operation }) => [
          `### ${operation.summary}`,
          '',
          `\`${method} ${path}\` (\`${operation.operationId}\`)`,
          '',
          ...(operation.description === undefined ? [] : [operation.description, '']),
          ...table('| query parameter | type | description |', parameterRows(operation)),
          ...table('| field of the body | type | description |', bodyRows(operation.requestBody)),
        ]),
    ]),
  ].join('\n')
}

/** docs/events.md: every event with a complete example of its request body. */
export const eventsPage = ({ webhooks }: OpenApi): string =>
  [
    '# Events',
    '',
    'All events that Zoetrope sends, each with the body of an example request. [Receive webhooks](receive-webhooks.md) shows how to subscribe,',
    `and [Webhooks](webhooks.md) how events are delivered. ${generated}`,
    '',
    'The body is an array with one event. Each event contains the record at that moment. New events and fields may be added: ignore those that you do not know.',
    '',
    '| event | sent when |',
    '|---|---|',
    ...Object.entries(webhooks).map(
      ([name, { post }]) => `| [\`${name}\`](#${name.replace('.', '')}) | ${cell(post.summary)} |`,
    ),
    '',
    ...Object.entries(webhooks).flatMap(([name, { post }]) => [
      `## ${name}`,
      '',
      post.summary,
      '',
      '```json',
      JSON.stringify(post.requestBody?.content?.['application/json']?.example, null, 2),
      '```',
      '',
    ]),
  ].join('\n')

export const referencePages = (document: OpenApi): Readonly<Record<string, string>> => ({
  'api-operations.md': operationsPage(document),
  'api-records.md': recordsPage(document),
  'events.md': eventsPage(document),
})
