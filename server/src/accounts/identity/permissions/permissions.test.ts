import type { Role } from '@zoetrope/vocabulary'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import {
  callOperation,
  inOrder,
  listOperations,
  stateAnswers,
  type Operation,
} from '../test-support/operations.ts'
import { kindsOfProjects, makeRecords, unknownIds, type Ids } from '../test-support/records.ts'

let server: TestServer
let all: Operation[]
let operations: Operation[]

beforeAll(async () => {
  server = await startTestServer()
  all = await listOperations(server)
  operations = all.filter(({ id }) => needs[id] !== undefined)
})

afterAll(() => server.stop())

const roles: Role[] = ['Reader', 'Uploader', 'JuniorEditor', 'SeniorEditor', 'Administrator']

/** Least role and scope for every operation; null = any live key. */
const needs: Record<string, [Role, string | null]> = {
  listProjects: ['Reader', 'projects:read'],
  getProject: ['Reader', 'projects:read'],
  createProject: ['Administrator', 'projects:write'],
  updateProject: ['Administrator', 'projects:write'],
  deleteProject: ['Administrator', 'projects:write'],
  restoreProject: ['Administrator', 'projects:write'],
  listFiles: ['Reader', 'files:read'],
  listAllFiles: ['Reader', 'files:read'],
  getFile: ['Reader', 'files:read'],
  listPlayouts: ['Reader', 'files:read'],
  revokePlayoutToken: ['Reader', 'files:read'],
  signPlayout: ['Reader', 'files:read'],
  createFile: ['Uploader', 'files:upload'],
  createTusUpload: ['Uploader', 'files:upload'],
  createClip: ['Uploader', 'files:upload'],
  updateFile: ['Uploader', 'files:write-own'],
  updateFileMetadata: ['Uploader', 'files:write-own'],
  replaceFile: ['Uploader', 'files:upload'],
  retryFile: ['Uploader', 'files:write-own'],
  deleteFile: ['SeniorEditor', 'files:delete'],
  restoreFile: ['SeniorEditor', 'files:delete'],
  moveFile: ['SeniorEditor', 'files:delete'],
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
  listPlaylists: ['Reader', 'playlists:read'],
  getPlaylist: ['Reader', 'playlists:read'],
  listPlaylistPlayouts: ['Reader', 'playlists:read'],
  revokePlaylistToken: ['Reader', 'playlists:read'],
  signPlaylistPlayout: ['Reader', 'playlists:read'],
  createPlaylist: ['JuniorEditor', 'playlists:write'],
  previewPlaylist: ['JuniorEditor', 'playlists:write'],
  updatePlaylist: ['JuniorEditor', 'playlists:write'],
  deletePlaylist: ['JuniorEditor', 'playlists:write'],
  restorePlaylist: ['JuniorEditor', 'playlists:write'],
  addPlaylistElements: ['JuniorEditor', 'playlists:write'],
  getWatermark: ['Reader', 'projects:read'],
  updateWatermark: ['Administrator', 'projects:write'],
  deleteWatermark: ['Administrator', 'projects:write'],
  updateLogo: ['Administrator', 'projects:write'],
  deleteLogo: ['Administrator', 'projects:write'],
  getLiveIngest: ['Reader', 'live:read'],
  getLiveOutput: ['Reader', 'live:read'],
  revokeLiveToken: ['Reader', 'live:read'],
  signLiveOutput: ['Reader', 'live:read'],
  getLiveStatus: ['Reader', 'live:read'],
  listLiveLog: ['Reader', 'live:read'],
  listLiveRecordings: ['Reader', 'live:read'],
  listLiveTargets: ['Reader', 'live:read'],
  getLiveTarget: ['Reader', 'live:read'],
  updateLiveIngest: ['SeniorEditor', 'live:control'],
  stopLive: ['SeniorEditor', 'live:control'],
  startLiveRecording: ['SeniorEditor', 'live:control'],
  stopLiveRecording: ['SeniorEditor', 'live:control'],
  clipLive: ['SeniorEditor', 'live:control'],
  createLiveTarget: ['SeniorEditor', 'live:control'],
  updateLiveTarget: ['SeniorEditor', 'live:control'],
  deleteLiveTarget: ['SeniorEditor', 'live:control'],
  resetLiveKey: ['SeniorEditor', 'live:keys'],
  listPictures: ['Reader', 'files:read'],
  getPicture: ['Reader', 'files:read'],
  createPicture: ['Uploader', 'files:write-own'],
  updatePicture: ['Uploader', 'files:write-own'],
  deletePicture: ['Uploader', 'files:write-own'],
  listCaptions: ['Reader', 'files:read'],
  getCaption: ['Reader', 'files:read'],
  createCaption: ['Uploader', 'files:write-own'],
  updateCaption: ['Uploader', 'files:write-own'],
  deleteCaption: ['Uploader', 'files:write-own'],
  listWebhooks: ['Administrator', 'webhooks:read'],
  getWebhook: ['Administrator', 'webhooks:read'],
  listDeliveries: ['Administrator', 'webhooks:read'],
  getDelivery: ['Administrator', 'webhooks:read'],
  getWebhookHealth: ['Administrator', 'webhooks:read'],
  getWebhookHours: ['Administrator', 'webhooks:read'],
  listInspectedRequests: ['Administrator', 'webhooks:read'],
  getReplay: ['Administrator', 'webhooks:read'],
  createWebhook: ['Administrator', 'webhooks:write'],
  updateWebhook: ['Administrator', 'webhooks:write'],
  deleteWebhook: ['Administrator', 'webhooks:write'],
  rotateWebhookSecret: ['Administrator', 'webhooks:write'],
  testWebhook: ['Administrator', 'webhooks:write'],
  redeliver: ['Administrator', 'webhooks:write'],
  replayEvents: ['Administrator', 'webhooks:write'],
  getPartners: ['Administrator', 'partners:read'],
  getIdentityProvider: ['Administrator', 'partners:read'],
  connectIdentityProvider: ['Administrator', 'partners:write'],
  disconnectIdentityProvider: ['Administrator', 'partners:write'],
  testIdentityProvider: ['Administrator', 'partners:write'],
  checkIssuer: ['Administrator', 'partners:write'],
  rotateSigningKeys: ['Administrator', 'partners:write'],
  createClientKey: ['Administrator', 'partners:write'],
  getMe: ['Reader', null],
  listUsers: ['Administrator', 'users:read'],
  getUser: ['Administrator', 'users:read'],
  createUser: ['Administrator', 'users:write'],
  updateUser: ['Administrator', 'users:write'],
  deleteUser: ['Administrator', 'users:write'],
  getApiKeyPolicy: ['Administrator', 'keys:read'],
  updateApiKeyPolicy: ['Administrator', 'keys:write'],
  listApiKeys: ['Administrator', 'keys:read'],
  getApiKey: ['Administrator', 'keys:read'],
  updateApiKey: ['Administrator', 'keys:write'],
  rotateApiKey: ['Administrator', 'keys:write'],
  getAnalytics: ['Reader', 'analytics:read'],
  getAnalyticsBreakdown: ['Reader', 'analytics:read'],
  getRealtimeAnalytics: ['Reader', 'analytics:read'],
  listViews: ['Reader', 'analytics:read'],
  exportViews: ['Reader', 'analytics:read'],
  getFileAnalytics: ['Reader', 'analytics:read'],
  getFileRetention: ['Reader', 'analytics:read'],
  getFileHeatmap: ['Reader', 'analytics:read'],
  getFileHotspots: ['Reader', 'analytics:read'],
  listAlerts: ['Reader', 'analytics:read'],
  getAlert: ['Reader', 'analytics:read'],
  createAlert: ['Administrator', 'webhooks:write'],
  updateAlert: ['Administrator', 'webhooks:write'],
  deleteAlert: ['Administrator', 'webhooks:write'],
  listEvents: ['Reader', 'events:read'],
  streamEvents: ['Reader', 'events:read'],
  getEvent: ['Reader', 'events:read'],
  createApiKey: ['Administrator', 'keys:write'],
  revokeApiKey: ['Administrator', 'keys:write'],
  getSession: ['Reader', null],
  signOut: ['Reader', null],
  changePassword: ['Reader', null],
  endOtherSessions: ['Reader', null],
  getFactors: ['Reader', null],
  createRecoveryCodes: ['Reader', null],
  startTotp: ['Reader', null],
  confirmTotp: ['Reader', null],
  deleteTotp: ['Reader', null],
  startPasskey: ['Reader', null],
  createPasskey: ['Reader', null],
  updatePasskey: ['Reader', null],
  deletePasskey: ['Reader', null],
  startConfirmation: ['Reader', null],
  confirmSession: ['Reader', null],
  getSignInPolicy: ['Administrator', 'users:read'],
  updateSignInPolicy: ['Administrator', 'users:write'],
  resetFactors: ['Administrator', 'users:write'],
  // These rights apply to a key; a signed-in user may change the own name, and list and end the own sessions.
  updateMe: ['Administrator', 'users:write'],
  listSessions: ['Administrator', 'users:read'],
  endSession: ['Administrator', 'users:write'],
  listInvitations: ['Administrator', 'users:read'],
  getInvitation: ['Administrator', 'users:read'],
  createInvitation: ['Administrator', 'users:write'],
  revokeInvitation: ['Administrator', 'users:write'],
  createPasswordLink: ['Administrator', 'users:write'],
  listAuditEntries: ['Administrator', 'audit:read'],
  streamAuditEntries: ['Administrator', 'audit:read'],
  getUsage: ['Reader', 'files:read'],
  listProjectUsage: ['Reader', 'files:read'],
  listEncodings: ['Reader', 'files:read'],
  listCatalogUsage: ['Reader', 'catalog:read'],
}

/**
 * A restricted key sees only a part of the account: it may neither change the rest nor see addresses of
 * users.
 */
const refusedToRestrictedKeys = new Set([
  'getUser',
  'updateUser',
  'deleteUser',
  'getInvitation',
  'createPasswordLink',
  'resetFactors',
  'revokeInvitation',
  'endSession',
  'updateCategory',
  'deleteCategory',
  'updateVideotype',
  'deleteVideotype',
  'updateShare',
  'deleteShare',
])

test('every operation of the API has its role and scope in this table, and a record of each kind in its path', () => {
  expect(all.map(({ id }) => id).sort()).toEqual(Object.keys(needs).sort())
  const parameters = new Set(all.flatMap(({ parameters: names }) => names))
  // Add a missing record kind to test-support/records.ts.
  expect(Object.keys(unknownIds)).toEqual(expect.arrayContaining([...parameters]))
})

type Expected = 'allowed' | 403 | 404

interface Walker {
  readonly apiKey: string
  readonly ids: Ids
  readonly expected: (operation: Operation) => Expected
}

const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

const isAdmitted = (role: Role, { id }: Operation): boolean =>
  isAtLeast(role, needs[id]?.[0] ?? 'Administrator')

/** Another user created the records, so the right to edit own files does not cover them. */
const isAllowed = (role: Role, operation: Operation): boolean => {
  const isEdit = operation.id === 'replaceFile' || needs[operation.id]?.[1] === 'files:write-own'
  return isAdmitted(role, operation) && (!isEdit || isAtLeast(role, 'JuniorEditor'))
}

let decisions = 0

const walk = async ({ apiKey, ids, expected }: Walker, walked: Operation[]): Promise<string[]> => {
  const surprises: string[] = []
  for (const operation of walked.toSorted(inOrder)) {
    const answer = await callOperation(server, operation, { ids, apiKey })
    const wanted = expected(operation)
    const fits =
      wanted === 'allowed'
        ? answer.status < 300 || answer.status === stateAnswers[operation.id]
        : answer.status === wanted
    if (!fits)
      surprises.push(`${operation.id}: ${answer.status} ${JSON.stringify(answer.body)}, not ${wanted}`)
    else if (wanted !== 'allowed') expectProblem(answer, wanted === 403 ? 'forbidden' : 'not_found')
    decisions += 1
  }
  return surprises
}

test('a key that may only read files gets an error that names the permission for a PUT', async () => {
  const project = await server.call('POST', '/projects', { body: { Name: 'Read only' } })
  const files = `/projects/${project.body.Id}/files`
  const file = await server.call('POST', files, { body: { FileName: 'a.mp4' } })
  const put = async (scopes: string[]) => {
    const apiKey = await server.newKey({ scopes })
    const answer = await server.call('PUT', `${files}/${file.body.Id}`, { apiKey, body: {} })
    expectProblem(answer, 'forbidden')
    return answer.body.error.message
  }
  expect(await put(['files:read'])).toContain(
    'does not allow files:write, or files:write-own for files that you created',
  )
})

const onRecords = (): Operation[] =>
  operations.filter(({ parameters }) => parameters.some((name) => name !== 'metric'))
const isOfProject = ({ parameters }: Operation): boolean => parameters.includes('projectId')
const isOnRecordOfProject = ({ parameters }: Operation): boolean =>
  parameters.some((name) => kindsOfProjects.has(name))
const decided = (role: Role, operation: Operation): Expected => (isAllowed(role, operation) ? 'allowed' : 403)

const newKeyWithTwoRoles = async (inAccount: Role, inProject: Role, projectId: unknown): Promise<string> => {
  const { body: user } = await server.call('POST', '/users', {
    body: {
      Email: `${crypto.randomUUID()}@example.com`,
      Role: inAccount,
      ProjectRoles: [{ ProjectId: projectId, Role: inProject }],
    },
  })
  const { body: key } = await server.call('POST', '/apikeys', { body: { Label: 'a', UserId: user.Id } })
  return key.Token
}

describe.each(roles)('%s', (role) => {
  test('may do exactly what the role allows', async () => {
    const surprises = await walk(
      {
        apiKey: await server.newKey({ role }),
        ids: await makeRecords(server),
        expected: (operation) => decided(role, operation),
      },
      operations,
    )
    expect(surprises).toEqual([])
  })

  test('finds nothing of a project outside of the key', async () => {
    const { projectId } = await makeRecords(server)
    const surprises = await walk(
      {
        apiKey: await server.newKey({ role, projectIds: [Number(projectId)] }),
        ids: await makeRecords(server),
        expected: (operation) => {
          if (isOfProject(operation)) return 404
          if (!isAdmitted(role, operation) || refusedToRestrictedKeys.has(operation.id)) return 403
          return isOnRecordOfProject(operation) ? 404 : 'allowed'
        },
      },
      onRecords(),
    )
    expect(surprises).toEqual([])
  })

  test('finds nothing of another account', async () => {
    const surprises = await walk(
      {
        apiKey: await server.newKey({ role, inNewAccount: true }),
        ids: await makeRecords(server),
        expected: (operation) => (isAdmitted(role, operation) ? 404 : 403),
      },
      onRecords(),
    )
    expect(surprises).toEqual([])
  })

  test.each<Role>(['Reader', 'Administrator'])(
    'of one project may do this there as %s of the account',
    async (inAccount) => {
      const ids = await makeRecords(server)
      const surprises = await walk(
        {
          apiKey: await newKeyWithTwoRoles(inAccount, role, ids['projectId']),
          ids,
          expected: (operation) => {
            // The existing key belongs to a user who may do everything, also in the project.
            if (operation.id === 'rotateApiKey' && role !== 'Administrator') return 403
            const isThere = isOfProject(operation) || operation.parameters.includes('playlistId')
            return decided(isThere ? role : inAccount, operation)
          },
        },
        operations,
      )
      expect(surprises).toEqual([])
    },
  )

  test('of one project gives no rights in another', async () => {
    const elsewhere = await makeRecords(server)
    const surprises = await walk(
      {
        apiKey: await newKeyWithTwoRoles('Reader', role, elsewhere['projectId']),
        ids: await makeRecords(server),
        expected: (operation) => decided('Reader', operation),
      },
      operations,
    )
    expect(surprises).toEqual([])
  })
})

test('the walks covered every operation', () => {
  const perRole = 4 * operations.length + 2 * onRecords().length
  expect(decisions).toBe(roles.length * perRole)
  process.stdout.write(`permissions: ${operations.length} operations, ${decisions} decisions\n`)
})

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

const operationsWith = (isOpen: (least: Role, scope: string) => boolean): string[] =>
  Object.entries(needs)
    .filter(([, [least, scope]]) => scope === null || isOpen(least, scope))
    .map(([id]) => id)
    .sort()

const scopes = [...new Set(Object.values(needs).map(([, scope]) => scope))].filter((scope) => scope !== null)

test.each(scopes)('the scope %s allows exactly its operations', async (scope) => {
  const apiKey = await server.newKey({ scopes: [scope] })
  const holds = (needed: string) =>
    needed === scope || (scope === 'files:write' && needed === 'files:write-own')
  // These operations check more: the caller must hold the rights that it grants, and may read the video that
  // it copies.
  const demanding = ['createApiKey', 'createUser', 'createInvitation', 'createClip']
  expect(await operationsOpenTo(apiKey)).toEqual(
    operationsWith((_role, needed) => holds(needed)).filter((id) => !demanding.includes(id)),
  )
})

test('a family of scopes allows all its operations', async () => {
  const apiKey = await server.newKey({ scopes: ['files:*'] })
  expect(await operationsOpenTo(apiKey)).toEqual(
    operationsWith((_role, needed) => needed.startsWith('files:')),
  )
})

test('scopes never exceed the role', async () => {
  const apiKey = await server.newKey({
    role: 'Reader',
    scopes: ['files:*', 'projects:*', 'keys:*', 'users:*'],
  })
  expect(await operationsOpenTo(apiKey)).toEqual(
    operationsWith((least, needed) => least === 'Reader' && /^(files|projects):/.test(needed)),
  )
})

describe('a key restricted to projects', () => {
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

  test('gets 404 for every operation on another one, as for a missing one', async () => {
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

  test('sees no users', async () => {
    expectProblem(await call('GET', '/users'), 'forbidden')
    const { body: me } = await call('GET', '/me')
    expectProblem(await call('GET', `/users/${me.User.Id}`), 'forbidden')
  })

  test('creates no project, and no key or webhook beyond its projects', async () => {
    expectProblem(await call('POST', '/projects', { Name: 'New' }), 'forbidden')
    expectProblem(await call('POST', '/apikeys', { Label: 'a', ProjectIds: [other] }), 'invalid')
    expect((await call('POST', '/apikeys', { Label: 'a' })).body.ProjectIds).toEqual([own])
    expect((await call('POST', '/apikeys', { Label: 'a', ProjectIds: null })).body.ProjectIds).toEqual([own])
    const webhook = { TargetURL: server.url, EventTypes: ['*'] }
    expectProblem(await call('POST', '/modules/notifications', { ...webhook, ProjectId: other }), 'invalid')
    expectProblem(await call('POST', '/modules/notifications', webhook), 'invalid')
  })
})
