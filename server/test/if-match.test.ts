import { afterAll, beforeAll, expect, test } from 'vitest'
import { callOperation, inOrder, listOperations } from '../src/accounts/identity/test-support/operations.ts'
import { makeRecords, type Ids } from '../src/accounts/identity/test-support/records.ts'
import {
  startIdentityProvider,
  testAudience,
  testClient,
  type TestIdentityProvider,
} from '../src/accounts/partners/test-support/identity-provider.ts'
import { apiOperationsOf, type OpenApiDocument } from './support/openapi-document.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
let document: OpenApiDocument
let ids: Ids
let provider: TestIdentityProvider

beforeAll(async () => {
  server = await startTestServer()
  document = (await request(`${server.url}/v3/openapi.json`, 'GET')).body as OpenApiDocument
  ids = await makeRecords(server)
  provider = await startIdentityProvider()
  const body = {
    Issuer: provider.issuer,
    ClientId: testClient.id,
    ClientSecret: testClient.secret,
    Scope: 'webhooks/send',
    Audience: testAudience,
  }
  const { status } = await server.call('PUT', '/modules/partners/identityprovider', { body })
  expect(status).toBe(200)
})

afterAll(async () => {
  await server.stop()
  await provider.close()
})

const ifMatchRef = '#/components/parameters/If-Match'

test('an operation answers 412 to an old If-Match exactly where openapi.json declares the header', async () => {
  const declared = new Set(
    apiOperationsOf(document)
      .filter(({ parameters = [] }) => parameters.some(({ $ref }) => $ref === ifMatchRef))
      .map(({ operationId }) => operationId),
  )
  const writers = (await listOperations(server)).filter(({ method }) => method !== 'GET').toSorted(inOrder)
  const wrong: string[] = []
  for (const operation of writers) {
    const { status } = await callOperation(server, operation, {
      ids,
      apiKey: server.apiKey,
      headers: { 'If-Match': '"0-0"' },
    })
    if ((status === 412) !== declared.has(operation.id)) wrong.push(`${operation.id}: ${status}`)
  }
  expect(wrong).toEqual([])
  expect(declared.size).toBeGreaterThan(25)
})
