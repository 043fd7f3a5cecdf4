import {
  projectRoles as rolesInProject,
  roles,
  type ProjectRole as RoleInProject,
  type Role,
} from '@zoetrope/vocabulary'
import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { UsersTable } from '../../../platform/db/tables/accounts.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'

export const roleSchema = Type.Unsafe<Role>({
  type: 'string',
  enum: [...roles],
  description:
    'Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.',
  examples: ['JuniorEditor'],
})

const projectRoleSchema = Type.Object({
  ProjectId: described(idSchema, 'Identifier of the project.'),
  Role: Type.Unsafe<RoleInProject>({
    type: 'string',
    enum: [...rolesInProject],
    description:
      'Role in this project. `None` hides the project from the user, who then cannot use resources of the whole account either.',
    examples: ['SeniorEditor'],
  }),
})

export const emailSchema = Type.String({
  format: 'email',
  maxLength: 254,
  description:
    'E-mail address for sign-in. It must be unique on the installation and is stored in lower case.',
  examples: ['kim.lee@example.com'],
})

export const nameSchema = Type.String({ maxLength: 200, examples: ['Kim Lee'] })

export const projectRolesSchema = Type.Array(projectRoleSchema, {
  maxItems: 500,
  description: 'Projects in which the user has another role.',
})

const exampleWrite = {
  Email: 'kim.lee@example.com',
  Name: 'Kim Lee',
  Role: 'Reader',
  ProjectRoles: [{ ProjectId: 3, Role: 'SeniorEditor' }],
}

export const exampleUser = {
  Id: 7,
  ...exampleWrite,
  IsEnabled: true,
  HasPassword: true,
  HasSecondFactor: false,
  LastSignInAt: '2026-03-01T08:30:00+00:00',
  ApiKeyCount: 2,
  CreatedAt: '2026-02-01T12:00:00+00:00',
  LastUpdateAt: '2026-02-01T12:00:00+00:00',
}

export const createUserSchema = Type.Object(
  {
    Email: emailSchema,
    Name: Type.Optional(nullable(nameSchema, 'Name of the user.')),
    Role: roleSchema,
    ProjectRoles: Type.Optional(nullable(projectRolesSchema)),
    IsEnabled: Type.Optional(
      Type.Boolean({ description: 'Whether the user may sign in and use API keys. Default true.' }),
    ),
  },
  { examples: [exampleWrite] },
)

export const updateUserSchema = Type.Object(
  {
    Email: Type.Optional(emailSchema),
    Name: Type.Optional(nullable(nameSchema, 'Name of the user.')),
    Role: Type.Optional(roleSchema),
    ProjectRoles: Type.Optional(nullable(projectRolesSchema)),
    IsEnabled: Type.Optional(
      nullable(
        Type.Boolean({
          description:
            'Whether the user may sign in and use API keys. False takes effect at once. Default true.',
        }),
      ),
    ),
  },
  { examples: [{ Role: 'JuniorEditor' }] },
)

export const userSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the user.'),
    Email: Type.String({ description: 'E-mail address for sign-in.' }),
    Name: Type.String({ description: 'Name of the user. May be empty.' }),
    Role: roleSchema,
    ProjectRoles: Type.Array(projectRoleSchema, {
      description: 'Projects in which the user has another role.',
    }),
    IsEnabled: Type.Boolean({ description: 'Whether the user may sign in and use API keys.' }),
    HasPassword: Type.Boolean({ description: 'Whether the user has a password.' }),
    HasSecondFactor: Type.Boolean({
      description: 'Whether the user has an authenticator app or a passkey.',
    }),
    LastSignInAt: nullable(
      timestampSchema,
      'Time of the last sign-in to the console. Null if there was none.',
    ),
    ApiKeyCount: Type.Integer({ description: 'Number of API keys that are neither revoked nor expired.' }),
    CreatedAt: described(timestampSchema, 'Time at which the user was created.'),
    LastUpdateAt: described(timestampSchema, 'Time of the last change of the user.'),
  },
  {
    description: 'A user of the account.',
    examples: [exampleUser],
  },
)

export interface ProjectRole {
  readonly projectId: number
  readonly role: RoleInProject
}

export interface User {
  readonly row: Selectable<UsersTable>
  readonly projectRoles: readonly ProjectRole[]
  /** Kept but not shown: these roles apply again when their project is restored. */
  readonly rolesInDeletedProjects: readonly ProjectRole[]
  readonly apiKeyCount: number
  readonly hasSecondFactor: boolean
}

export const toProjectRoles = (
  written: readonly { readonly ProjectId: number; readonly Role: RoleInProject }[],
): ProjectRole[] => written.map(({ ProjectId, Role: role }) => ({ projectId: ProjectId, role }))

export const userRecord = ({ row, projectRoles, apiKeyCount, hasSecondFactor }: User) => ({
  Id: row.id,
  Email: row.email,
  Name: row.name,
  Role: row.role,
  ProjectRoles: projectRoles.map(({ projectId, role }) => ({ ProjectId: projectId, Role: role })),
  IsEnabled: row.is_enabled,
  HasPassword: row.password_hash !== null,
  HasSecondFactor: hasSecondFactor,
  LastSignInAt: toTimestampOrNull(row.last_sign_in_at),
  ApiKeyCount: apiKeyCount,
  CreatedAt: toTimestamp(row.created_at),
  LastUpdateAt: toTimestamp(row.updated_at),
})

export const renderUser = (user: User): string => JSON.stringify(userRecord(user))

/** Returns the text behind the ETag of a user. Sign-ins and changes of API keys do not change it. */
export const renderUserVersion = (user: User): string =>
  JSON.stringify({ ...userRecord(user), LastSignInAt: null, ApiKeyCount: null })
