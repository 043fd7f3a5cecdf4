import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { checkIfMatch } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import { invalidField } from '../kernel/problem.ts'
import {
  apiKeyRecord,
  createApiKeySchema,
  defaultOverlapSeconds,
  rotateApiKeySchema,
} from './api-key-record.ts'
import { apiKeyParams, apiKeyScopeOf, etagOfApiKey, type ApiKeyRouteDependencies } from './api-key-request.ts'
import { checkMayGrant, checkProjects, checkScopes, parseNewExpiry } from './api-key-rules.ts'
import { findApiKey, lockApiKey } from './api-key-store.ts'
import { issueApiKey, type IssuedApiKey } from './api-keys.ts'
import { rotateApiKey } from './rotate-api-key.ts'
import { holdUser } from './user-store.ts'

/** The two routes that answer a token, once. */
export const registerNewApiKeyRoutes = (
  app: FastifyInstance,
  dependencies: ApiKeyRouteDependencies,
): void => {
  const { database, signingKeys, issuer, verifier, publicUrl } = dependencies

  const sendToken = (reply: FastifyReply, { row, token }: IssuedApiKey): FastifyReply =>
    reply
      .code(201)
      .header('Location', `${publicUrl}/v3/apikeys/${row.jti}`)
      .header('ETag', etagOfApiKey(row))
      .header('Cache-Control', 'no-store')
      .send({ ...apiKeyRecord(row), Token: token })

  app.post(
    '/apikeys',
    {
      config: { permission: 'keys:write' },
      schema: {
        operationId: 'createApiKey',
        tags: [tags.apiKeys],
        summary: 'Create an API key',
        description:
          'For the calling user, or for another one with UserId. It can never do more than the key that creates it, nor more than its user. The token is shown only in this answer.',
        body: createApiKeySchema,
        response: responses({
          status: 201,
          schema: schemaRef('NewApiKey'),
          description: 'The key with its token.',
        }),
      },
    },
    async (request, reply) => {
      const body = request.body as Static<typeof createApiKeySchema>
      const { principal } = request
      const scopes = body.Scopes ?? ['*']
      checkScopes(scopes)
      checkMayGrant(principal, scopes)
      const projectIds = body.ProjectIds ?? principal.projectIds
      const expiresAt = parseNewExpiry(body.ExpiresAt ?? null)
      const userId = body.UserId ?? principal.userId
      const issued = await database.transaction(async (tx) => {
        await checkProjects(tx, principal, projectIds)
        if (!(await holdUser(tx, principal.accountId, userId)))
          throw invalidField('UserId', `names the unknown user ${userId}.`)
        return issueApiKey(tx, signingKeys, issuer, {
          accountId: principal.accountId,
          userId,
          label: body.Label.trim(),
          scopes,
          projectIds,
          expiresAt,
        })
      })
      return sendToken(reply, issued)
    },
  )

  app.post(
    '/apikeys/:keyUuid/rotate',
    {
      config: { permission: 'keys:write' },
      schema: {
        operationId: 'rotateApiKey',
        tags: [tags.apiKeys],
        summary: 'Replace an API key by a new one',
        description:
          'Answers a new key with the same label, user, scopes and projects. The old one works on for OverlapSeconds, so that your systems can change over without a gap.',
        params: apiKeyParams,
        body: rotateApiKeySchema,
        response: responses(
          { status: 201, schema: schemaRef('NewApiKey'), description: 'The new key with its token.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { keyUuid } = request.params as Static<typeof apiKeyParams>
      const { OverlapSeconds, ExpiresAt } = request.body as Static<typeof rotateApiKeySchema>
      const issued = await database.transaction(async (tx) => {
        const scope = apiKeyScopeOf(request)
        const { account_id, user_id } = await findApiKey(tx, scope, keyUuid)
        await holdUser(tx, account_id, user_id)
        const before = await lockApiKey(tx, scope, keyUuid)
        checkIfMatch(request, etagOfApiKey(before))
        checkMayGrant(request.principal, before.scopes)
        return rotateApiKey(tx, signingKeys, issuer, before, {
          overlapSeconds: OverlapSeconds ?? defaultOverlapSeconds,
          expiresAt: ExpiresAt === undefined ? undefined : parseNewExpiry(ExpiresAt),
        })
      })
      verifier.forget(keyUuid)
      return sendToken(reply, issued)
    },
  )
}
