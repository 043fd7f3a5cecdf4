import { request, type Answer, type TestServer } from '../../../../test/support/test-server.ts'
import type { Ids } from './records.ts'

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly string[]
}

type Paths = Record<string, Record<string, { operationId: string; security?: readonly object[] }>>

export const listOperations = async (
  server: TestServer,
  { areOpen = false }: { readonly areOpen?: boolean } = {},
): Promise<Operation[]> => {
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  const paths = Object.entries(body.paths as Paths)
    .filter(([path]) => path.startsWith('/v3/'))
    // `metric` is a name, not an id.
    .map(([path, methods]) => [path.replace('{metric}', 'views'), methods] as const)
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => (security?.length === 0) === areOpen)
      .map(([method, { operationId }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
      })),
  )
}

const order = ['GET', 'PUT', 'POST', 'DELETE']
/**
 * Sorts deletions last, deepest first and the whole project at the end, so that every operation finds its
 * record.
 */
export const inOrder = (one: Operation, other: Operation): number =>
  order.indexOf(one.method) - order.indexOf(other.method) ||
  other.parameters.length - one.parameters.length ||
  other.path.split('/').length - one.path.split('/').length ||
  Number(one.id === 'deleteProject') - Number(other.id === 'deleteProject')

const bodies: Record<string, object | ((ids: Ids) => object)> = {
  createProject: { Name: 'a' },
  updateProject: {},
  updateWatermark: {},
  updateLogo: {},
  createFile: { FileName: 'a.mp4' },
  updateFile: {},
  updateFileMetadata: {},
  replaceFile: { FileName: 'a.mp4' },
  createClip: { StartTime: 0, EndTime: 1 },
  moveFile: ({ projectId }) => ({ ProjectId: projectId }),
  // Labels are unique, so each call uses a new one.
  get createCategory() {
    return { Label: crypto.randomUUID() }
  },
  get createVideotype() {
    return { Label: crypto.randomUUID() }
  },
  get createShare() {
    return { Label: crypto.randomUUID() }
  },
  updateCategory: {},
  updateVideotype: {},
  updateShare: {},
  signPlayout: {},
  signPlaylistPlayout: {},
  updateLiveIngest: {},
  clipLive: { Duration: 30 },
  signLiveOutput: {},
  createLiveTarget: { URI: 'rtmp://127.0.0.1/live/secret-key' },
  updateLiveTarget: {},
  createWebhook: { TargetURL: 'https://example.com', EventTypes: ['webhook.ping'] },
  updateWebhook: {},
  createAlert: { Metric: 'rebuffering', Operator: 'above', Threshold: 0.02 },
  updateAlert: {},
  rotateWebhookSecret: {},
  connectIdentityProvider: {},
  // The provider does not answer, which the check reports.
  checkIssuer: { Issuer: 'http://127.0.0.1:9/' },
  rotateSigningKeys: {},
  replayEvents: { From: '2026-03-01T12:00:00+00:00' },
  createPlaylist: { Name: 'a' },
  updatePlaylist: {},
  previewPlaylist: {},
  addPlaylistElements: ({ fileId }) => ({ Elements: [{ FileId: fileId }] }),
  createCaption: { Language: 'de', Content: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHallo\n' },
  updateCaption: {},
  createPicture: { Position: 1 },
  updatePicture: {},
  updateApiKeyPolicy: {},
  createApiKey: { Label: 'a', Scopes: ['files:read'] },
  updateApiKey: {},
  rotateApiKey: {},
  get createUser() {
    return { Email: `${crypto.randomUUID()}@example.com`, Role: 'Reader' }
  },
  updateUser: {},
  updateMe: {},
  get createInvitation() {
    return { Email: `${crypto.randomUUID()}@example.com`, Role: 'Reader' }
  },
  confirmTotp: { Code: '000000' },
  createPasskey: { Name: 'a', Credential: {} },
  updatePasskey: {},
  confirmSession: { Password: 'none' },
  updateSignInPolicy: {},
  changePassword: { CurrentPassword: 'none', NewPassword: 'three quiet lighthouses' },
}

const headers: Record<string, Record<string, string>> = {
  createTusUpload: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '5' },
}

const queries: Record<string, string> = { deleteProject: '?cascade=true' }

/** Operations that refuse the state of a new record: a permitted caller gets this status. */
export const stateAnswers: Record<string, number> = {
  restorePlaylist: 409,
  restoreFile: 409,
  retryFile: 409,
  createClip: 409,
  // The live stream has no publisher.
  stopLive: 409,
  startLiveRecording: 409,
  stopLiveRecording: 409,
  clipLive: 409,
  // The file has no video to take a frame from.
  createPicture: 409,
  restoreProject: 409,
  // The id is that of no signature.
  revokePlayoutToken: 404,
  revokePlaylistToken: 404,
  revokeLiveToken: 404,
  // No identity provider is connected.
  getIdentityProvider: 404,
  connectIdentityProvider: 404,
  disconnectIdentityProvider: 404,
  testIdentityProvider: 404,
  rotateSigningKeys: 404,
  // A request with a key has no session.
  getSession: 404,
  signOut: 404,
  changePassword: 404,
  endOtherSessions: 404,
  getFactors: 404,
  createRecoveryCodes: 404,
  startTotp: 404,
  confirmTotp: 404,
  deleteTotp: 404,
  startPasskey: 404,
  createPasskey: 404,
  updatePasskey: 404,
  deletePasskey: 404,
  startConfirmation: 404,
  confirmSession: 404,
}

export const callOperation = (
  server: TestServer,
  operation: Operation,
  options: {
    readonly ids: Ids
    /** Null: the headers contain a cookie. */
    readonly apiKey: string | null
    readonly body?: object
    readonly extras?: object
    readonly headers?: Record<string, string>
  },
): Promise<Answer> => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => String(options.ids[name]))
  const least = bodies[operation.id]
  const needed = options.body ?? (typeof least === 'function' ? least(options.ids) : least)
  const body = options.extras === undefined ? needed : { ...options.extras, ...needed }
  return request(server.url + path + (queries[operation.id] ?? ''), operation.method, {
    apiKey: options.apiKey,
    headers: { ...headers[operation.id], ...options.headers },
    ...(body === undefined ? {} : { body }),
  })
}
