import type { HttpServer } from '../../../platform/http/http-server.ts'
import { etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import type { DeliveryRouteDependencies } from './delivery-routes.ts'
import { readHours } from '../health/hour-store.ts'
import { firstShownHour, webhookHoursRecord } from '../health/hours-record.ts'
import { readWebhookHealths } from '../health/read-webhook-healths.ts'
import { scopeOf, webhookParams } from '../store/webhook-request.ts'
import { findWebhook } from '../store/webhook-store.ts'

/**
 * Separate from the webhook record, because it changes with each delivery and would change the ETag of the
 * record.
 */
export const registerWebhookHealthRoutes = (
  app: HttpServer,
  { database, path }: Omit<DeliveryRouteDependencies, 'publicUrl'>,
): void => {
  app.get(
    `${path}/:webhookId/health`,
    {
      config: { permission: 'webhooks:read' },
      schema: {
        operationId: 'getWebhookHealth',
        tags: [tags.notifications],
        summary: 'Get endpoint health',
        description:
          'Returns whether requests succeed, the last failure, whether deliveries are paused, and how many are waiting.',
        params: webhookParams,
        response: responses(
          { status: 200, schema: schemaRef('WebhookHealth'), description: 'The health of the endpoint.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params
      const webhook = await findWebhook(database.kysely, scopeOf(request), webhookId)
      const healths = await readWebhookHealths(database.kysely, webhook.account_id, [webhook])
      const body = JSON.stringify(healths.get(webhookId))
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.get(
    `${path}/:webhookId/health/hours`,
    {
      config: { permission: 'webhooks:read' },
      schema: {
        operationId: 'getWebhookHours',
        tags: [tags.notifications],
        summary: 'Get endpoint health by hour',
        description:
          'Returns successful and failed requests and the response times of the endpoint, for each of the last 48 hours.',
        params: webhookParams,
        response: responses(
          { status: 200, schema: schemaRef('WebhookHours'), description: 'The hours, oldest first.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params
      const { id } = await findWebhook(database.kysely, scopeOf(request), webhookId)
      const now = new Date()
      const counts = await readHours(database.kysely, id, firstShownHour(now))
      const body = JSON.stringify(webhookHoursRecord(id, counts, now))
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}
