import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { expectProblem } from '../http/test-support/expect-problem.ts'
import type { Role } from '../kernel/db/tables.ts'
import { callOperation, listOperations, type Operation } from './test-support/operations.ts'

let server: TestServer
let operations: Operation[]

beforeAll(async () => {
  server = await startTestServer()
  operations = await listOperations(server)
})

afterAll(() => server.stop())

const roles: Role[] = ['Reader', 'Uploader', 'JuniorEditor', 'SeniorEditor', 'Administrator']

/** spec.md section 2: the least role and the scope for every operation there is. */
const needs: Record<string, [Role, string]> = {
  listProjects: ['Reader', 'projects:read'],
  getProject: ['Reader', 'projects:read'],
  createProject: ['Administrator', 'projects:write'],
  updateProject: ['Administrator', 'projects:write'],
  deleteProject: ['Administrator', 'projects:write'],
  listFiles: ['Reader', 'files:read'],
  getFile: ['Reader', 'files:read'],
  listPlayouts: ['Reader', 'files:read'],
  createFile: ['Uploader', 'files:upload'],
  updateFile: ['JuniorEditor', 'files:write'],
  updateFileMetadata: ['JuniorEditor', 'files:write'],
  deleteFile: ['SeniorEditor', 'files:delete'],
  listCategories: ['Reader', 'catalog:read'],
  getCategory: ['Reader', 'catalog:read'],
  createCategory: ['Administrator', 'catalog:write'],
  updateCategory: ['Administrator', 'catalog:write'],
  deleteCategory: ['Administrator', 'catalog:write'],
  listVideotypes: ['Reader', 'catalog:read'],
  getVideotype: ['Reader', 'catalog:read'],
  createVideotype: ['Administrator', 'catalog:write'],
  updateVideotype: ['Administrator', 'catalog:write'],
  deleteVideotype: ['Administrator', 'catalog:write'],
  listShares: ['Reader', 'catalog:read'],
  getShare: ['Reader', 'catalog:read'],
  createShare: ['Administrator', 'catalog:write'],
  updateShare: ['Administrator', 'catalog:write'],
  deleteShare: ['Administrator', 'catalog:write'],
  listIabCategories: ['Reader', 'catalog:read'],
  listWebhooks: ['Administrator', 'webhooks:read'],
  getWebhook: ['Administrator', 'webhooks:read'],
  listDeliveries: ['Administrator', 'webhooks:read'],
  getDelivery: ['Administrator', 'webhooks:read'],
  createWebhook: ['Administrator', 'webhooks:write'],
  updateWebhook: ['Administrator', 'webhooks:write'],
  deleteWebhook: ['Administrator', 'webhooks:write'],
  rotateWebhookSecret: ['Administrator', 'webhooks:write'],
  testWebhook: ['Administrator', 'webhooks:write'],
  redeliver: ['Administrator', 'webhooks:write'],
  listApiKeys: ['Administrator', 'keys:read'],
  createApiKey: ['Administrator', 'keys:write'],
  revokeApiKey: ['Administrator', 'keys:write'],
}

/** Nothing of this exists, so that an allowed call changes nothing and the next one meets the same state. */
const unknownIds = {
  projectId: 999_999,
  fileId: 999_999,
  categoryId: 999_999,
  videotypeId: 999_999,
  shareId: 999_999,
  webhookId: 999_999,
  deliveryId: 999_999,
  keyUuid: '00000000-0000-4000-8000-000000000000',
}

const operationsOpenTo = async (apiKey: string): Promise<string[]> => {
  const open: string[] = []
  for (const operation of operations) {
    const answer = await callOperation(server, operation, { ids: unknownIds, apiKey })
    if (answer.status === 403) expectProblem(answer, 'forbidden')
    else {
      expect(`${operation.id} ${answer.status}`).toMatch(/ (200|201|404)$/)
      open.push(operation.id)
    }
  }
  return open.sort()
}

const operationsWith = (isAllowed: (role: Role, scope: string) => boolean): string[] =>
  Object.keys(needs)
    .filter((id) => isAllowed(...(needs[id] ?? ['Administrator', ''])))
    .sort()

test('every operation of the API has its role and scope in this table', () => {
  expect(operations.map(({ id }) => id).sort()).toEqual(Object.keys(needs).sort())
})

test.each(roles)('%s may do exactly what the role allows', async (role) => {
  const apiKey = await server.newKey({ role })
  expect(await operationsOpenTo(apiKey)).toEqual(
    operationsWith((least) => roles.indexOf(least) <= roles.indexOf(role)),
  )
})

test.each([...new Set(Object.values(needs).map(([, scope]) => scope))])(
  'the scope %s opens exactly its operations',
  async (scope) => {
    // A key may hold no scope that its maker lacks: `createApiKey` is called with what this one has.
    const apiKey = await server.newKey({ scopes: [scope] })
    const open = await operationsOpenTo(apiKey)
    expect(open).toEqual(
      operationsWith((_role, needed) => needed === scope).filter((id) => id !== 'createApiKey'),
    )
  },
)

test('a family of scopes opens its family', async () => {
  const apiKey = await server.newKey({ scopes: ['files:*'] })
  expect(await operationsOpenTo(apiKey)).toEqual(
    operationsWith((_role, needed) => needed.startsWith('files:')),
  )
})

test('scopes never give more than the role', async () => {
  const apiKey = await server.newKey({ role: 'Reader', scopes: ['files:*', 'projects:*', 'keys:*'] })
  expect(await operationsOpenTo(apiKey)).toEqual(
    operationsWith((least, needed) => least === 'Reader' && !needed.startsWith('webhooks')),
  )
})

describe('A key that is restricted to projects', () => {
  let own: number
  let other: number
  let apiKey: string

  beforeAll(async () => {
    own = (await server.call('POST', '/projects', { body: { Name: 'Own' } })).body.Id
    other = (await server.call('POST', '/projects', { body: { Name: 'Other' } })).body.Id
    await server.call('POST', `/projects/${other}/files`, { body: { FileName: 'hidden.mp4' } })
    apiKey = await server.newKey({ projectIds: [own] })
  })

  const call = (method: string, path: string, body?: object) =>
    server.call(method, path, { apiKey, ...(body === undefined ? {} : { body }) })

  test('works on these', async () => {
    expect((await call('GET', `/projects/${own}`)).status).toBe(200)
    expect((await call('POST', `/projects/${own}/files`, { FileName: 'a.mp4' })).status).toBe(201)
    expect((await call('PUT', `/projects/${own}`, { Description: 'Mine' })).status).toBe(200)
  })

  test('meets 404 for every operation on another, as for one that does not exist', async () => {
    const ids = { ...unknownIds, projectId: other }
    for (const operation of operations.filter(({ path }) => path.includes('{projectId}'))) {
      const hidden = await callOperation(server, operation, { ids, apiKey })
      expectProblem(hidden, 'not_found')
      const unknown = await callOperation(server, operation, { ids: unknownIds, apiKey })
      expect(hidden.body.error.message.replaceAll(String(other), '#')).toBe(
        unknown.body.error.message.replace('999999', '#').replaceAll(String(other), '#'),
      )
    }
  })

  test('lists only these', async () => {
    const { body } = await call('GET', '/projects')
    expect(body).toMatchObject({ Projects: [{ Id: own }], TotalCount: 1 })
  })

  test('makes no new project, and no key or webhook beyond its projects', async () => {
    expectProblem(await call('POST', '/projects', { Name: 'New' }), 'forbidden')
    expectProblem(await call('POST', '/apikeys', { Label: 'a', ProjectIds: [other] }), 'invalid')
    expect((await call('POST', '/apikeys', { Label: 'a' })).body.ProjectIds).toEqual([own])
    expect((await call('POST', '/apikeys', { Label: 'a', ProjectIds: null })).body.ProjectIds).toEqual([own])
    const webhook = { TargetURL: server.url, EventTypes: ['*'] }
    expectProblem(await call('POST', '/modules/notifications', { ...webhook, ProjectId: other }), 'invalid')
    expectProblem(await call('POST', '/modules/notifications', webhook), 'invalid')
  })
})
