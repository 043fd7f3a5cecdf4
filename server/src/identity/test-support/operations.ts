import { request, type Answer, type TestServer } from '../../../test/support/test-server.ts'

export interface Operation {
  readonly id: string
  readonly method: string
  /** With `{projectId}` and the like. */
  readonly path: string
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
    })),
  )
}

/** The least that each operation takes. */
const bodies: Record<string, object> = {
  createProject: { Name: 'a' },
  updateProject: {},
  createFile: { FileName: 'a.mp4' },
  updateFile: {},
  updateFileMetadata: {},
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
  createWebhook: { TargetURL: 'https://example.com', EventTypes: ['webhook.ping'] },
  updateWebhook: {},
  rotateWebhookSecret: {},
  createApiKey: { Label: 'a', Scopes: ['files:read'] },
}

export const callOperation = (
  server: TestServer,
  operation: Operation,
  options: {
    readonly ids: Readonly<Record<string, number | string>>
    readonly apiKey: string
    readonly body?: object
  },
): Promise<Answer> => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => String(options.ids[name]))
  const body = options.body ?? bodies[operation.id]
  return request(server.url + path, operation.method, {
    apiKey: options.apiKey,
    ...(body === undefined ? {} : { body }),
  })
}
