import { request, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import type { Ids } from './records.ts'

export interface Operation {
  readonly id: string
  readonly method: string
  /** With `{projectId}` and the like. */
  readonly path: string
  /** The names in it. */
  readonly parameters: readonly string[]
}

type Paths = Record<string, Record<string, { operationId: string }>>

/** Every operation of the API, as its own description lists them. */
export const listOperations = async (server: TestServer): Promise<Operation[]> => {
  const { body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  return Object.entries(body.paths as Paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
    })),
  )
}

/** The least that each operation takes. */
const bodies: Record<string, object | ((ids: Ids) => object)> = {
  createProject: { Name: 'a' },
  updateProject: {},
  updateWatermark: {},
  createFile: { FileName: 'a.mp4' },
  updateFile: {},
  updateFileMetadata: {},
  replaceFile: { FileName: 'a.mp4' },
  createClip: { StartTime: 0, EndTime: 1 },
  // Labels are unique: each call takes another.
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
  createWebhook: { TargetURL: 'https://example.com', EventTypes: ['webhook.ping'] },
  updateWebhook: {},
  rotateWebhookSecret: {},
  createPlaylist: { Name: 'a' },
  updatePlaylist: {},
  addPlaylistElements: ({ fileId }) => ({ Elements: [{ FileId: fileId }] }),
  createCaption: { Language: 'de', Content: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHallo\n' },
  updateCaption: {},
  createPicture: { Position: 1 },
  updatePicture: {},
  createApiKey: { Label: 'a', Scopes: ['files:read'] },
  updateApiKey: {},
  rotateApiKey: {},
  get createUser() {
    return { Email: `${crypto.randomUUID()}@example.com`, Role: 'Reader' }
  },
  updateUser: {},
}

const headers: Record<string, Record<string, string>> = {
  createTusUpload: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '5' },
}

const queries: Record<string, string> = { deleteProject: '?cascade=true' }

/** Operations that ask for a state in which a new record is not: who may call them is answered this. */
export const stateAnswers: Record<string, number> = {
  restorePlaylist: 409,
  restoreFile: 409,
  retryFile: 409,
  createClip: 409,
  // There is no video yet to take a frame of.
  createPicture: 409,
  restoreProject: 409,
}

export const callOperation = (
  server: TestServer,
  operation: Operation,
  options: {
    readonly ids: Ids
    readonly apiKey: string
    readonly body?: object
  },
): Promise<Answer> => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => String(options.ids[name]))
  const least = bodies[operation.id]
  const body = options.body ?? (typeof least === 'function' ? least(options.ids) : least)
  return request(server.url + path + (queries[operation.id] ?? ''), operation.method, {
    apiKey: options.apiKey,
    headers: headers[operation.id] ?? {},
    ...(body === undefined ? {} : { body }),
  })
}
