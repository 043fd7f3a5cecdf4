import { Type } from 'typebox'
import type { Authenticate, Principal } from '../../platform/http/requests/authenticate.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { booleanText, integerText } from '../../platform/http/openapi/openapi-query.ts'
import { errorResponses, tags } from '../../platform/http/openapi/openapi.ts'
import { createCallerStreams, mayStillRead } from '../../platform/http/responses/caller-streams.ts'
import { parseBoolean } from '../../platform/http/requests/query-values.ts'
import type { Database } from '../../platform/db/database.ts'
import { invalidField, Problem } from '../../platform/base/problem.ts'
import { auditFilterQuery, parseAuditFilters } from './audit-filters.ts'
import { streamAuditEntries } from './audit-stream.ts'

const maxStreamsPerKey = 5

/** Typed loosely, because the body of the reply is a stream. */
const response: Readonly<Record<number, object>> = {
  200: {
    description: 'One `AuditEntry` in each line, oldest first.',
    content: {
      'application/x-ndjson': {
        schema: Type.String({
          examples: ['{"Id":41,"Action":"user.updated"}\n{"Id":42,"Action":"user.deleted"}\n'],
        }),
      },
    },
  },
  ...errorResponses(429),
}

const querystring = Type.Object({
  after: Type.Optional(
    integerText(
      { description: 'Start after the entry with this `Id`. Default: the oldest entry.', maxLength: 20 },
      { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, example: 41 },
    ),
  ),
  follow: Type.Optional(booleanText('Keep the response open and send new entries. Default: false.')),
  ...auditFilterQuery,
})

const parseAfter = (text: string | undefined): number => {
  if (text === undefined) return 0
  if (!/^[1-9][0-9]{0,15}$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw invalidField('after', 'invalid_id', { value: text.slice(0, 40) })
  return Number(text)
}

const mayRead = ({ can, projectIds }: Principal): boolean => projectIds === null && can('audit:read')

export const registerAuditStreamRoutes = (
  app: HttpServer,
  { database, authenticate }: { readonly database: Database; readonly authenticate: Authenticate },
): void => {
  const streams = createCallerStreams(app, { limit: maxStreamsPerKey, reason: 'too_many_audit_streams' })

  app.get(
    '/audit/stream',
    {
      config: { permission: 'audit:read', needsFreshFactor: true },
      schema: {
        operationId: 'streamAuditEntries',
        tags: [tags.users],
        summary: 'Stream audit log entries',
        description:
          'Returns all entries as NDJSON, one entry in each line, oldest first, without pages. With `follow=true` the response stays open and sends each new entry within a second; empty lines keep the connection open. To continue, send the last `Id` as `after`: no entry is missing or repeated. The stream ends when the key is revoked, permissions change, or the server stops. Each key or user can have 5 streams at a time on each node.',
        querystring,
        response,
      },
    },
    async (request, reply) => {
      const { principal, query } = request
      if (principal.projectIds !== null) throw new Problem('key_restricted')
      const after = parseAfter(query.after)
      const isFollowing = query.follow !== undefined && parseBoolean(query.follow, 'follow')
      const filters = parseAuditFilters(query)
      reply.header('Content-Type', 'application/x-ndjson; charset=utf-8')
      return streams.send(request, reply, (signal) =>
        streamAuditEntries({
          database,
          accountId: principal.accountId,
          filters,
          after,
          isFollowing,
          mayContinue: mayStillRead(authenticate, request, mayRead),
          signal,
        }),
      )
    },
  )
}
