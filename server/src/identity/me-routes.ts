import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { unauthorized } from '../http/authenticate.ts'
import { etagOf, sendJson } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import { idSchema, nullable } from '../http/schemas.ts'
import type { Database } from '../kernel/db/database.ts'
import { Problem } from '../kernel/problem.ts'
import { apiKeyRecord, exampleApiKey } from './api-key-record.ts'
import { findApiKey } from './api-key-store.ts'
import { permissions } from './permissions.ts'
import { exampleUser, userRecord } from './user-record.ts'
import { findUser } from './user-store.ts'

export const meSchema = Type.Object(
  {
    Account: Type.Object({ Id: idSchema, Name: Type.String() }),
    User: schemaRef('User'),
    ApiKey: nullable(schemaRef('ApiKey')),
    Permissions: Type.Array(Type.String(), {
      description:
        'What this key may do: role of the user and scopes of the key together. In projects that ProjectRoles names it may be more or less.',
      examples: [['projects:read', 'files:read', 'files:upload']],
    }),
  },
  {
    description: 'Who a request is, and what it may do.',
    examples: [
      {
        Account: { Id: 1, Name: 'My company' },
        User: exampleUser,
        ApiKey: exampleApiKey,
        Permissions: ['projects:read', 'files:read'],
      },
    ],
  },
)

/** A principal is believed for a moment; when its user or key has gone since, that is what the answer says. */
const orUnauthorized = (error: unknown): never => {
  if (error instanceof Problem && error.code === 'not_found')
    throw unauthorized('This API key has just been revoked.')
  throw error
}

export const registerMeRoute = (
  app: FastifyInstance,
  { database }: { readonly database: Database },
): void => {
  app.get(
    '/me',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'getMe',
        tags: [tags.users],
        summary: 'Tell who I am',
        description:
          'The account, user and key of the caller with all that it may do. Every live key may ask; a good first call to see whether a key works.',
        response: responses({ status: 200, schema: schemaRef('Me'), description: 'Who asks.' }),
      },
    },
    async (request, reply) => {
      const { accountId, userId, apiKeyId, projectIds, can } = request.principal
      const scope = { accountId, projectIds }
      const account = await database.kysely
        .selectFrom('accounts')
        .select(['id', 'name'])
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
      const user = await findUser(database.kysely, scope, userId).catch(orUnauthorized)
      const key =
        apiKeyId === null
          ? null
          : apiKeyRecord(await findApiKey(database.kysely, scope, apiKeyId).catch(orUnauthorized))
      const body = JSON.stringify({
        Account: { Id: account.id, Name: account.name },
        User: userRecord(user),
        ApiKey: key,
        Permissions: permissions.filter((permission) => can(permission)),
      })
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}
