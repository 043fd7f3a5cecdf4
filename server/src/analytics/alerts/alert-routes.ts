import type { FastifyRequest } from 'fastify'
import { actorOf, recordAct } from '../../accounts/audit/record-act.ts'
import type { AuditAction } from '../../accounts/audit/audit-action.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { checkIfMatch, sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { deletedSchema } from '../../platform/http/requests/schemas.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { registerAlertReadRoutes } from './alert-read-routes.ts'
import {
  alertCreateSchema,
  alertRecord,
  alertRule,
  alertSchema,
  alertUpdateSchema,
  type AlertRow,
} from './alert-record.ts'
import { alertParams, alertPath, alertScopeOf, alertsPath, etagOfAlert } from './alert-requests.ts'
import { changeAlert, deleteAlert, insertAlert, lockAlert, resolveAlert } from './alert-store.ts'
import { alertChange } from './check-alert.ts'

export const alertSchemas = { Alert: alertSchema }

/** The audit log contains changes of the rule only: Zoetrope itself changes the state. */
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
  registerAlertReadRoutes(app, database)
  app.post(
    alertsPath,
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
      const scope = alertScopeOf(request)
      const row = await database.transaction(async (tx) => {
        const change = await alertChange(tx, scope, request.body, null)
        const made = await insertAlert(tx, scope.accountId, { ...change, metric, operator, threshold })
        await recordAlertAct(tx, request, 'alert.created', null, made)
        return made
      })
      reply.code(201).header('Location', `${publicUrl}/v3${alertsPath}/${row.id}`)
      return sendJson(request, reply, JSON.stringify(alertRecord(row)), etagOfAlert(row))
    },
  )

  app.put(
    alertPath,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'updateAlert',
        tags: [tags.analytics],
        summary: 'Update an alert',
        description:
          'Changes only the fields that you send; `null` restores the default of a field. A firing alert that you disable is resolved. Other changes take effect with the next evaluation.',
        params: alertParams,
        body: alertUpdateSchema,
        response: responses(
          { status: 200, schema: schemaRef('Alert'), description: 'The whole alert.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const scope = alertScopeOf(request)
      const row = await database.transaction(async (tx) => {
        const before = await lockAlert(tx, scope, request.params.alertId)
        checkIfMatch(request, etagOfAlert(before))
        const after = await changeAlert(tx, before, await alertChange(tx, scope, request.body, before))
        await recordAlertAct(tx, request, 'alert.updated', before, after)
        return after.is_enabled ? after : resolveAlert(tx, after)
      })
      return sendJson(request, reply, JSON.stringify(alertRecord(row)), etagOfAlert(row))
    },
  )

  app.delete(
    alertPath,
    {
      config: { permission: 'webhooks:write' },
      schema: {
        operationId: 'deleteAlert',
        tags: [tags.analytics],
        summary: 'Delete an alert',
        description: 'Deletes an alert for good. If it is firing, it is resolved first.',
        params: alertParams,
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
        const before = await lockAlert(tx, alertScopeOf(request), alertId)
        checkIfMatch(request, etagOfAlert(before))
        await resolveAlert(tx, before)
        await deleteAlert(tx, before)
        await recordAlertAct(tx, request, 'alert.deleted', before, null)
      })
      return reply.send({ Id: alertId, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
