import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import {
  callOperation,
  listOperations,
  type Operation,
} from '../../../accounts/identity/test-support/operations.ts'
import { makeRecords, type Ids } from '../../../accounts/identity/test-support/records.ts'

let server: TestServer
let ids: Ids
let operations: Operation[]

beforeAll(async () => {
  server = await startTestServer()
  ids = await makeRecords(server)
  operations = await listOperations(server)
})

afterAll(() => server.stop())

const eventsAfter = async (eventId: number): Promise<{ Event: string; EventId: number }[]> =>
  (await server.call('GET', `/events?after=${eventId}&limit=500`)).body.Events

/** Emits a marker event that ends the list of earlier events. */
const markEvents = async (): Promise<number> => {
  await server.call('POST', '/projects', { body: { Name: 'Mark' } })
  return (await eventsAfter(0)).at(-1)?.EventId ?? 0
}

/**
 * These operations always have an effect: they replace media, or contact the identity provider, which is
 * missing here.
 */
const others = new Set(['replaceFile', 'connectIdentityProvider'])

const wholeRecords = (): { put: Operation; get: Operation }[] =>
  operations.flatMap((put) => {
    const get = operations.find(({ method, path }) => method === 'GET' && path === put.path)
    return put.method === 'PUT' && !others.has(put.id) && get !== undefined ? [{ put, get }] : []
  })

/** Every request updates the last use of the caller's own key. */
const withoutUse = (record: unknown): unknown =>
  JSON.parse(JSON.stringify(record, (name, value: unknown) => (name === 'LastUsedAt' ? null : value)))

test('a PUT without changes keeps version and time and emits no event, for every record that can be updated', async () => {
  const records = wholeRecords()
  expect(records.length).toBeGreaterThanOrEqual(10)
  const call = (operation: Operation, body?: object) =>
    callOperation(server, operation, { ids, apiKey: server.apiKey, ...(body === undefined ? {} : { body }) })
  const mark = await markEvents()
  for (const { put, get } of records) {
    const before = await call(get)
    expect(before.status, get.id).toBe(200)
    for (const body of [{}, before.body as object]) {
      const after = await call(put, body)
      expect([put.id, after.status, withoutUse(after.body)]).toEqual([put.id, 200, withoutUse(before.body)])
      expect([put.id, after.headers.get('etag')]).toEqual([put.id, before.headers.get('etag')])
    }
  }
  await server.call('POST', '/projects', { body: { Name: 'End' } })
  expect((await eventsAfter(mark)).map(({ Event }) => Event)).toEqual(['project.new'])
})

test('a change to the current values counts as no change', async () => {
  for (const { id, path, body } of [
    { id: 'projectId', path: '/projects', body: { AllowedDomains: ['a.example.com'], StorageQuotaBytes: 5 } },
    { id: 'projectId', path: '/projects', body: { EncoderSettings: { EncodingPriority: 20 } } },
    { id: 'playlistId', path: '/modules/playlists', body: { Elements: [ids['fileId']] } },
    {
      id: 'webhookId',
      path: '/modules/notifications',
      body: { CustomHeaders: { 'X-A': '1' }, IsEnabled: true },
    },
    {
      id: 'userId',
      path: '/users',
      body: { ProjectRoles: [{ ProjectId: ids['projectId'], Role: 'SeniorEditor' }] },
    },
  ]) {
    const url = `${path}/${ids[id]}`
    const first = await server.call('PUT', url, { body })
    expect([url, first.status, JSON.stringify(first.body)]).toEqual([url, 200, expect.any(String)])
    expect((await server.call('PUT', url, { body })).body).toEqual(first.body)
  }
})
