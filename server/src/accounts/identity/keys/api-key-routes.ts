import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { checkIfMatch, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../../platform/http/responses/paging.ts'
import { checkText, parseIdList } from '../../../platform/http/requests/query-values.ts'
import { timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { apiKeyRecord, updateApiKeySchema } from '../store/api-key-record.ts'
import {
  apiKeyParams,
  apiKeyScopeOf,
  etagOfApiKey,
  wholeAccountOf,
  type ApiKeyRouteDependencies,
} from './api-key-request.ts'
import { toApiKeyChange } from './api-key-rules.ts'
import {
  apiKeyOrders,
  type ApiKeyFilters,
  changeApiKey,
  findApiKey,
  listApiKeys,
} from '../store/api-key-store.ts'
import { registerKeyPolicyRoutes } from './key-policy-routes.ts'
import { registerNewApiKeyRoutes } from './new-api-key-routes.ts'
import { idListQuery, searchQuery } from '../store/list-filters.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { findUser } from '../store/user-store.ts'

const orders = Object.keys(apiKeyOrders)

const listApiKeysQuery = Type.Object({
  ...listQuery(orders),
  userId: Type.Optional(idListQuery('Keys of any of these users.')),
  isRevoked: Type.Optional(Type.Boolean({ description: 'Whether the key is revoked.' })),
  isEnabled: Type.Optional(
    Type.Boolean({ description: 'Whether the key works: neither revoked nor expired.' }),
  ),
  search: Type.Optional(searchQuery('Search words. The label must contain all of them.')),
})

const parseApiKeyFilters = (query: Static<typeof listApiKeysQuery>): ApiKeyFilters => ({
  ...(query.userId === undefined ? {} : { userIds: parseIdList(query.userId, 'userId') }),
  ...(query.isRevoked === undefined ? {} : { isRevoked: query.isRevoked }),
  ...(query.isEnabled === undefined ? {} : { isEnabled: query.isEnabled }),
  ...(query.search === undefined ? {} : { search: checkText(query.search, 'search') }),
})

const revokedKeySchema = Type.Object(
  { Id: Type.String({ format: 'uuid' }), IsEnabled: Type.Boolean(), DeletedAt: timestampSchema },
  {
    examples: [
      {
        Id: '3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11',
        IsEnabled: false,
        DeletedAt: '2026-03-01T12:00:00+00:00',
      },
    ],
  },
)

export const registerApiKeyRoutes = (app: HttpServer, dependencies: ApiKeyRouteDependencies): void => {
  const { database, verifier } = dependencies
  registerKeyPolicyRoutes(app, dependencies)
  registerNewApiKeyRoutes(app, dependencies)

  app.get(
    '/apikeys',
    {
      config: { permission: 'keys:read' },
      schema: {
        operationId: 'listApiKeys',
        tags: [tags.apiKeys],
        summary: 'List API keys',
        description:
          'Returns the keys of all users of the account, newest first, including revoked ones. Tokens are never returned.',
        querystring: listApiKeysQuery,
        response: responses({
          status: 200,
          schema: listSchema('ApiKeys', schemaRef('ApiKey')),
          description: 'One page of keys.',
        }),
      },
    },
    async (request, reply) => {
      const query = request.query
      const page = parsePage(query, orders)
      const filters = parseApiKeyFilters(query)
      const found = await listApiKeys(database.kysely, apiKeyScopeOf(request.principal), filters, page)
      const { body, etag } = renderFreshList('ApiKeys', found.rows.map(apiKeyRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )

  app.get(
    '/apikeys/:keyUuid',
    {
      config: { permission: 'keys:read' },
      schema: {
        operationId: 'getApiKey',
        tags: [tags.apiKeys],
        summary: 'Get an API key',
        description:
          'Returns permissions and last use of a key, never the token. `LastUsedAt` and `LastUsedAddress` do not change the ETag.',
        params: apiKeyParams,
        response: responses({ status: 200, schema: schemaRef('ApiKey'), description: 'The key.' }, 404),
      },
    },
    async (request, reply) => {
      const { keyUuid } = request.params
      const row = await findApiKey(database.kysely, apiKeyScopeOf(request.principal), keyUuid)
      return sendJson(request, reply, JSON.stringify(apiKeyRecord(row)), etagOfApiKey(row))
    },
  )

  app.put(
    '/apikeys/:keyUuid',
    {
      config: { permission: 'keys:write', needsFreshFactor: true },
      schema: {
        operationId: 'updateApiKey',
        tags: [tags.apiKeys],
        summary: 'Update an API key',
        description:
          'Changes only the fields that you send. `Scopes` and `ProjectIds` can only be narrowed. `ExpiresAt` cannot be later than the expiry in the token, that of the calling key, or the `MaxLifetimeDays` of the account after the creation. Takes effect on every node within two seconds.',
        params: apiKeyParams,
        body: updateApiKeySchema,
        response: responses(
          { status: 200, schema: schemaRef('ApiKey'), description: 'The whole key.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { keyUuid } = request.params
      const row = await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        const before = await findApiKey(tx, apiKeyScopeOf(caller), keyUuid)
        checkIfMatch(request, etagOfApiKey(before))
        const body = request.body
        const owner = await findUser(tx, wholeAccountOf(caller), before.user_id)
        const after = await changeApiKey(tx, before, await toApiKeyChange(tx, caller, owner, before, body))
        await recordAct(tx, actorOf(request), {
          action: 'apikey.updated',
          subject: 'ApiKey',
          subjectId: keyUuid,
          before: apiKeyRecord(before),
          after: apiKeyRecord(after),
        })
        return after
      })
      verifier.evict(keyUuid)
      return sendJson(request, reply, JSON.stringify(apiKeyRecord(row)), etagOfApiKey(row))
    },
  )

  app.delete(
    '/apikeys/:keyUuid',
    {
      config: { permission: 'keys:write' },
      schema: {
        operationId: 'revokeApiKey',
        tags: [tags.apiKeys],
        summary: 'Revoke an API key',
        description: 'Revokes a key for good. Every node refuses it within two seconds.',
        params: apiKeyParams,
        response: responses(
          { status: 200, schema: revokedKeySchema, description: 'The revoked record.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { keyUuid } = request.params
      const revokedAt = new Date()
      await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        const before = await findApiKey(tx, apiKeyScopeOf(caller), keyUuid)
        checkIfMatch(request, etagOfApiKey(before))
        await changeApiKey(tx, before, { revoked_at: revokedAt })
        await recordAct(tx, actorOf(request), {
          action: 'apikey.revoked',
          subject: 'ApiKey',
          subjectId: keyUuid,
          before: apiKeyRecord(before),
        })
      })
      verifier.evict(keyUuid)
      return reply.send({ Id: keyUuid, IsEnabled: false, DeletedAt: toTimestamp(revokedAt) })
    },
  )
}
