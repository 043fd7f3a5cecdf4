import { sql } from 'kysely'
import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { sendJson } from '../../platform/http/responses/etag.ts'
import { idListText } from '../../platform/http/openapi/openapi-query.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { parseIdList, parseOneOfList } from '../../platform/http/requests/query-values.ts'
import type { Database } from '../../platform/db/database.ts'
import { readPage } from '../../platform/db/keyset.ts'
import { bothScopes } from '../../library/usage/project-scope.ts'
import { parsePeriod, periodQuery } from './period.ts'
import { viewKinds, viewRecord } from './view-record.ts'

const sessionQuery = Type.Object({
  ...listQuery(),
  ...periodQuery,
  projectId: Type.Optional(idListText('Views of these projects only. Comma-separated list.')),
  fileId: Type.Optional(idListText('Views of these files only. Comma-separated list.')),
  kind: Type.Optional(
    Type.String({
      description: 'Kinds of views: `viewer` (default), `bot`, `preview`. Comma-separated list.',
      maxLength: 100,
      examples: ['viewer'],
    }),
  ),
})

export const registerSessionAnalyticsRoutes = (
  app: HttpServer,
  { database }: { readonly database: Database },
): void => {
  app.get(
    '/analytics/sessions',
    {
      config: { permission: 'analytics:read' },
      schema: {
        operationId: 'listViews',
        tags: [tags.analytics],
        summary: 'List views',
        description:
          'Returns views that have ended, newest first. A view ends when the player says so, or ten minutes after its last report. Rows contain no address and no identifier of the viewer. They are kept for 30 days (`ZOETROPE_ANALYTICS_VIEW_DAYS`).',
        querystring: sessionQuery,
        response: responses({
          status: 200,
          schema: listSchema('Views', schemaRef('View')),
          description: 'One page of views.',
        }),
      },
    },
    async (request, reply) => {
      const { accountId, projectIds: visible } = request.principal
      const { query } = request
      const page = parsePage(query)
      const { from, to } = parsePeriod(query, 'hour')
      const asked = query.projectId === undefined ? null : parseIdList(query.projectId, 'projectId')
      const projectIds = bothScopes(visible, asked)
      const fileIds = query.fileId === undefined ? null : parseIdList(query.fileId, 'fileId')
      const kinds =
        query.kind === undefined ? ['viewer' as const] : parseOneOfList(query.kind, 'kind', viewKinds)
      const matching = database.kysely
        .selectFrom('views')
        .where('account_id', '=', accountId)
        .where('ended_at', '>=', from)
        .where('ended_at', '<', to)
        .where('kind', 'in', kinds)
        .$if(projectIds !== null, (found) =>
          found.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::bigint[])`),
        )
        .$if(fileIds !== null, (found) =>
          found.where(sql<boolean>`file_id = any(${[...(fileIds ?? [])]}::bigint[])`),
        )
      const found = await readPage(matching.selectAll(), page, null)
      const { count } = await matching
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const { body, etag } = renderFreshList(
        'Views',
        found.rows.map(viewRecord),
        { ...found, totalCount: count },
        page,
      )
      return sendJson(request, reply, body, etag)
    },
  )
}
