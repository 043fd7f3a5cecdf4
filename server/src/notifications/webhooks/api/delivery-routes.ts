import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../../accounts/audit/record-act.ts'
import { etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../../platform/http/responses/paging.ts'
import { idSchema } from '../../../platform/http/requests/schemas.ts'
import type { Database } from '../../../platform/db/database.ts'
import { deliveryFilterQuery, parseDeliveryFilter } from './delivery-filter.ts'
import { attemptRecord, deliveryRecord } from './delivery-record.ts'
import { attemptsOf, findDelivery, insertPing, listDeliveries, redeliver } from './delivery-store.ts'
import { webhookRecord } from '../store/webhook-record.ts'
import { scopeOf, webhookParams } from '../store/webhook-request.ts'
import { findWebhook, lockWebhook } from '../store/webhook-store.ts'

export interface DeliveryRouteDependencies {
  readonly database: Database
  readonly publicUrl: string
  readonly path: string
}

const deliveryParams = Type.Object({
  webhookId: idSchema,
  deliveryId: idSchema,
})

export const registerDeliveryRoutes = (app: HttpServer, dependencies: DeliveryRouteDependencies): void => {
  const { database, publicUrl, path } = dependencies

  app.post(
    `${path}/:webhookId/test`,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'testWebhook',
        tags: [tags.notifications],
        summary: 'Send a test event',
        description:
          'Sends `webhook.ping` to this webhook only, whatever its event types. Get the delivery a moment later to see the result.',
        params: webhookParams,
        response: responses(
          { status: 201, schema: schemaRef('Delivery'), description: 'The delivery of the event.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params
      const row = await database.transaction(async (tx) => {
        const webhook = await lockWebhook(tx, scopeOf(request), webhookId)
        await recordAct(tx, actorOf(request), {
          action: 'webhook.tested',
          subject: 'Webhook',
          subjectId: webhookId,
        })
        return insertPing(tx, webhook, JSON.stringify(webhookRecord(webhook)))
      })
      const body = JSON.stringify(deliveryRecord(row))
      reply.code(201).header('Location', `${publicUrl}/v3${path}/${webhookId}/deliveries/${row.id}`)
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.get(
    `${path}/:webhookId/deliveries`,
    {
      config: { permission: 'webhooks:read' },
      schema: {
        operationId: 'listDeliveries',
        tags: [tags.notifications],
        summary: 'List deliveries',
        description:
          'Returns the deliveries of a webhook with the result of the last attempt, newest first. Filters combine: a delivery must match all of them.',
        params: webhookParams,
        querystring: Type.Object({ ...listQuery(), ...deliveryFilterQuery }),
        response: responses(
          {
            status: 200,
            schema: listSchema('Deliveries', schemaRef('Delivery')),
            description: 'One page of deliveries.',
          },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params
      const page = parsePage(request.query)
      const filter = parseDeliveryFilter(request.query)
      const scope = scopeOf(request)
      await findWebhook(database.kysely, scope, webhookId)
      const found = await listDeliveries(database.kysely, { ...scope, webhookId }, filter, page)
      const { body, etag } = renderFreshList('Deliveries', found.rows.map(deliveryRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )

  app.get(
    `${path}/:webhookId/deliveries/:deliveryId`,
    {
      config: { permission: 'webhooks:read' },
      schema: {
        operationId: 'getDelivery',
        tags: [tags.notifications],
        summary: 'Get a delivery',
        description:
          'Returns a delivery with all attempts: time, duration, status and the first 4 KiB of each response.',
        params: deliveryParams,
        response: responses(
          { status: 200, schema: schemaRef('DeliveryWithAttempts'), description: 'The delivery.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId, deliveryId } = request.params
      const scope = scopeOf(request)
      await findWebhook(database.kysely, scope, webhookId)
      const row = await findDelivery(database.kysely, { ...scope, webhookId }, deliveryId)
      const attempts = await attemptsOf(database.kysely, deliveryId)
      const body = JSON.stringify({ ...deliveryRecord(row), Attempts: attempts.map(attemptRecord) })
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.post(
    `${path}/:webhookId/deliveries/:deliveryId/redeliver`,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'redeliver',
        tags: [tags.notifications],
        summary: 'Retry a delivery',
        description:
          'Sends a delivery again with the same `webhook-id` and a new retry schedule. A waiting delivery is sent at once.',
        params: deliveryParams,
        response: responses(
          { status: 200, schema: schemaRef('Delivery'), description: 'The delivery.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId, deliveryId } = request.params
      const row = await database.transaction(async (tx) => {
        const webhook = await lockWebhook(tx, scopeOf(request), webhookId)
        await recordAct(tx, actorOf(request), {
          action: 'webhook.redelivered',
          subject: 'Webhook',
          subjectId: webhookId,
          after: { DeliveryId: deliveryId },
        })
        return redeliver(tx, webhook, request.principal.projectIds, deliveryId)
      })
      const body = JSON.stringify(deliveryRecord(row))
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}
