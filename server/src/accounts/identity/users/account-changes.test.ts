import type { Role } from '@zoetrope/vocabulary'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSecondNode, type SecondNode } from '../../../../test/support/second-node.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

/** Concurrent changes of users and keys, and changes on a node with outdated cached permissions. */

let server: TestServer
let other: SecondNode

beforeAll(async () => {
  server = await startTestServer()
  other = await startSecondNode(server)
})

afterAll(async () => {
  await other.stop()
  await server.stop()
})

let count = 0
const newEmail = () => `person${(count += 1)}@changes.example.com`
const newProject = async (): Promise<number> =>
  (await server.call('POST', '/projects', { body: { Name: 'News' } })).body.Id
const newUser = async (Role: Role, ProjectRoles: object[] = []): Promise<number> =>
  (await server.call('POST', '/users', { body: { Email: newEmail(), Role, ProjectRoles } })).body.Id
const newKey = async (UserId: number, fields = {}) =>
  (await server.call('POST', '/apikeys', { body: { Label: 'Key', UserId, ...fields } })).body

test('a process that has just started creates more keys at once than it has connections', async () => {
  const fresh = await startSecondNode(server)
  const create = () =>
    request(`${fresh.url}/v3/apikeys`, 'POST', { apiKey: server.apiKey, body: { Label: 'Key' } })
  const answers = await Promise.all(Array.from({ length: 24 }, create))
  expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(201))
  await fresh.stop()
})

describe('a node that has just verified a key', () => {
  const onOther = (apiKey: string) => (method: string, path: string, body?: object) =>
    request(`${other.url}/v3${path}`, method, { apiKey, ...(body === undefined ? {} : { body }) })

  const known = async () => {
    const userId = await newUser('Administrator')
    const { Id, Token } = await newKey(userId)
    const call = onOther(Token)
    expect((await call('GET', '/me')).status).toBe(200)
    return { userId, keyId: Id as string, call }
  }

  test('refuses changes of users and keys by a user demoted since', async () => {
    const target = await newUser('Reader')
    const { Id: targetKey } = await newKey(target)
    for (const [method, path, body] of [
      ['PUT', '/users/{self}', { Role: 'Administrator' }],
      ['POST', '/users', { Email: newEmail(), Role: 'Administrator' }],
      ['DELETE', `/users/${target}`, undefined],
      ['POST', '/apikeys', { Label: 'Mine' }],
      ['PUT', `/apikeys/${targetKey}`, { Label: 'Mine' }],
      ['POST', `/apikeys/${targetKey}/rotate`, {}],
      ['DELETE', `/apikeys/${targetKey}`, undefined],
    ] as const) {
      const { userId, call } = await known()
      await server.call('PUT', `/users/${userId}`, { body: { Role: 'Reader' } })
      expectProblem(await call(method, path.replace('{self}', String(userId)), body), 'forbidden')
      expect((await server.call('GET', `/users/${userId}`)).body.Role).toBe('Reader')
    }
  })

  test('refuses a key revoked since that issues or rotates a key', async () => {
    for (const path of ['/apikeys', '/apikeys/{self}/rotate']) {
      const { keyId, call } = await known()
      await server.call('DELETE', `/apikeys/${keyId}`)
      expectProblem(await call('POST', path.replace('{self}', keyId), { Label: 'Again' }), 'unauthorized')
    }
  })

  test('grants a key narrowed since only the remaining scopes and projects', async () => {
    const projectId = await newProject()
    const narrowed = await known()
    await server.call('PUT', `/apikeys/${narrowed.keyId}`, { body: { Scopes: ['keys:write'] } })
    expectProblem(await narrowed.call('POST', '/apikeys', { Label: 'Again' }), 'forbidden')
    const restricted = await known()
    await server.call('PUT', `/apikeys/${restricted.keyId}`, { body: { ProjectIds: [projectId] } })
    const made = await restricted.call('POST', '/apikeys', { Label: 'Again' })
    expect(made.body).toMatchObject({ ProjectIds: [projectId] })
  })

  test('refuses changes by a user disabled or deleted since', async () => {
    const disabled = await known()
    await server.call('PUT', `/users/${disabled.userId}`, { body: { IsEnabled: false } })
    expectProblem(
      await disabled.call('PUT', `/users/${disabled.userId}`, { IsEnabled: true }),
      'unauthorized',
    )
    const deleted = await known()
    await server.call('DELETE', `/users/${deleted.userId}`)
    expectProblem(await deleted.call('POST', '/apikeys', { Label: 'Again' }), 'unauthorized')
  })
})

describe('while projects of a user are deleted and restored', () => {
  const waitingForLocks = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(
      server.services.database.kysely,
    )
    return rows[0]?.count ?? 0
  }
  const shownRoles = async (userId: number): Promise<unknown> =>
    (await server.call('GET', `/users/${userId}`)).body.ProjectRoles

  /**
   * Sends a change that blocks after its checks: another transaction holds the same e-mail address until it
   * ends.
   */
  const changeSlowly = async (userId: number, ProjectRoles: object[]) => {
    const Email = newEmail()
    const taken = await server.services.database.kysely.startTransaction().execute()
    const { account_id } = await taken
      .selectFrom('users')
      .select('account_id')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    await taken.insertInto('users').values({ account_id, email: Email, role: 'Reader' }).execute()
    const changed = server.call('PUT', `/users/${userId}`, { body: { Email, ProjectRoles } })
    await waitFor(waitingForLocks, (waiting) => waiting === 1)
    return async () => {
      await taken.rollback().execute()
      return changed
    }
  }

  test('replaces roles in a project that is being deleted, and applies them after the restore', async () => {
    const projectId = await newProject()
    const userId = await newUser('Reader', [{ ProjectId: projectId, Role: 'Uploader' }])
    const ProjectRoles = [{ ProjectId: projectId, Role: 'SeniorEditor' }]
    const continueChange = await changeSlowly(userId, ProjectRoles)
    const deleted = server.call('DELETE', `/projects/${projectId}`)
    await Promise.race([deleted, waitFor(waitingForLocks, (waiting) => waiting === 2)])
    expect(await continueChange()).toMatchObject({ status: 200, body: { ProjectRoles } })
    expect((await deleted).status).toBe(200)
    expect(await shownRoles(userId)).toEqual([])
    await server.call('POST', `/projects/${projectId}/restore`)
    expect(await shownRoles(userId)).toEqual(ProjectRoles)
  })

  test('keeps a role in a project restored since, which the caller neither saw nor replaced', async () => {
    const projectId = await newProject()
    const ProjectRoles = [{ ProjectId: projectId, Role: 'Uploader' }]
    const userId = await newUser('Reader', ProjectRoles)
    await server.call('DELETE', `/projects/${projectId}`)
    const continueChange = await changeSlowly(userId, [])
    expect((await server.call('POST', `/projects/${projectId}/restore`)).status).toBe(200)
    expect(await continueChange()).toMatchObject({ status: 200 })
    expect(await shownRoles(userId)).toEqual(ProjectRoles)
  })
})
