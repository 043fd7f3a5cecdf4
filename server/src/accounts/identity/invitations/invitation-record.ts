import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { InvitationsTable } from '../../../platform/db/tables/accounts.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import { emailSchema, projectRolesSchema, roleSchema } from '../store/user-record.ts'

export type InvitationRow = Omit<Selectable<InvitationsTable>, 'token_hash'>

export const invitationStates = ['pending', 'accepted', 'revoked', 'expired'] as const
export type InvitationState = (typeof invitationStates)[number]

const exampleInvitation = {
  Id: 12,
  Email: 'kim.lee@example.com',
  UserId: null,
  Role: 'Reader',
  ProjectRoles: [{ ProjectId: 3, Role: 'SeniorEditor' }],
  Status: 'pending',
  CreatedBy: 1,
  CreatedAt: '2026-03-01T12:00:00.000+00:00',
  ExpiresAt: '2026-03-08T12:00:00.000+00:00',
  AcceptedAt: null,
  RevokedAt: null,
}

const invitationFields = {
  Id: described(idSchema, 'Identifier of the invitation.'),
  Email: Type.String({ description: 'E-mail address of the invited person.' }),
  UserId: Type.Union([idSchema, Type.Null()], {
    description: 'User who sets a password. Null until a new user accepts.',
  }),
  Role: Type.Union([roleSchema, Type.Null()], {
    description: 'Role of the new user. Null for a password link of an existing user.',
  }),
  ProjectRoles: projectRolesSchema,
  Status: Type.Unsafe<InvitationState>({
    type: 'string',
    enum: [...invitationStates],
    description: 'State of the invitation.',
  }),
  CreatedBy: Type.Integer({ ...idSchema, description: 'User who sent the invitation.' }),
  CreatedAt: described(timestampSchema, 'Time at which the invitation was created.'),
  ExpiresAt: described(timestampSchema, 'Time at which the invitation expires.'),
  AcceptedAt: nullable(timestampSchema, 'Time at which the invitation was accepted. Null if it was not.'),
  RevokedAt: nullable(timestampSchema, 'Time at which the invitation was revoked. Null if it was not.'),
}

export const invitationSchema = Type.Object(invitationFields, {
  description: 'A single-use link with which a person sets a password.',
  examples: [exampleInvitation],
})

export const newInvitationSchema = Type.Object(
  {
    ...invitationFields,
    Token: Type.String({ description: 'Secret of the link. It is shown only once.' }),
    URL: Type.String({
      description:
        'Link to send to the person. Anyone who has it can accept. The token follows `#`, so that no log records it.',
    }),
    IsMailed: Type.Boolean({ description: 'Whether Zoetrope sends the link to the person by e-mail.' }),
  },
  {
    description: 'A new invitation with its link.',
    examples: [
      {
        ...exampleInvitation,
        Token: 'x3mH0d7Wm2dNq4JtCk8rZy1uVb6pLs9fGa5eXo0iTwY',
        URL: 'https://video.example.com/accept#x3mH0d7Wm2dNq4JtCk8rZy1uVb6pLs9fGa5eXo0iTwY',
        IsMailed: false,
      },
    ],
  },
)

export const createInvitationSchema = Type.Object(
  { Email: emailSchema, Role: roleSchema, ProjectRoles: Type.Optional(nullable(projectRolesSchema)) },
  {
    examples: [
      {
        Email: 'kim.lee@example.com',
        Role: 'Reader',
        ProjectRoles: [{ ProjectId: 3, Role: 'SeniorEditor' }],
      },
    ],
  },
)

const stateOf = ({ accepted_at, revoked_at, expires_at }: InvitationRow): InvitationState => {
  if (accepted_at !== null) return 'accepted'
  if (revoked_at !== null) return 'revoked'
  return expires_at.getTime() <= Date.now() ? 'expired' : 'pending'
}

export const invitationRecord = (row: InvitationRow) => ({
  Id: row.id,
  Email: row.email,
  UserId: row.user_id,
  Role: row.role,
  ProjectRoles: row.project_roles.map(({ projectId, role }) => ({ ProjectId: projectId, Role: role })),
  Status: stateOf(row),
  CreatedBy: row.created_by,
  CreatedAt: toTimestamp(row.created_at),
  ExpiresAt: toTimestamp(row.expires_at),
  AcceptedAt: toTimestampOrNull(row.accepted_at),
  RevokedAt: toTimestampOrNull(row.revoked_at),
})
