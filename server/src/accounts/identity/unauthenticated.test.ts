import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { rawRequest } from '../../platform/http/test-support/raw-request.ts'
import { listOperations, type Operation } from './test-support/operations.ts'
import { makeRecords, type Ids } from './test-support/records.ts'

let server: TestServer
let operations: Operation[]
let ids: Ids

beforeAll(async () => {
  server = await startTestServer()
  operations = await listOperations(server)
  ids = await makeRecords(server)
})

afterAll(() => server.stop())

const pathOf = ({ path }: Operation, named: Ids = ids): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => String(named[name]))

/** Every request also has another fault, which must stay unchecked. */
const faults: Record<string, (operation: Operation) => Promise<Answer | null>> = {
  'nothing wrong': ({ method, ...operation }) => request(server.url + pathOf(operation as Operation), method),
  'a forged key': (operation) =>
    request(server.url + pathOf(operation), operation.method, { apiKey: 'eyJhbGciOiJub25lIn0.e30.' }),
  'ids that are none': (operation) => {
    const wrong = Object.fromEntries(operation.parameters.map((name) => [name, '0x']))
    return request(server.url + pathOf(operation, wrong), operation.method)
  },
  'a query that is none': (operation) =>
    request(`${server.url}${pathOf(operation)}?limit=0&offset=-1&cursor=a&orderBy=a`, operation.method),
  'a method that the path does not take': (operation) =>
    request(server.url + pathOf(operation), 'PATCH', { body: {} }),
  'a body that is no JSON': (operation) =>
    operation.method === 'GET'
      ? Promise.resolve(null)
      : request(server.url + pathOf(operation), operation.method, {
          body: '{',
          headers: { 'Content-Type': 'application/json' },
        }),
  'a content type that nothing takes': (operation) =>
    operation.method === 'GET'
      ? Promise.resolve(null)
      : request(server.url + pathOf(operation), operation.method, {
          body: 'a',
          headers: { 'Content-Type': 'application/x-nothing' },
        }),
  'a body that is announced as 50 GB': (operation) =>
    rawRequest(
      server.url,
      `${operation.method} ${pathOf(operation)} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50000000000\r\nConnection: close\r\n\r\n`,
    ),
}

test.each(Object.keys(faults))(
  'without a live key every operation answers 401 to a request with %s',
  async (name) => {
    const failures: string[] = []
    for (const operation of operations) {
      const answer = await faults[name]?.(operation)
      if (answer == null) continue
      if (answer.status === 401) expectProblem(answer, 'unauthorized')
      else failures.push(`${operation.id}: ${answer.status}`)
      if (answer.headers.get('www-authenticate') !== 'Bearer realm="Zoetrope"')
        failures.push(`${operation.id}: no WWW-Authenticate`)
    }
    expect(failures).toEqual([])
  },
)

test('none of these requests has changed anything', async () => {
  const after = await server.call('GET', `/projects/${ids['projectId']}`)
  expect(after.body).toMatchObject({ Name: 'Secret project', FileCount: 1 })
  expect((await server.call('GET', `/projects/${ids['projectId']}/files/${ids['fileId']}`)).status).toBe(200)
  expect((await server.call('GET', `/users/${ids['userId']}`)).status).toBe(200)
})
