import { Type, type Static, type TObject } from 'typebox'
import { idListText, instantText } from '../../platform/http/openapi/openapi-query.ts'
import {
  checkText,
  parseIdList,
  parseInstantParameter,
  parseTextList,
} from '../../platform/http/requests/query-values.ts'
import { invalidField } from '../../platform/base/problem.ts'
import { actionsMatching } from './audit-action.ts'
import type { AuditFilters } from './audit-store.ts'

const filterText = (description: string, example: string, maxLength = 1_000) =>
  Type.Optional(Type.String({ description, maxLength, examples: [example] }))

/** Query parameters that select entries, beside those of the list and of the stream. */
export const auditFilterQuery = {
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
}

const parseActions = (text: string): readonly string[] => {
  const actions = actionsMatching(parseTextList(text, 'action'))
  if (actions === null) throw invalidField('action', 'unknown_actions')
  return actions
}

export const parseAuditFilters = (query: Static<TObject<typeof auditFilterQuery>>): AuditFilters => ({
  ...(query.action === undefined ? {} : { actions: parseActions(query.action) }),
  ...(query.userId === undefined ? {} : { userIds: parseIdList(query.userId, 'userId') }),
  ...(query.subject === undefined ? {} : { subjects: parseTextList(query.subject, 'subject') }),
  ...(query.subjectId === undefined ? {} : { subjectIds: parseTextList(query.subjectId, 'subjectId') }),
  ...(query.requestId === undefined ? {} : { requestId: checkText(query.requestId, 'requestId') }),
  ...(query.from === undefined ? {} : { from: parseInstantParameter(query.from, 'from') }),
  ...(query.to === undefined ? {} : { to: parseInstantParameter(query.to, 'to') }),
})
