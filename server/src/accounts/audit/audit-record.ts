import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { auditActions } from './audit-action.ts'
import type { AuditEntryRow } from './audit-store.ts'

const valueSchema = Type.Unsafe<unknown>({
  description: 'Value as in the record. Secrets are hidden and long values are cut.',
})

export const auditEntrySchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the entry.'),
    OccurredAt: described(timestampSchema, 'Time at which it happened.'),
    Action: Type.Unsafe<string>({
      type: 'string',
      enum: [...auditActions],
      description: 'Name of the action.',
    }),
    User: nullable(
      Type.Object({
        Id: described(idSchema, 'Identifier of the user.'),
        Email: Type.String({ description: 'E-mail address of the user.' }),
        Name: Type.String({ description: 'Current name of the user.' }),
      }),
      'User who performed it. Null for Zoetrope itself and for failed sign-ins.',
    ),
    ApiKeyId: nullable(Type.String({ format: 'uuid' }), 'API key that was used. Null if none was.'),
    SessionId: nullable(
      Type.String({ format: 'uuid' }),
      'Session in which it was performed. Null if there was none.',
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

export const auditEntryRecord = (row: AuditEntryRow) => ({
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
