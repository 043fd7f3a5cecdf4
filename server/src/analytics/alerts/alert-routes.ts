import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actorOf, recordAct } from '../../accounts/audit/record-act.ts'
import type { AuditAction } from '../../accounts/audit/audit-action.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { checkIfMatch, recordEtag, sendJson } from '../../platform/http/responses/etag.ts'
import { idListText } from '../../platform/http/openapi/openapi-query.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { parseIdList, parseOneOfList } from '../../platform/http/requests/query-values.ts'
import { deletedSchema, idSchema } from '../../platform/http/requests/schemas.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import {
  alertCreateSchema,
  alertRecord,
  alertRule,
  alertSchema,
  alertStates,
  alertUpdateSchema,
  type AlertRow,
} from './alert-record.ts'
import {
  changeAlert,
  deleteAlert,
  findAlert,
  insertAlert,
  listAlerts,
  lockAlert,
  resolveAlert,
  type AlertScope,
} from './alert-store.ts'
import { alertChange } from './check-alert.ts'

export const alertSchemas = { Alert: alertSchema }

const path = '/analytics/alerts'
const onePath = `${path}/:alertId`
const params = Type.Object({ alertId: idSchema })

const alertQuery = Type.Object({
  ...listQuery(),
  projectId: Type.Optional(idListText('Alerts of these projects only. Comma-separated list.')),
  state: Type.Optional(
    Type.String({
      description: 'States: `firing`, `resolved`. Comma-separated list.',
      maxLength: 100,
      examples: ['firing'],
    }),
  ),
})

const etagOf = (row: AlertRow): string => recordEtag(row.id, row.version)

const scopeOf = ({ principal }: FastifyRequest): AlertScope => ({
  accountId: principal.accountId,
  projectIds: principal.projectIds,
})

/** What the state became is no act of the user. */
const recordAlertAct = (
  tx: Tx,
  request: FastifyRequest,
  action: AuditAction,
  before: AlertRow | null,
  after: AlertRow | null,
): Promise<void> =>
  recordAct(tx, actorOf(request), {
    action,
    subject: 'Alert',
    subjectId: before?.id ?? after?.id ?? 0,
    before: before === null ? null : alertRule(before),
    after: after === null ? null : alertRule(after),
  })

export const registerAlertRoutes = (
  app: HttpServer,
  { database, publicUrl }: { readonly database: Database; readonly publicUrl: string },
): void => {
  app.get(
    path,
    {
      config: { permission: 'analytics:read' },
      schema: {
        operationId: 'listAlerts',
        tags: [tags.analytics],
        summary: 'List alerts',
        description:
          'Returns alert rules with their state, newest first. A key that is restricted to projects sees only the alerts of these projects.',
        querystring: alertQuery,
        response: responses({
          status: 200,
          schema: listSchema('Alerts', schemaRef('Alert')),
          description: 'One page of alerts.',
        }),
      },
    },
    async (request, reply) => {
      const { query } = request
      const page = parsePage(query)
      const found = await listAlerts(
        database.kysely,
        scopeOf(request),
        {
          projectIds: query.projectId === undefined ? null : parseIdList(query.projectId, 'projectId'),
          states: query.state === undefined ? null : parseOneOfList(query.state, 'state', alertStates),
        },
        page,
      )
      const { body, etag } = renderFreshList('Alerts', found.rows.map(alertRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )

  app.post(
    path,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'createAlert',
        tags: [tags.analytics],
        summary: 'Create an alert',
        description:
          'Creates a rule on a metric of the last minutes. Zoetrope evaluates it each minute and sends `analytics.alert` when its condition begins, and when it ends. An account has at most 100 alerts.',
        body: alertCreateSchema,
        response: responses({ status: 201, schema: schemaRef('Alert'), description: 'The alert.' }, 409),
      },
    },
    async (request, reply) => {
      const { Metric: metric, Operator: operator, Threshold: threshold } = request.body
      const scope = scopeOf(request)
      const row = await database.transaction(async (tx) => {
        const change = await alertChange(tx, scope, request.body, null)
        const made = await insertAlert(tx, scope.accountId, { ...change, metric, operator, threshold })
        await recordAlertAct(tx, request, 'alert.created', null, made)
        return made
      })
      reply.code(201).header('Location', `${publicUrl}/v3${path}/${row.id}`)
      return sendJson(request, reply, JSON.stringify(alertRecord(row)), etagOf(row))
    },
  )

  app.get(
    onePath,
    {
      config: { permission: 'analytics:read' },
      schema: {
        operationId: 'getAlert',
        tags: [tags.analytics],
        summary: 'Get an alert',
        description: 'Returns an alert rule and its state.',
        params,
        response: responses({ status: 200, schema: schemaRef('Alert'), description: 'The alert.' }, 404),
      },
    },
    async (request, reply) => {
      const row = await findAlert(database.kysely, scopeOf(request), request.params.alertId)
      return sendJson(request, reply, JSON.stringify(alertRecord(row)), etagOf(row))
    },
  )

  app.put(
    onePath,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'updateAlert',
        tags: [tags.analytics],
        summary: 'Update an alert',
        description:
          'Changes only the fields that you send; `null` restores the default of a field. A firing alert that you disable is resolved. Other changes take effect with the next evaluation.',
        params,
        body: alertUpdateSchema,
        response: responses(
          { status: 200, schema: schemaRef('Alert'), description: 'The whole alert.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const scope = scopeOf(request)
      const row = await database.transaction(async (tx) => {
        const before = await lockAlert(tx, scope, request.params.alertId)
        checkIfMatch(request, etagOf(before))
        const after = await changeAlert(tx, before, await alertChange(tx, scope, request.body, before))
        await recordAlertAct(tx, request, 'alert.updated', before, after)
        return after.is_enabled ? after : resolveAlert(tx, after)
      })
      return sendJson(request, reply, JSON.stringify(alertRecord(row)), etagOf(row))
    },
  )

  app.delete(
    onePath,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'deleteAlert',
        tags: [tags.analytics],
        summary: 'Delete an alert',
        description: 'Deletes an alert for good. If it is firing, it is resolved first.',
        params,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The deleted record.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { alertId } = request.params
      await database.transaction(async (tx) => {
        const before = await lockAlert(tx, scopeOf(request), alertId)
        checkIfMatch(request, etagOf(before))
        await resolveAlert(tx, before)
        await deleteAlert(tx, before)
        await recordAlertAct(tx, request, 'alert.deleted', before, null)
      })
      return reply.send({ Id: alertId, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
