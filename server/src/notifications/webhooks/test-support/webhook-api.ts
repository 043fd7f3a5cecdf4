import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { protectRoutes } from '../../../platform/http/requests/authenticate.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { createLog } from '../../../platform/log/log.ts'
import { registerWebhookRoutes } from '../api/webhook-routes.ts'
import type { WebhookWorld } from './webhook-world.ts'

export const notificationsPath = '/v3/modules/notifications'
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface WebhookApi {
  /** The caller; tests change it. */
  readonly principal: { accountId: number; projectIds: number[] | null }
  readonly call: (
    method: Method,
    url: string,
    payload?: object,
    headers?: Record<string, string | undefined>,
  ) => Promise<LightMyRequestResponse>
  readonly jobs: object[]
  readonly close: () => Promise<void>
}

export const createWebhookApi = async (
  world: WebhookWorld,
  { maxWebhooksPerAccount = 0 }: { readonly maxWebhooksPerAccount?: number } = {},
): Promise<WebhookApi> => {
  const app = await createHttpServer({ log: createLog({ level: 'silent' }), publicUrl: 'http://video.test' })
  const user = await world.database.kysely
    .insertInto('users')
    .values({
      account_id: world.accountId,
      email: `${randomUUID()}@example.com`,
      password_hash: null,
      role: 'Administrator',
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const principal: WebhookApi['principal'] = { accountId: world.accountId, projectIds: null }
  const asked: object[] = []
  const enqueue: Jobs['enqueue'] = async (_tx, _job, data) => void asked.push(data)
  await app.register(
    async (api) => {
      protectRoutes(api, async () => ({
        ...principal,
        userId: user.id,
        apiKeyId: null,
        sessionId: null,
        can: () => true,
        canGrant: () => true,
      }))
      registerWebhookRoutes(api, {
        database: world.database,
        secrets: world.secrets,
        jobs: { enqueue },
        publicUrl: 'http://video.test',
        isOutboundHttpAllowed: false,
        outboundAllowCidrs: [],
        maxWebhooksPerAccount,
      })
    },
    { prefix: '/v3' },
  )
  return {
    principal,
    call: (method, url, payload, headers = {}) =>
      app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) }),
    jobs: asked,
    close: () => app.close(),
  }
}
