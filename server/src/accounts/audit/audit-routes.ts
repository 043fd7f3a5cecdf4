import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/base/problem.ts'
import { auditFilterQuery, parseAuditFilters } from './audit-filters.ts'
import { auditEntryRecord } from './audit-record.ts'
import { listAuditEntries } from './audit-store.ts'

export const registerAuditRoutes = (app: HttpServer, { database }: { readonly database: Database }): void => {
  app.get(
    '/audit',
    {
      config: { permission: 'audit:read' },
      schema: {
        operationId: 'listAuditEntries',
        tags: [tags.users],
        summary: 'List audit log entries',
        description:
          'Returns changes of users, keys, sessions, projects, catalog, webhooks and partners, and successful and failed sign-ins, newest first. Each entry is written in the transaction of its change, so none is missing. Entries contain field values before and after, never secrets.',
        querystring: Type.Object({ ...listQuery(), ...auditFilterQuery }),
        response: responses({
          status: 200,
          schema: listSchema('AuditEntries', schemaRef('AuditEntry')),
          description: 'One page of entries.',
        }),
      },
    },
    async (request, reply) => {
      const { accountId, projectIds } = request.principal
      if (projectIds !== null) throw new Problem('key_restricted')
      const query = request.query
      const page = parsePage(query)
      const found = await listAuditEntries(database.kysely, accountId, parseAuditFilters(query), page)
      const { body, etag } = renderFreshList('AuditEntries', found.rows.map(auditEntryRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )
}
