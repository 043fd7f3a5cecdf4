import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import type { Database } from '../../platform/db/database.ts'
import { readPage } from '../../platform/db/keyset.ts'
import { matchingViews, parseViewFilters, viewFilterQuery } from './view-filters.ts'
import { viewRecord } from '../sessions/view-record.ts'

const sessionQuery = Type.Object({ ...listQuery(), ...viewFilterQuery })

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
          'Returns views that have ended, newest first. A view ends when the player reports its end, or ten minutes after its last report. Rows contain no address and no identifier of the viewer. They are kept for 30 days (`ZOETROPE_ANALYTICS_VIEW_DAYS`).',
        querystring: sessionQuery,
        response: responses({
          status: 200,
          schema: listSchema('Views', schemaRef('View')),
          description: 'One page of views.',
        }),
      },
    },
    async (request, reply) => {
      const { query } = request
      const page = parsePage(query)
      const matching = matchingViews(database.kysely, parseViewFilters(query, request.principal))
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
