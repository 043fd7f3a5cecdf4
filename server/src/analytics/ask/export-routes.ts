import { Type } from 'typebox'
import type { Authenticate } from '../../platform/http/requests/authenticate.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { errorResponses, tags } from '../../platform/http/openapi/openapi.ts'
import { createCallerStreams, mayStillRead } from '../../platform/http/responses/caller-streams.ts'
import type { Database } from '../../platform/db/database.ts'
import { exportFormats, exportViews, type ExportFormat } from './export-views.ts'
import { parseViewFilters, viewFilterQuery } from './view-filters.ts'

const maxExportsPerKey = 5

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
}

/** Typed loosely, because the body of the reply is a stream. */
const response: Readonly<Record<number, object>> = {
  200: {
    description:
      'One `View` in each line, in the order in which they ended. The first line of CSV has the names of the fields.',
    content: {
      'application/x-ndjson': {
        schema: Type.String({ examples: ['{"Id":912,"ProjectId":3}\n{"Id":913,"ProjectId":3}\n'] }),
      },
      'text/csv': { schema: Type.String({ examples: ['Id,ProjectId\r\n912,3\r\n913,3\r\n'] }) },
    },
  },
  ...errorResponses(429),
}

const querystring = Type.Object({
  ...viewFilterQuery,
  format: Type.Optional(
    Type.Unsafe<ExportFormat>({
      type: 'string',
      enum: [...exportFormats],
      description: 'Format of the export. Default `ndjson`.',
    }),
  ),
})

export const registerExportRoutes = (
  app: HttpServer,
  { database, authenticate }: { readonly database: Database; readonly authenticate: Authenticate },
): void => {
  const streams = createCallerStreams(app, { limit: maxExportsPerKey, reason: 'too_many_exports' })

  app.get(
    '/analytics/sessions/export',
    {
      config: { permission: 'analytics:read' },
      schema: {
        operationId: 'exportViews',
        tags: [tags.analytics],
        summary: 'Export views',
        description:
          'Returns all views of a period that have ended, as NDJSON or CSV without pages, in the order in which they ended. In CSV, an apostrophe precedes text that a spreadsheet would interpret as a formula. If an export fails, Zoetrope breaks the connection, so that a client does not mistake it for complete. Each key or user can have 5 exports at a time on each node.',
        querystring,
        response,
      },
    },
    async (request, reply) => {
      const { query, principal } = request
      const filters = parseViewFilters(query, principal)
      const format = query.format ?? 'ndjson'
      reply
        .header('Content-Type', contentTypes[format])
        .header('Content-Disposition', `attachment; filename="views.${format}"`)
      const mayRead = (now: typeof principal): boolean =>
        now.can('analytics:read', 'somewhere') &&
        JSON.stringify(now.projectIds) === JSON.stringify(principal.projectIds)
      return streams.send(request, reply, (signal) =>
        exportViews({
          database,
          filters,
          format,
          mayContinue: mayStillRead(authenticate, request, mayRead),
          signal,
        }),
      )
    },
  )
}
