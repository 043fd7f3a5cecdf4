import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from './support/media.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
})

afterAll(async () => {
  await server.stop()
})

test('the committed openapi.json matches the server (npm run openapi writes it)', async () => {
  const committed = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8')) as object
  const { status, body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  expect(status).toBe(200)
  expect({ ...body, servers: [] }).toEqual({ ...committed, servers: [] })
})

interface Documented {
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly in?: string
    readonly name?: string
    readonly description?: string
  }[]
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        { readonly schema: { readonly examples?: readonly unknown[] }; readonly example?: unknown }
      >
    >
  }
}

const isShown = ({
  schema,
  example,
}: {
  schema: { examples?: readonly unknown[] }
  example?: unknown
}): boolean => schema.examples !== undefined || example !== undefined

test('every operation describes its purpose, its parameters and its body', async () => {
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  const unclear: string[] = []
  for (const methods of Object.values<Record<string, Documented & { operationId: string }>>(body.paths))
    for (const { operationId, ...operation } of Object.values(methods)) {
      if ((operation.summary ?? '').length < 8) unclear.push(`${operationId}: summary`)
      if ((operation.description ?? '').length < 15) unclear.push(`${operationId}: description`)
      for (const { in: place, name, description } of operation.parameters ?? [])
        if (place === 'query' && description === undefined) unclear.push(`${operationId}: parameter ${name}`)
      const json = operation.requestBody?.content['application/json']
      if (json !== undefined && !isShown(json)) unclear.push(`${operationId}: example of the body`)
    }
  expect(unclear).toEqual([])
})

interface Described {
  readonly components: object
  readonly paths: object
  readonly webhooks: object
}

const validatorOf = ({ components, paths, webhooks }: Described): Ajv2020 => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;(addFormats as unknown as FormatsPlugin)(ajv)
  ajv.addFormat('int32', true).addFormat('int64', true).addFormat('binary', true).addFormat('password', true)
  return ajv.addSchema({ $id: 'api', components, paths, webhooks })
}

interface Fields {
  readonly $ref?: string
  readonly type?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, Fields>>
  readonly items?: Fields
  readonly additionalProperties?: Fields | boolean
  readonly anyOf?: readonly Fields[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

const within = ({ items, additionalProperties, anyOf = [] }: Fields): Fields[] => [
  ...(items === undefined ? [] : [items]),
  ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ...anyOf,
]

/** Returns the paths of all fields without a description. A named schema describes itself. */
const unexplained = (schema: Fields, path: string): string[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = `${path}.${name}`
    const isExplained = (field.description ?? '').length >= 8 || field.$ref !== undefined
    return [...(isExplained ? [] : [own]), ...unexplained(field, own)]
  }),
  ...within(schema).flatMap((one) => unexplained(one, path)),
]

test('every field of every named schema has a description', async () => {
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  const schemas = Object.entries<Fields>(body.components.schemas)
  expect(schemas.length).toBeGreaterThan(80)
  expect(schemas.flatMap(([name, schema]) => unexplained(schema, name))).toEqual([])
})

test('a choice of values is an enum, not a union of constants', async () => {
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  const isConstant = (one: Fields): boolean => one.const !== undefined || one.enum?.length === 1
  const unions: string[] = []
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { anyOf = [] } = value as Fields
    if (Array.isArray(anyOf) && anyOf.filter(isConstant).length > 1) unions.push(path)
    for (const [key, inner] of Object.entries(value))
      if (key !== 'example' && key !== 'examples') look(inner, `${path}/${key}`)
  }
  look(body, '#')
  expect(unions).toEqual([])
})

test('every JSON body is a named schema, such as ProjectCreate', async () => {
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  const operations = Object.values<Record<string, Documented & { operationId: string }>>(body.paths).flatMap(
    (methods) => Object.values(methods),
  )
  const refs = operations.flatMap(({ operationId, requestBody }) => {
    const json = requestBody?.content['application/json']
    return json === undefined ? [] : [[operationId, (json.schema as Fields).$ref] as const]
  })
  expect(refs.filter(([, ref]) => ref === undefined)).toEqual([])
  const prefix = '#/components/schemas/'
  expect(Object.fromEntries(refs)).toMatchObject({
    createProject: `${prefix}ProjectCreate`,
    updateProject: `${prefix}ProjectUpdate`,
    createFile: `${prefix}FileCreate`,
    updateFile: `${prefix}FileUpdate`,
    updateFileMetadata: `${prefix}FileMetadataUpdate`,
    signIn: `${prefix}SignIn`,
  })
})

test('the methods of an upload URL need no API key and return the documented responses', async () => {
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  const methods = body.paths['/uploads/{token}'] as Record<
    string,
    { security: object[]; responses: Record<string, { headers?: object }> }
  >
  expect(Object.keys(methods).toSorted()).toEqual(['delete', 'head', 'options', 'patch', 'put'])
  for (const { security } of Object.values(methods)) expect(security).toEqual([])

  const project = (await server.call('POST', '/projects', { body: { Name: 'Uploads' } })).body.Id
  const file = { FileName: 'a.mp4', FileSize: 4 }
  const create = async (): Promise<string> =>
    (await server.call('POST', `/projects/${project}/files`, { body: file })).body.Upload.URI
  const tus = { 'Tus-Resumable': '1.0.0' }
  const patch = { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }
  const uri = await create()
  const sent = [
    ['put', await request(uri, 'PUT', { body: 'ab', headers: { 'Content-Range': 'bytes 0-1/4' } })],
    ['head', await request(uri, 'HEAD')],
    ['head', await request(uri, 'HEAD', { headers: tus })],
    ['options', await request(uri, 'OPTIONS')],
    ['patch', await request(await create(), 'PATCH', { body: 'ab', headers: patch })],
    ['delete', await request(await create(), 'DELETE', { headers: tus })],
  ] as const
  for (const [method, { status, headers }] of sent) {
    const answer = methods[method]?.responses[status]
    expect(answer, `${method} ${status}`).toBeDefined()
    const described = new Set(Object.keys(answer?.headers ?? {}).map((name) => name.toLowerCase()))
    const named = [...headers.keys()].filter(
      (name) => name.startsWith('upload-') || /^tus-(?!resumable)/.test(name),
    )
    expect(named.filter((name) => !described.has(name))).toEqual([])
  }
  expect(sent.map(([, { status }]) => status)).toEqual([200, 200, 200, 204, 204, 204])
})

test('every record has an example, and all examples match their schemas', async () => {
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  const ajv = validatorOf(body)
  const schemas = body.components.schemas as Record<string, { examples?: unknown[] }>
  const wrong = Object.entries(schemas).flatMap(([name, { examples = [] }]) => {
    const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` })
    if (examples.length === 0) return [`${name} has no example`]
    return examples
      .filter((example) => !validate(example))
      .map(() => `${name}: ${ajv.errorsText(validate.errors)}`)
  })
  expect(wrong).toEqual([])
})

test('the example of every event matches its schema', async () => {
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  const validate = validatorOf(body).compile({
    type: 'array',
    items: { $ref: 'api#/components/schemas/Event' },
    minItems: 1,
  })
  const events = Object.entries<{
    post: { requestBody: { content: Record<string, { example?: unknown }> } }
  }>(body.webhooks)
  expect(events.length).toBeGreaterThan(25)
  for (const [name, { post }] of events) {
    const example = post.requestBody.content['application/json']?.example
    expect(validate(example), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
  }
})

interface Exemplified {
  readonly schema?: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
}

/** Yields the examples of each body, header and parameter, with the JSON pointer of its schema. */
function* examplesIn(value: unknown, pointer = ''): Generator<{ pointer: string; example: unknown }> {
  if (typeof value !== 'object' || value === null) return
  const { schema, example, examples } = value as Exemplified
  if (typeof schema === 'object') {
    const own = `${pointer}/schema`
    if (example !== undefined) yield { pointer: own, example }
    for (const one of Object.values(examples ?? {})) yield { pointer: own, example: one.value }
  }
  for (const [key, inner] of Object.entries(value))
    if (key !== 'example' && key !== 'examples')
      yield* examplesIn(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

// Spectral has this rule (oas3-valid-media-example), but compiles the schema of each example with all that it
// refers to: 14 of its 19 seconds of CPU.
test('the example of every body, header and parameter matches its schema', async () => {
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  const ajv = validatorOf(body)
  const { components, paths, webhooks } = body as Described
  const found = [...examplesIn({ components, paths, webhooks })]
  expect(found.length).toBeGreaterThan(250)
  const wrong = found.flatMap(({ pointer, example }) => {
    const validate = ajv.compile({ $ref: `api#${encodeURI(pointer)}` })
    return validate(example) ? [] : [`${pointer}: ${ajv.errorsText(validate.errors)}`]
  })
  expect(wrong).toEqual([])
})

const folder = fileURLToPath(new URL('..', import.meta.url))

/** Runs a command line tool of a package and returns its output, whatever its exit code. */
const run = async (tool: string, args: readonly string[], cwd = folder): Promise<string> => {
  const program = createRequire(import.meta.url).resolve(tool)
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    cwd,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  }).catch((error: unknown) => error as { stdout: string })
  return stdout
}

const redocly = '@redocly/cli/bin/cli.js'

test('openapi.json passes the strict rules of Redocly', async () => {
  const printed = await run(redocly, ['lint', 'openapi.json', '--config', 'redocly.yaml', '--format', 'json'])
  expect(JSON.parse(printed).problems).toEqual([])
})

test('openapi.json passes the rules of Spectral and OWASP without warnings, except those that openapi.spectral.yaml excludes', async () => {
  const printed = await run('@stoplight/spectral-cli/dist/index.js', [
    'lint',
    'openapi.json',
    '--ruleset',
    'openapi.spectral.yaml',
    '--quiet',
    '--format',
    'json',
  ])
  expect(JSON.parse(printed)).toEqual([])
  // Takes seconds for a megabyte alone, and much longer beside other tests on two cores.
})

test('the workflow of upload-to-playlist.arazzo.yaml runs against the server, and every response matches openapi.json', async () => {
  const workflows = await mkdtemp(join(tmpdir(), 'zoetrope-arazzo-'))
  for (const name of ['openapi.json', 'upload-to-playlist.arazzo.yaml', 'redocly.yaml'])
    await copyFile(join(folder, name), join(workflows, name))
  await writeFile(join(workflows, 'sample.mp4'), await makeSample({ seconds: 4 }))
  const printed = await run(
    redocly,
    [
      'respect',
      'upload-to-playlist.arazzo.yaml',
      '--input',
      `apiKey=${server.apiKey}`,
      '--server',
      `zoetrope=${server.url}`,
      '--json-output',
      'report.json',
    ],
    workflows,
  )
  const report = JSON.parse(await readFile(join(workflows, 'report.json'), 'utf8'))
  await rm(workflows, { recursive: true })
  expect(report.status, printed).toBe('success')
  const [{ executedSteps }] = report.files['upload-to-playlist.arazzo.yaml'].executedWorkflows
  expect(executedSteps.length).toBeGreaterThanOrEqual(10)
})
