import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { sendJson } from '../../platform/http/responses/etag.ts'
import { idListText } from '../../platform/http/openapi/openapi-query.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { parseIdList, parseOneOfList } from '../../platform/http/requests/query-values.ts'
import type { Database } from '../../platform/db/database.ts'
import { alertPath, alertsPath, alertParams, alertScopeOf, etagOfAlert } from './alert-requests.ts'
import { alertRecord, alertStates } from './alert-record.ts'
import { findAlert, listAlerts } from './alert-store.ts'

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

export const registerAlertReadRoutes = (app: HttpServer, database: Database): void => {
  app.get(
    alertsPath,
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
        alertScopeOf(request),
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

  app.get(
    alertPath,
    {
      config: { permission: 'analytics:read' },
      schema: {
        operationId: 'getAlert',
        tags: [tags.analytics],
        summary: 'Get an alert',
        description: 'Returns an alert rule and its state.',
        params: alertParams,
        response: responses({ status: 200, schema: schemaRef('Alert'), description: 'The alert.' }, 404),
      },
    },
    async (request, reply) => {
      const row = await findAlert(database.kysely, alertScopeOf(request), request.params.alertId)
      return sendJson(request, reply, JSON.stringify(alertRecord(row)), etagOfAlert(row))
    },
  )
}
