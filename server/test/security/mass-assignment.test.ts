import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callOperation, listOperations } from '../../src/accounts/identity/test-support/operations.ts'
import { makeRecords, type Ids } from '../../src/accounts/identity/test-support/records.ts'
import type { OpenApiDocument, Schema } from '../support/openapi-document.ts'
import { request, startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let ids: Ids
let otherAccountId: number

beforeAll(async () => {
  server = await startTestServer()
  ids = await makeRecords(server)
  await server.newKey({ inNewAccount: true })
  const { max } = await server.services.database.kysely
    .selectFrom('accounts')
    .select((where) => where.fn.max('id').as('max'))
    .executeTakeFirstOrThrow()
  otherAccountId = max
})

afterAll(() => server.stop())

const planted = { number: 424_242, text: 'planted-text', instant: '2001-01-01T00:00:00.000Z' }

/** Names that code might copy from a body to a row or to the prototype of an object. */
const internalNames = (): object => ({
  account_id: otherAccountId,
  accountId: otherAccountId,
  AccountId: otherAccountId,
  id: planted.number,
  version: planted.number,
  state: planted.text,
  record: planted.text,
  deleted_at: planted.instant,
  storage_bytes: planted.number,
  password_hash: planted.text,
  sealed_secret: planted.text,
  constructor: { prototype: { isAdministrator: true } },
  ...(JSON.parse('{"__proto__": {"isAdministrator": true, "account_id": 1}}') as object),
})

/** Returns every field of every record with a unique value. */
const fieldsOfRecords = (document: OpenApiDocument): Record<string, unknown> => {
  const valueOf = ({ type, format }: Schema): unknown => {
    const types = [type].flat()
    if (types.includes('boolean')) return true
    if (types.includes('integer') || types.includes('number')) return planted.number
    if (types.includes('array')) return []
    if (types.includes('object')) return {}
    return format === 'date-time' ? planted.instant : planted.text
  }
  return Object.fromEntries(
    Object.values(document.components.schemas).flatMap(({ properties = {} }) =>
      Object.entries(properties).map(([name, property]) => [name, valueOf(property)]),
    ),
  )
}

const rowsOfOtherAccount = async (): Promise<Record<string, number>> => {
  const { database } = server.services
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'account_id'`.execute(
    database.kysely,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(name)} where account_id = ${otherAccountId}`.execute(
      database.kysely,
    )
    counts[name] = rows[0]?.count ?? 0
  }
  return counts
}

test('no operation sets a field that its body must not set: neither in the response, the record nor another account', async () => {
  const document = (await request(`${server.url}/v3/openapi.json`, 'GET')).body as OpenApiDocument
  const extras = { ...fieldsOfRecords(document), ...internalNames() }
  expect(Object.keys(extras).length).toBeGreaterThan(60)
  const before = await rowsOfOtherAccount()
  const writers = (await listOperations(server)).filter(
    ({ method, id }) => (method === 'POST' || method === 'PUT') && !/^(delete|revoke)/.test(id),
  )
  const taken: string[] = []
  for (const operation of writers) {
    // Fields that the operation accepts keep their own values.
    const own = new Set(namesTaken(document, operation.id))
    const hostile = Object.fromEntries(Object.entries(extras).filter(([name]) => !own.has(name)))
    const { status, body } = await callOperation(server, operation, {
      ids,
      apiKey: server.apiKey,
      extras: hostile,
    })
    const text = JSON.stringify(body)
    if (status >= 500) taken.push(`${operation.id}: ${status}`)
    if (status < 300 && /424242|planted-text|2001-01-01T00/.test(text)) taken.push(`${operation.id}: ${text}`)
  }
  expect(taken).toEqual([])
  expect(await rowsOfOtherAccount()).toEqual(before)
  expect('isAdministrator' in {}).toBe(false)
  for (const path of ['/projects', '/users', '/apikeys', '/modules/playlists', '/modules/notifications'])
    expect(JSON.stringify((await server.call('GET', path)).body)).not.toMatch(
      /424242|planted-text|2001-01-01T00/,
    )
})

const namesTaken = (document: OpenApiDocument, operationId: string): string[] => {
  const operation = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find((one) => one.operationId === operationId)
  const collect = (schema: Schema | undefined): string[] => {
    if (schema === undefined) return []
    const name = schema.$ref?.split('/').at(-1)
    const {
      properties = {},
      allOf = [],
      anyOf = [],
      oneOf = [],
    } = name === undefined ? schema : (document.components.schemas[name] ?? {})
    return [...Object.keys(properties), ...[...allOf, ...anyOf, ...oneOf].flatMap(collect)]
  }
  return Object.values(operation?.requestBody?.content ?? {}).flatMap(({ schema }) => collect(schema))
}
