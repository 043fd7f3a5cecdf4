import { permissions } from '@zoetrope/vocabulary'
import { Type } from 'typebox'
import { unauthorized, type Principal } from '../../../platform/http/requests/authenticate.ts'
import { etagOf } from '../../../platform/http/responses/etag.ts'
import { schemaRef } from '../../../platform/http/openapi/openapi.ts'
import { described, idSchema, nullable } from '../../../platform/http/requests/schemas.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { apiKeyRecord, exampleApiKey } from '../store/api-key-record.ts'
import { findApiKey } from '../store/api-key-store.ts'
import { exampleUser, nameSchema, userRecord } from '../store/user-record.ts'
import { findUser } from '../store/user-store.ts'

export const meFields = {
  Account: Type.Object(
    {
      Id: described(idSchema, 'Identifier of the account.'),
      Name: Type.String({ description: 'Name of the account.' }),
    },
    { description: 'The account that you act in.' },
  ),
  User: schemaRef('User'),
  ApiKey: nullable(schemaRef('ApiKey'), 'The API key of the request. Null in a session.'),
  Permissions: Type.Array(Type.String(), {
    description:
      'Permissions of the key or session, from the role of the user and the scopes of the key. `ProjectRoles` may change them in a project.',
    examples: [['projects:read', 'files:read', 'files:upload']],
  }),
}

export const exampleMe = {
  Account: { Id: 1, Name: 'My company' },
  User: exampleUser,
  ApiKey: exampleApiKey,
  Permissions: ['projects:read', 'files:read'],
}

export const meSchema = Type.Object(meFields, {
  description: 'The caller of the request, with its permissions.',
  examples: [exampleMe],
})

export const updateMeSchema = Type.Object(
  { Name: Type.Optional(nullable(nameSchema, 'Name of the user.')) },
  { examples: [{ Name: 'Kim Lee' }] },
)

/** Turns 'not_found' into 'unauthorized': the cached principal can outlive its user or key for a moment. */
const orUnauthorized = (error: unknown): never => {
  if (error instanceof Problem && error.code === 'not_found') throw unauthorized('access_revoked')
  throw error
}

export const readMe = async (
  queryable: Queryable,
  { accountId, userId, apiKeyId, projectIds, can }: Principal,
) => {
  const scope = { accountId, projectIds }
  const account = await queryable
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const user = await findUser(queryable, scope, userId).catch(orUnauthorized)
  const key =
    apiKeyId === null
      ? null
      : // The user can be restricted to fewer projects than the key.
        apiKeyRecord(
          await findApiKey(queryable, { accountId, projectIds: null }, apiKeyId).catch(orUnauthorized),
        )
  return {
    Account: { Id: account.id, Name: account.name },
    User: userRecord(user),
    ApiKey: key,
    Permissions: permissions.filter((permission) => can(permission)),
  }
}

/** Returns the ETag that `If-Match` compares. Sign-ins and changes of API keys do not change it. */
export const etagOfMe = (me: Awaited<ReturnType<typeof readMe>>): string =>
  etagOf(
    JSON.stringify({
      ...me,
      User: { ...me.User, LastSignInAt: null, ApiKeyCount: null },
      ApiKey: me.ApiKey && { ...me.ApiKey, LastUsedAt: null, LastUsedAddress: null },
    }),
  )
