import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { idListText, instantText } from '../../platform/http/openapi/openapi-query.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import {
  checkText,
  parseIdList,
  parseInstantParameter,
  parseTextList,
} from '../../platform/http/requests/query-values.ts'
import { described, idSchema, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import type { Database } from '../../platform/db/database.ts'
import { invalidField, Problem } from '../../platform/base/problem.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { actionsMatching, auditActions } from './audit-action.ts'
import { listAuditEntries, type AuditEntryRow, type AuditFilters } from './audit-store.ts'

const valueSchema = Type.Unsafe<unknown>({
  description: 'Value as in the record. Secrets are hidden and long values are cut.',
})

export const auditEntrySchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the entry.'),
    OccurredAt: described(timestampSchema, 'Time at which it happened.'),
    Action: Type.Unsafe<string>({ type: 'string', enum: [...auditActions], description: 'What was done.' }),
    User: nullable(
      Type.Object({
        Id: described(idSchema, 'Identifier of the user.'),
        Email: Type.String({ description: 'E-mail address of the user.' }),
        Name: Type.String({ description: 'Present name of the user.' }),
      }),
      'User who did it. Null for Zoetrope itself and for failed sign-ins.',
    ),
    ApiKeyId: nullable(Type.String({ format: 'uuid' }), 'API key that was used. Null if none was.'),
    SessionId: nullable(
      Type.String({ format: 'uuid' }),
      'Session in which it was done. Null if there was none.',
    ),
    Address: Type.String({ description: 'Network address of the request. Empty for Zoetrope itself.' }),
    RequestId: Type.String({ description: '`X-Request-Id` of the request. Empty for Zoetrope itself.' }),
    Subject: Type.String({ description: 'Kind of record that was changed.' }),
    SubjectId: Type.String({ description: 'Identifier of the record.' }),
    Changes: Type.Array(
      Type.Object({
        Field: Type.String({ description: 'Path of the field.' }),
        Before: Type.Optional(valueSchema),
        After: Type.Optional(valueSchema),
        Added: Type.Optional(Type.Array(valueSchema, { description: 'Elements added to a list.' })),
        Removed: Type.Optional(Type.Array(valueSchema, { description: 'Elements removed from a list.' })),
      }),
      { description: 'Fields that were changed. Secrets are hidden and long values are cut.' },
    ),
  },
  {
    description: 'An entry of the audit log.',
    examples: [
      {
        Id: 41,
        OccurredAt: '2026-03-01T12:00:00.000+00:00',
        Action: 'user.updated',
        User: { Id: 1, Email: 'admin@example.com', Name: 'Administrator' },
        ApiKeyId: null,
        SessionId: '0b7a5f1e-7d15-4f5b-9a43-2f1c5f8f6d10',
        Address: '192.0.2.7',
        RequestId: '0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21',
        Subject: 'User',
        SubjectId: '7',
        Changes: [{ Field: 'Role', Before: 'Reader', After: 'JuniorEditor' }],
      },
    ],
  },
)

const filterText = (description: string, example: string, maxLength = 1_000) =>
  Type.Optional(Type.String({ description, maxLength, examples: [example] }))

const auditQuery = Type.Object({
  ...listQuery(),
  action: filterText(
    'Entries with any of these actions or families such as `user.*`. Comma-separated list.',
    'user.*',
  ),
  userId: Type.Optional(
    idListText('Entries of any of these users. Comma-separated list.', {
      maxLength: 1_000,
      example: 7,
    }),
  ),
  subject: filterText('Entries about these kinds of records, such as `User` or `ApiKey`.', 'User', 200),
  subjectId: filterText('Entries about the records with these Ids.', '7'),
  requestId: filterText(
    'Entries of the request with this `X-Request-Id`.',
    '0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21',
    128,
  ),
  from: Type.Optional(instantText('Entries at or after this time.', '2026-03-01T00:00:00+00:00')),
  to: Type.Optional(instantText('Entries before this time.', '2026-04-01T00:00:00+00:00')),
})

const parseActions = (text: string): readonly string[] => {
  const actions = actionsMatching(parseTextList(text, 'action'))
  if (actions === null) throw invalidField('action', 'unknown_actions')
  return actions
}

const parseFilters = (query: Static<typeof auditQuery>): AuditFilters => ({
  ...(query.action === undefined ? {} : { actions: parseActions(query.action) }),
  ...(query.userId === undefined ? {} : { userIds: parseIdList(query.userId, 'userId') }),
  ...(query.subject === undefined ? {} : { subjects: parseTextList(query.subject, 'subject') }),
  ...(query.subjectId === undefined ? {} : { subjectIds: parseTextList(query.subjectId, 'subjectId') }),
  ...(query.requestId === undefined ? {} : { requestId: checkText(query.requestId, 'requestId') }),
  ...(query.from === undefined ? {} : { from: parseInstantParameter(query.from, 'from') }),
  ...(query.to === undefined ? {} : { to: parseInstantParameter(query.to, 'to') }),
})

const auditEntryRecord = (row: AuditEntryRow) => ({
  Id: row.id,
  OccurredAt: toTimestamp(row.occurred_at),
  Action: row.action,
  User:
    row.user_id === null ? null : { Id: row.user_id, Email: row.user_email ?? '', Name: row.user_name ?? '' },
  ApiKeyId: row.api_key_id,
  SessionId: row.session_id,
  Address: row.address,
  RequestId: row.request_id,
  Subject: row.subject,
  SubjectId: row.subject_id,
  Changes: row.changes,
})

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
        querystring: auditQuery,
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
      const found = await listAuditEntries(database.kysely, accountId, parseFilters(query), page)
      const { body, etag } = renderFreshList('AuditEntries', found.rows.map(auditEntryRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )
}
