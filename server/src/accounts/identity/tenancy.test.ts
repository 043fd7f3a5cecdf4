import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { callOperation, listOperations } from './test-support/operations.ts'
import { newPerson } from './test-support/people.ts'
import { makeRecords, unknownIds, type Ids } from './test-support/records.ts'

let server: TestServer
let stranger: string
let ids: Ids

beforeAll(async () => {
  server = await startTestServer()
  ids = await makeRecords(server)
  stranger = await server.newKey({ inNewAccount: true })
})

afterAll(() => server.stop())

/** Returns the message without the requested ids. */
const masked = (message: string, asked: Ids): string =>
  Object.values(asked).reduce<string>(
    (text, id) => text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#'),
    message,
  )

test('every operation on a record of another account answers 404, with the message for a missing one', async () => {
  const onRecords = (await listOperations(server)).filter(({ parameters }) => parameters.length > 0)
  expect(onRecords.length).toBeGreaterThan(40)
  for (const operation of onRecords) {
    const foreign = await callOperation(server, operation, { ids, apiKey: stranger })
    const unknown = await callOperation(server, operation, { ids: unknownIds, apiKey: stranger })
    expectProblem(foreign, 'not_found')
    expect(masked(foreign.body.error.message, ids)).toBe(masked(unknown.body.error.message, unknownIds))
  }
})

test('a session finds no more of another account than an API key', async () => {
  const { cookie, csrfToken } = await newPerson(server, { apiKey: stranger })
  const headers = { Cookie: cookie, 'X-CSRF-Token': csrfToken }
  for (const operation of (await listOperations(server)).filter(({ parameters }) => parameters.length > 0))
    expectProblem(await callOperation(server, operation, { ids, apiKey: null, headers }), 'not_found')
})

test('a file of another account is not found through an own project', async () => {
  const { body: own } = await server.call('POST', '/projects', { body: { Name: 'Own' }, apiKey: stranger })
  for (const method of ['GET', 'DELETE'])
    expectProblem(
      await server.call(method, `/projects/${own.Id}/files/${ids['fileId']}`, { apiKey: stranger }),
      'not_found',
    )
  expectProblem(
    await server.call('PUT', `/projects/${own.Id}/files/${ids['fileId']}`, { apiKey: stranger, body: {} }),
    'not_found',
  )
  const list = await server.call('GET', `/projects/${own.Id}/files`, { apiKey: stranger })
  expect(list.body).toMatchObject({ Files: [], TotalCount: 0 })
})

test('a file is not found through another project of the same account', async () => {
  const { body: other } = await server.call('POST', '/projects', { body: { Name: 'Other' } })
  for (const method of ['GET', 'DELETE'])
    expectProblem(await server.call(method, `/projects/${other.Id}/files/${ids['fileId']}`), 'not_found')
  expectProblem(
    await server.call('PUT', `/projects/${other.Id}/files/${ids['fileId']}`, { body: {} }),
    'not_found',
  )
})

test('lists contain nothing of another account', async () => {
  for (const path of ['/projects', '/modules/notifications', '/apikeys']) {
    const { body } = await server.call('GET', path, { apiKey: stranger })
    expect(JSON.stringify(body)).not.toMatch(/Secret/)
    expect(body.TotalCount).toBe(path === '/modules/notifications' ? 0 : 1)
  }
})

test('ids of another account in a body are unknown ids', async () => {
  const projectId = ids['projectId']
  const webhook = { TargetURL: server.url, EventTypes: ['*'], ProjectId: projectId }
  expectProblem(
    await server.call('POST', '/modules/notifications', { body: webhook, apiKey: stranger }),
    'invalid',
  )
  expectProblem(
    await server.call('POST', '/apikeys', {
      body: { Label: 'a', ProjectIds: [projectId] },
      apiKey: stranger,
    }),
    'invalid',
  )
})

test('the records of the first account are unchanged after all of this', async () => {
  expect((await server.call('GET', `/projects/${ids['projectId']}`)).body).toMatchObject({
    Name: 'Secret project',
    FileCount: 1,
  })
  expect((await server.call('GET', `/projects/${ids['projectId']}/files/${ids['fileId']}`)).status).toBe(200)
  const { body } = await server.call('GET', '/apikeys')
  expect(body.ApiKeys.every(({ RevokedAt }: { RevokedAt: unknown }) => RevokedAt === null)).toBe(true)
})
