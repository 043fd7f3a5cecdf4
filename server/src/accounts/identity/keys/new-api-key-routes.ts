import type { FastifyReply } from 'fastify'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { checkIfMatch } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import {
  apiKeyRecord,
  createApiKeySchema,
  defaultOverlapSeconds,
  rotateApiKeySchema,
} from '../store/api-key-record.ts'
import {
  apiKeyParams,
  apiKeyScopeOf,
  etagOfApiKey,
  wholeAccountOf,
  type ApiKeyRouteDependencies,
} from './api-key-request.ts'
import {
  checkMayGrant,
  checkOpensNoNetwork,
  checkProjects,
  checkScopes,
  endOfNewKey,
  networksOfKey,
} from './api-key-rules.ts'
import { mailNewKey } from './mail-new-key.ts'
import { readKeyPolicy } from './key-policy.ts'
import { findApiKey } from '../store/api-key-store.ts'
import { issueApiKey, type IssuedApiKey } from '../authentication/api-keys.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import type { Caller } from '../permissions/principal.ts'
import { rotateApiKey, sameLifetime } from './rotate-api-key.ts'
import type { User } from '../store/user-record.ts'
import { findUser } from '../store/user-store.ts'

const findOwner = (tx: Tx, caller: Caller, userId: number): Promise<User> =>
  findUser(tx, wholeAccountOf(caller), userId).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'not_found'
      ? invalidField('UserId', 'unknown_user', { userId })
      : error
  })

export const registerNewApiKeyRoutes = (app: HttpServer, dependencies: ApiKeyRouteDependencies): void => {
  const { database, signingKeys, issuer, verifier, publicUrl, mails } = dependencies

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
      config: { permission: 'keys:write', needsFreshFactor: true },
      schema: {
        operationId: 'createApiKey',
        tags: [tags.apiKeys],
        summary: 'Create an API key',
        description:
          'Creates an API key for the caller, or with `UserId` for another user. The key never has more permissions than its user or the calling key, and does not outlive the calling key: without `ExpiresAt` it expires with it. The token is shown only in this response.',
        body: createApiKeySchema,
        response: responses({
          status: 201,
          schema: schemaRef('NewApiKey'),
          description: 'The key with its token.',
        }),
      },
    },
    async (request, reply) => {
      const body = request.body
      const scopes = body.Scopes ?? ['*']
      checkScopes(scopes)
      const issued = await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        const projectIds = body.ProjectIds ?? caller.projectIds
        await checkProjects(tx, caller, projectIds)
        const owner = await findOwner(tx, caller, body.UserId ?? caller.userId)
        checkMayGrant(caller, owner, { scopes, projectIds })
        const policy = await readKeyPolicy(tx, caller.accountId)
        const made = await issueApiKey(tx, signingKeys, issuer, {
          accountId: caller.accountId,
          userId: owner.row.id,
          label: body.Label.trim(),
          scopes,
          projectIds,
          expiresAt: endOfNewKey(caller, policy, body.ExpiresAt, null),
          allowedNetworks: networksOfKey(caller, body.AllowedNetworks),
          format: body.Format ?? 'jwt',
        })
        await recordAct(tx, actorOf(request), {
          action: 'apikey.created',
          subject: 'ApiKey',
          subjectId: made.row.jti,
          after: apiKeyRecord(made.row),
        })
        await mailNewKey(tx, request, { mails, publicUrl }, owner, made.row)
        return made
      })
      return sendToken(reply, issued)
    },
  )

  app.post(
    '/apikeys/:keyUuid/rotate',
    {
      config: { permission: 'keys:write', needsFreshFactor: true },
      schema: {
        operationId: 'rotateApiKey',
        tags: [tags.apiKeys],
        summary: 'Rotate an API key',
        description:
          'Returns a new key with the same label, user, scopes, projects and networks. It gets the lifetime of the old key, but never outlives the calling key. The old key stays valid for `OverlapSeconds`, so that your systems can switch without a gap.',
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
      const { keyUuid } = request.params
      const { OverlapSeconds, ExpiresAt } = request.body
      const issued = await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        const before = await findApiKey(tx, apiKeyScopeOf(caller), keyUuid)
        checkIfMatch(request, etagOfApiKey(before))
        const owner = await findUser(tx, wholeAccountOf(caller), before.user_id)
        checkMayGrant(caller, owner, { scopes: before.scopes, projectIds: before.project_ids })
        const policy = await readKeyPolicy(tx, caller.accountId)
        checkOpensNoNetwork(caller, before.allowed_networks)
        const made = await rotateApiKey(tx, signingKeys, issuer, before, {
          overlapSeconds: OverlapSeconds ?? defaultOverlapSeconds,
          expiresAt: endOfNewKey(caller, policy, ExpiresAt, sameLifetime(before)),
        })
        await recordAct(tx, actorOf(request), {
          action: 'apikey.rotated',
          subject: 'ApiKey',
          subjectId: keyUuid,
          after: { NewKeyId: made.row.jti, ...apiKeyRecord(made.row) },
        })
        return made
      })
      verifier.evict(keyUuid)
      return sendToken(reply, issued)
    },
  )
}
