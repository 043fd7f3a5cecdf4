import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../../accounts/audit/record-act.ts'
import { etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { idSchema, parseInstant } from '../../../platform/http/requests/schemas.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { checkNamedProject } from '../../../library/projects/check-named-project.ts'
import { checkEventTypes } from './check-webhook.ts'
import { checkEnabled } from './delivery-store.ts'
import type { DeliveryRouteDependencies } from './delivery-routes.ts'
import { endPause } from '../health/health-store.ts'
import { replayEventsJob } from '../replay/replay-job.ts'
import { replayCreateSchema, replayRecord } from '../replay/replay-record.ts'
import { findReplay, insertReplay, planReplay, type ReplayRange } from '../replay/replay-store.ts'
import type { WebhookRow } from '../store/webhook-record.ts'
import { scopeOf, webhookParams } from '../store/webhook-request.ts'
import { findWebhook, lockWebhook } from '../store/webhook-store.ts'

export interface ReplayRouteDependencies extends DeliveryRouteDependencies {
  readonly jobs: Pick<Jobs, 'enqueue'>
}

const replayParams = Type.Object({ webhookId: idSchema, replayId: idSchema })

const parseRange = (body: Static<typeof replayCreateSchema>, webhook: WebhookRow): ReplayRange => {
  const from = parseInstant(body.From, 'From')
  const to = typeof body.To === 'string' ? parseInstant(body.To, 'To') : new Date()
  if (to < from && typeof body.To !== 'string') throw invalidField('From', 'in_future')
  if (to < from) throw invalidField('To', 'earlier_than', { other: 'From' })
  const events = body.Events ?? null
  const own = webhook.project_id
  const wanted = body.ProjectId ?? null
  if (own !== null && wanted !== null && own !== wanted)
    throw invalidField('ProjectId', 'project_not_of_webhook', { projectId: own })
  return {
    from,
    to,
    events: events === null ? null : checkEventTypes(events, 'Events'),
    projectId: wanted ?? own,
  }
}

/**
 * Checks that the project exists, unless the webhook is limited to it: a deleted project still has its events.
 */
const checkWantedProject = async (
  queryable: Queryable,
  request: FastifyRequest,
  { project_id }: WebhookRow,
  { projectId }: ReplayRange,
): Promise<void> => {
  if (projectId !== project_id) await checkNamedProject(queryable, scopeOf(request), projectId)
}

export const registerReplayRoutes = (app: HttpServer, dependencies: ReplayRouteDependencies): void => {
  const { database, jobs, publicUrl, path } = dependencies

  app.post(
    `${path}/:webhookId/replay`,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'replayEvents',
        tags: [tags.notifications],
        summary: 'Replay events',
        description:
          'Sends the stored events of a time range again. Use it after an outage of your system, or to feed a new system with earlier events. Each event that matches the webhook gets a new delivery, in the original order and with the record of that time. Waiting deliveries are sent first. Each delivery keeps its `webhook-id`, so receivers that ignore duplicates process only new events. Test events are not replayed. Get the replay to follow its progress. Returns 409 while another replay of the webhook is running.',
        params: webhookParams,
        body: replayCreateSchema,
        response: responses(
          { status: 201, schema: schemaRef('Replay'), description: 'The new replay.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params
      const found = await findWebhook(database.kysely, scopeOf(request), webhookId)
      checkEnabled(found)
      const range = parseRange(request.body, found)
      await checkWantedProject(database.kysely, request, found, range)
      const plan = await planReplay(database.kysely, found, range)
      const row = await database.transaction(async (tx) => {
        const webhook = await lockWebhook(tx, scopeOf(request), webhookId)
        checkEnabled(webhook)
        if (webhook.version !== found.version) throw new Problem('webhook_changed', { webhookId })
        const replay = await insertReplay(tx, webhook, plan)
        await jobs.enqueue(tx, replayEventsJob, { replayId: replay.id, run: replay.run, fullLooks: 0 })
        await endPause(tx, webhook.id)
        await recordAct(tx, actorOf(request), {
          action: 'webhook.replayed',
          subject: 'Webhook',
          subjectId: webhookId,
          after: { ReplayId: replay.id, From: toTimestamp(range.from), To: toTimestamp(range.to) },
        })
        return replay
      })
      const body = JSON.stringify(replayRecord(row))
      reply.code(201).header('Location', `${publicUrl}/v3${path}/${webhookId}/replays/${row.id}`)
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.get(
    `${path}/:webhookId/replays/:replayId`,
    {
      config: { permission: 'webhooks:read' },
      schema: {
        operationId: 'getReplay',
        tags: [tags.notifications],
        summary: 'Get a replay',
        description: 'Returns the number of events in the replay and of the deliveries created so far.',
        params: replayParams,
        response: responses({ status: 200, schema: schemaRef('Replay'), description: 'The replay.' }, 404),
      },
    },
    async (request, reply) => {
      const { webhookId, replayId } = request.params
      const scope = scopeOf(request)
      await findWebhook(database.kysely, scope, webhookId)
      const row = await findReplay(database.kysely, { ...scope, webhookId }, replayId)
      const body = JSON.stringify(replayRecord(row))
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}
