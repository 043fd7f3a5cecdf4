import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { etagOf, sendJson } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import { idSchema, nullable } from '../http/schemas.ts'
import type { Database } from '../kernel/db/database.ts'
import { apiKeyRecord } from './api-key-record.ts'
import { findApiKey } from './api-key-store.ts'
import { permissions } from './permissions.ts'
import { userRecord } from './user-record.ts'
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
  { description: 'Who a request is, and what it may do.' },
)

export const registerMeRoute = (app: FastifyInstance, { database }: { readonly database: Database }): void => {
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
      const user = await findUser(database.kysely, scope, userId)
      const body = JSON.stringify({
        Account: { Id: account.id, Name: account.name },
        User: userRecord(user),
        ApiKey: apiKeyId === null ? null : apiKeyRecord(await findApiKey(database.kysely, scope, apiKeyId)),
        Permissions: permissions.filter((permission) => can(permission)),
      })
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}
