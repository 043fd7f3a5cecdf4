import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../../platform/http/responses/paging.ts'
import type { DeliveryRouteDependencies } from './delivery-routes.ts'
import { inspectedRequestRecord } from '../inspector/inspected-request-record.ts'
import { listInspectedRequests } from '../inspector/inspected-requests.ts'
import { scopeOf, webhookParams } from '../store/webhook-request.ts'
import { findWebhook } from '../store/webhook-store.ts'

export const registerInspectorRoute = (
  app: HttpServer,
  { database, path }: Omit<DeliveryRouteDependencies, 'publicUrl'>,
): void => {
  app.get(
    `${path}/:webhookId/inspectedrequests`,
    {
      config: { permission: 'webhooks:read' },
      schema: {
        operationId: 'listInspectedRequests',
        tags: [tags.notifications],
        summary: 'List inspected requests',
        description:
          'Returns the requests of a webhook whose `TargetURL` is `zoetrope:inspector`, newest first: headers, body, and whether the signature is valid. The inspector keeps the last 50 requests of the last hour.',
        params: webhookParams,
        querystring: Type.Object(listQuery()),
        response: responses(
          {
            status: 200,
            schema: listSchema('Requests', schemaRef('InspectedRequest')),
            description: 'One page of requests.',
          },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params
      const scope = scopeOf(request)
      const page = parsePage(request.query)
      await findWebhook(database.kysely, scope, webhookId)
      const found = await listInspectedRequests(database.kysely, { ...scope, webhookId }, page)
      const { body, etag } = renderFreshList('Requests', found.rows.map(inspectedRequestRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )
}
