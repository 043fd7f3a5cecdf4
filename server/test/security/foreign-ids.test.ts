import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRecords, unknownIds, type Ids } from '../../src/accounts/identity/test-support/records.ts'
import {
  apiOperationsOf,
  resolveSchema,
  type OpenApiDocument,
  type Operation,
  type Schema,
} from '../support/openapi-document.ts'
import { request, startTestServer, type Answer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let document: OpenApiDocument
let stranger: string
let foreign: Ids
let own: Ids

beforeAll(async () => {
  server = await startTestServer()
  document = (await request(`${server.url}/v3/openapi.json`, 'GET')).body as OpenApiDocument
  stranger = await server.newKey({ inNewAccount: true })
  foreign = await makeRecords(server)
  own = await makeRecords({
    ...server,
    call: (method, path, options) => server.call(method, path, { apiKey: stranger, ...options }),
  })
})

afterAll(() => server.stop())

/**
 * Record type that a field refers to, by the end of its path. Free identifiers of the caller, such as
 * `CustomId`, are excluded.
 */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/ProjectIds?$|projectId$/, 'projectId'],
  [/FileIds?$|fileId$/, 'fileId'],
  [/UserIds?$|userId$/, 'userId'],
  [/(^|\.)Category\[\]\.Id$|categoryId$/, 'categoryId'],
  [/(^|\.)Videotype\[\]\.Id$|videotypeId$/, 'videotypeId'],
  [/(^|\.)Share\[\]\.Id$/, 'shareId'],
  [/^listProjects\?ids$/, 'projectId'],
  [/^list(All)?Files\?ids$/, 'fileId'],
  [/^listCatalogUsage\?ids$/, 'categoryId'],
]
const notOurs =
  /(Custom|External|external|Program|program|IAB|Client|Tenant|request|subject)Id$|IABCategory\[\]\.Id$/

/** Returns paths such as `Metadata.Category[].Id` for all writable fields. */
const writablePaths = (schema: Schema | undefined, path = ''): string[] => {
  if (schema === undefined) return []
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = resolveSchema(document, schema)
  return [
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => writablePaths(one, path)),
    ...writablePaths(items, `${path}[]`),
    ...Object.entries(properties).flatMap(([name, property]) => {
      const inner = path === '' ? name : `${path}.${name}`
      return [inner, ...writablePaths(property, inner)]
    }),
  ]
}

interface Field {
  readonly operation: Operation
  /** `createFile.Metadata.Category[].Id` or `listFiles?ids`. */
  readonly name: string
  readonly path: string
  readonly isQuery: boolean
}

const isId = (name: string): boolean => /(Id|Ids|Uuid|\?ids)$/.test(name) && !notOurs.test(name)

const fieldsOf = (operation: Operation): Field[] => {
  const content = operation.requestBody?.content['application/json']
  const inBody = [...new Set(writablePaths(content?.schema))].map((path) => ({
    operation,
    name: `${operation.operationId}.${path}`,
    path,
    isQuery: false,
  }))
  const inQuery = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => ({ operation, name: `${operation.operationId}?${name}`, path: name, isQuery: true }))
  return [...inBody, ...inQuery].filter(({ name }) => isId(name))
}

const least: Readonly<Record<string, () => object>> = {
  createFile: () => ({ FileName: 'a.mp4' }),
  createClip: () => ({ StartTime: 0, EndTime: 1 }),
  createPlaylist: () => ({ Name: 'a' }),
  createUser: () => ({ Email: `${crypto.randomUUID()}@example.com`, Role: 'Reader' }),
  createApiKey: () => ({ Label: 'a' }),
  createWebhook: () => ({ TargetURL: 'https://example.com', EventTypes: ['*'] }),
}

const siblings: Readonly<Record<string, object>> = { ProjectRoles: { Role: 'Reader' } }

/** Returns, for example, `{ Metadata: { Category: [{ Id }] } }`. */
const bodyWith = (path: string, id: number | string): object => {
  const [name = '', ...rest] = path.split('.')
  const isList = name.endsWith('[]')
  const key = name.replace('[]', '')
  if (rest.length === 0) return { [key]: key.endsWith('Ids') ? [id] : id }
  const inner = { ...siblings[key], ...bodyWith(rest.join('.'), id) }
  return { [key]: isList ? [inner] : inner }
}

const send = ({ operation, path, isQuery }: Field, id: number | string): Promise<Answer> => {
  const address = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => String(own[name]))
  const query = isQuery ? `?${path}=${id}` : ''
  return request(server.url + address + query, operation.method, {
    apiKey: stranger,
    ...(isQuery ? {} : { body: { ...least[operation.operationId]?.(), ...bodyWith(path, id) } }),
  })
}

/** Masks the request id and all numbers, because the response may repeat the requested id. */
const answerText = ({ status, body }: Answer): string =>
  `${status} ${JSON.stringify({ ...body.error, requestId: '' }).replaceAll(/\b\d+\b/g, '#')}`

test('every field and filter treats an id of another account as missing', async () => {
  const fields = apiOperationsOf(document).flatMap(fieldsOf)
  expect(fields.length).toBeGreaterThan(25)
  const differing: string[] = []
  for (const field of fields) {
    const kind = kinds.find(([pattern]) => pattern.test(field.name))?.[1]
    if (kind === undefined) {
      differing.push(`${field.name}: say in \`kinds\` which record it names`)
      continue
    }
    const [id = 0, unknown = 0] = [foreign[kind], unknownIds[kind]]
    const answer = await send(field, id)
    const expected = answerText(await send(field, unknown))
    if (answerText(answer) !== expected)
      differing.push(`${field.name}: ${answerText(answer)}, not ${expected}`)
    // An event stream starts without events, and a sum over nothing is 0.
    const { body } = answer
    const isNothing =
      body === '' ||
      [body.TotalCount, body.FileCount, body.Total, body.Viewers, body.Groups?.length].includes(0)
    const isEmpty = field.isQuery && isNothing
    if (answer.status < 300 && !isEmpty) differing.push(`${field.name}: ${answer.status}`)
  }
  expect(differing).toEqual([])
})
