import { generateSecret } from '@zoetrope/webhook-signature'
import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { checkIfMatch, recordEtag, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../../platform/http/responses/paging.ts'
import { booleanText } from '../../../platform/http/openapi/openapi-query.ts'
import { parseBoolean } from '../../../platform/http/requests/query-values.ts'
import { deletedSchema } from '../../../platform/http/requests/schemas.ts'
import type { Database } from '../../../platform/db/database.ts'
import { createOutboundPolicy, type OutboundPolicy } from '../../../platform/outbound/outbound-policy.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { checkNamedProject } from '../../../library/projects/check-named-project.ts'
import { cancelUnfinished } from '../store/cancel-unfinished.ts'
import {
  checkCustomHeaders,
  checkEventTypes,
  checkHeadersOfTarget,
  checkSecret,
  checkTargetUrl,
} from './check-webhook.ts'
import { registerDeliveryRoutes } from './delivery-routes.ts'
import { registerWebhookHealthRoutes } from './health-routes.ts'
import { readWebhookHealths } from '../health/read-webhook-healths.ts'
import { registerInspectorRoute } from './inspector-routes.ts'
import { registerReplayRoutes } from './replay-routes.ts'
import { sealHeaders, type SealedHeaders } from '../store/custom-headers.ts'
import { recordWebhookAct } from '../store/record-webhook-act.ts'
import { updateWebhook } from './update-webhook.ts'
import {
  rotateSecretSchema,
  webhookCreateSchema,
  webhookRecord,
  webhookUpdateSchema,
  type WebhookRow,
} from '../store/webhook-record.ts'
import { scopeOf, webhookParams } from '../store/webhook-request.ts'
import {
  changeWebhook,
  checkMayAddWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  webhookOrders,
  type WebhookChange,
} from '../store/webhook-store.ts'

export interface WebhookRouteDependencies {
  readonly database: Database
  readonly secrets: Sealer<'workers'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly publicUrl: string
  readonly isOutboundHttpAllowed: boolean
  readonly outboundAllowCidrs: readonly string[]
  /** 0 = no limit. */
  readonly maxWebhooksPerAccount: number
}

/** Time for which the previous secret also signs after a rotation. */
const overlapMs = 86_400_000

const updateQuery = Type.Object({
  discard: Type.Optional(
    Type.Boolean({
      description:
        'Together with `IsEnabled`: whether to cancel the waiting deliveries instead of keeping them. Returns 400 if the webhook is and stays enabled.',
    }),
  ),
})

const listedHealthQuery = {
  includeHealth: Type.Optional(
    booleanText('Whether each webhook has its `Health`, as `GET …/health` returns it. Default false.'),
  ),
}

const orders = Object.keys(webhookOrders)

const etagOfWebhook = (row: WebhookRow): string => recordEtag(row.id, row.version)

/**
 * Absent fields stay unchanged and null clears. Enabling clears the reason for disabling. Throws 'invalid' with
 * the field.
 */
const toChange = (body: Static<typeof webhookUpdateSchema>, policy: OutboundPolicy): WebhookChange => {
  if (body.TargetURL !== undefined) checkTargetUrl(body.TargetURL, policy)
  if (body.CustomHeaders !== undefined) checkCustomHeaders(body.CustomHeaders ?? {})
  return {
    ...(body.Label === undefined ? {} : { label: body.Label ?? '' }),
    ...(body.TargetURL === undefined ? {} : { target_url: body.TargetURL }),
    ...(body.EventTypes === undefined ? {} : { event_types: checkEventTypes(body.EventTypes) }),
    ...(body.ProjectId === undefined ? {} : { project_id: body.ProjectId }),
    ...(body.IsEnabled === undefined ? {} : { is_enabled: body.IsEnabled ?? true }),
    ...(body.IsEnabled === true || body.IsEnabled === null
      ? { disabled_reason: null, disabled_at: null }
      : {}),
  }
}

const headersChange = (
  { CustomHeaders: headers }: Pick<Static<typeof webhookUpdateSchema>, 'CustomHeaders'>,
  before: SealedHeaders,
  secrets: Sealer<'workers'>,
): WebhookChange =>
  headers === undefined ? {} : { sealed_headers: JSON.stringify(sealHeaders(headers ?? {}, before, secrets)) }

const sealSecret = (secret: string, secrets: Sealer<'workers'>) => ({
  sealed_secret: secrets.seal(Buffer.from(secret, 'utf8')),
  secret_last_four: secret.slice(-4),
})

const chosenSecret = (secret: string | undefined): string => {
  if (secret !== undefined) checkSecret(secret)
  return secret ?? generateSecret()
}

export const registerWebhookRoutes = (app: HttpServer, dependencies: WebhookRouteDependencies): void => {
  const { database, secrets, publicUrl } = dependencies
  const policy = createOutboundPolicy({
    allowCidrs: dependencies.outboundAllowCidrs,
    isHttpAllowed: dependencies.isOutboundHttpAllowed,
  })
  const path = '/modules/notifications'

  app.get(
    path,
    {
      config: { permission: 'webhooks:read' },
      schema: {
        operationId: 'listWebhooks',
        tags: [tags.notifications],
        summary: 'List webhooks',
        description:
          'Returns webhooks, newest first. With `orderBy=health`, failing ones come first. A key that is restricted to projects sees only the webhooks of these projects.',
        querystring: Type.Object({ ...listQuery(orders), ...listedHealthQuery }),
        response: responses({
          status: 200,
          schema: listSchema('Webhooks', schemaRef('ListedWebhook')),
          description: 'One page of webhooks.',
        }),
      },
    },
    async (request, reply) => {
      const page = parsePage(request.query, orders)
      const { includeHealth = 'false' } = request.query
      const withHealth = parseBoolean(includeHealth, 'includeHealth')
      const scope = scopeOf(request)
      const found = await listWebhooks(database.kysely, scope, page)
      const healths = await readWebhookHealths(database.kysely, scope.accountId, withHealth ? found.rows : [])
      const records = found.rows.map((row) => {
        const Health = healths.get(row.id)
        return { ...webhookRecord(row), ...(Health !== undefined && { Health }) }
      })
      const { body, etag } = renderFreshList('Webhooks', records, found, page)
      return sendJson(request, reply, body, etag)
    },
  )

  app.post(
    path,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'createWebhook',
        tags: [tags.notifications],
        summary: 'Create a webhook',
        description:
          'Creates a webhook. Zoetrope posts each matching event to `TargetURL`, signed with the secret; the section Webhooks describes these requests. The response contains the secret, which is not shown again. Returns 409 if the account has as many webhooks as the installation allows.',
        body: webhookCreateSchema,
        response: responses(
          {
            status: 201,
            schema: schemaRef('WebhookWithSecret'),
            description: 'The webhook with its secret.',
          },
          409,
        ),
      },
    },
    async (request, reply) => {
      const body = request.body
      const change = { ...toChange(body, policy), ...headersChange(body, {}, secrets) }
      const secret = chosenSecret(body.Secret)
      const scope = scopeOf(request)
      await checkNamedProject(database.kysely, scope, body.ProjectId ?? null)
      const row = await database.transaction(async (tx) => {
        await checkMayAddWebhook(tx, scope.accountId, dependencies.maxWebhooksPerAccount)
        const made = await insertWebhook(tx, scope.accountId, {
          ...change,
          target_url: body.TargetURL,
          event_types: checkEventTypes(body.EventTypes),
          ...sealSecret(secret, secrets),
        })
        await recordWebhookAct(tx, request, 'webhook.created', null, made)
        return made
      })
      reply.code(201).header('Location', `${publicUrl}/v3${path}/${row.id}`)
      return sendJson(
        request,
        reply,
        JSON.stringify({ ...webhookRecord(row), Secret: secret }),
        etagOfWebhook(row),
      )
    },
  )

  app.get(
    `${path}/:webhookId`,
    {
      config: { permission: 'webhooks:read' },
      schema: {
        operationId: 'getWebhook',
        tags: [tags.notifications],
        summary: 'Get a webhook',
        description:
          'Returns the settings of a webhook, the last characters of its secret and, if Zoetrope disabled it, the reason.',
        params: webhookParams,
        response: responses({ status: 200, schema: schemaRef('Webhook'), description: 'The webhook.' }, 404),
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params
      const row = await findWebhook(database.kysely, scopeOf(request), webhookId)
      return sendJson(request, reply, JSON.stringify(webhookRecord(row)), etagOfWebhook(row))
    },
  )

  app.put(
    `${path}/:webhookId`,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'updateWebhook',
        tags: [tags.notifications],
        summary: 'Update a webhook',
        description:
          'Changes only the fields that you send; `null` clears a field. A disabled webhook gets no new deliveries and keeps the waiting ones; when you enable it, they are sent at once, in order. `discard=true` cancels them instead. `IsEnabled` true and a new `TargetURL` end a pause and reset the failure count.',
        params: webhookParams,
        querystring: updateQuery,
        body: webhookUpdateSchema,
        response: responses(
          { status: 200, schema: schemaRef('Webhook'), description: 'The whole webhook.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params
      const body = request.body
      const scope = scopeOf(request)
      const row = await updateWebhook(database, request, {
        webhookId,
        change: toChange(body, policy),
        lateChange: (before) => {
          const headers = headersChange(body, before.sealed_headers, secrets)
          checkHeadersOfTarget(body.CustomHeaders === null ? {} : body.CustomHeaders, before, body.TargetURL)
          return headers
        },
        isDiscarding: request.query.discard === true,
        check: async (tx, before) => {
          checkIfMatch(request, etagOfWebhook(before))
          if (body.ProjectId !== undefined && body.ProjectId !== before.project_id)
            await checkNamedProject(tx, scope, body.ProjectId)
        },
      })
      return sendJson(request, reply, JSON.stringify(webhookRecord(row)), etagOfWebhook(row))
    },
  )

  app.delete(
    `${path}/:webhookId`,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'deleteWebhook',
        tags: [tags.notifications],
        summary: 'Delete a webhook',
        description: 'Deletes a webhook for good. Outstanding deliveries are cancelled.',
        params: webhookParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The deleted record.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params
      const deletedAt = new Date()
      await database.transaction(async (tx) => {
        const before = await lockWebhook(tx, scopeOf(request), webhookId)
        checkIfMatch(request, etagOfWebhook(before))
        await changeWebhook(tx, before, { deleted_at: deletedAt })
        await recordWebhookAct(tx, request, 'webhook.deleted', before, null)
      })
      await cancelUnfinished(database, webhookId)
      return reply.send({ Id: webhookId, IsEnabled: false, DeletedAt: toTimestamp(deletedAt) })
    },
  )

  app.post(
    `${path}/:webhookId/rotatesecret`,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'rotateWebhookSecret',
        tags: [tags.notifications],
        summary: 'Rotate a webhook secret',
        description:
          'Creates a new secret. For 24 hours, requests are signed with both secrets, so that receivers can switch.',
        params: webhookParams,
        body: rotateSecretSchema,
        response: responses(
          {
            status: 200,
            schema: schemaRef('WebhookWithSecret'),
            description: 'The webhook with its new secret.',
          },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params
      const secret = chosenSecret(request.body.Secret)
      const row = await database.transaction(async (tx) => {
        const before = await lockWebhook(tx, scopeOf(request), webhookId)
        checkIfMatch(request, etagOfWebhook(before))
        const after = await changeWebhook(tx, before, {
          ...sealSecret(secret, secrets),
          previous_sealed_secret: before.sealed_secret,
          previous_secret_until: new Date(Date.now() + overlapMs),
        })
        await recordWebhookAct(tx, request, 'webhook.secret-rotated', null, after)
        return after
      })
      return sendJson(
        request,
        reply,
        JSON.stringify({ ...webhookRecord(row), Secret: secret }),
        etagOfWebhook(row),
      )
    },
  )

  registerDeliveryRoutes(app, { database, publicUrl, path })
  registerWebhookHealthRoutes(app, { database, path })
  registerInspectorRoute(app, { database, path })
  registerReplayRoutes(app, { database, jobs: dependencies.jobs, publicUrl, path })
}
