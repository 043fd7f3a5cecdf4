import type { FastifyInstance } from 'fastify'
import { Type, type Static } from 'typebox'
import { etagOf, sendJson } from '../http/etag.ts'
import { responses, tags } from '../http/openapi.ts'
import { idSchema, nullable, parseInstant, timestampSchema } from '../http/schemas.ts'
import type { Database } from '../kernel/db/database.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import { toTimestamp, toTimestampOrNull } from '../kernel/timestamp.ts'
import { findUnknownProject, issueApiKey, listApiKeys, revokeApiKey, type ApiKeyRow } from './api-keys.ts'
import { isScope } from './permissions.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { TokenVerifier } from './verify-token.ts'

export interface ApiKeyRouteDependencies {
  readonly database: Database
  readonly signingKeys: SigningKeys
  readonly issuer: string
  readonly verifier: TokenVerifier
  readonly publicUrl: string
}

const keyFields = {
  Id: Type.String({ format: 'uuid' }),
  Label: Type.String(),
  UserId: Type.Integer(),
  Scopes: Type.Array(Type.String()),
  ProjectIds: nullable(Type.Array(Type.Integer())),
  LastFour: Type.String({ description: 'The last four characters of the token.' }),
  CreatedAt: timestampSchema,
  ExpiresAt: nullable(timestampSchema),
  RevokedAt: nullable(timestampSchema),
  LastUsedAt: nullable(timestampSchema),
}
const keySchema = Type.Object(keyFields)
const newKeySchema = Type.Object({ ...keyFields, Token: Type.String({ description: 'Shown only now.' }) })

const createSchema = Type.Object({
  Label: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  Scopes: Type.Optional(
    Type.Array(Type.String({ maxLength: 50 }), {
      minItems: 1,
      maxItems: 50,
      description: 'E.g. files:upload, files:*, *. Default: *.',
    }),
  ),
  ProjectIds: Type.Optional(nullable(Type.Array(idSchema, { minItems: 1, maxItems: 500 }))),
  ExpiresAt: Type.Optional(nullable(timestampSchema)),
})

const renderKey = (row: ApiKeyRow) => ({
  Id: row.jti,
  Label: row.label,
  UserId: row.user_id,
  Scopes: row.scopes,
  ProjectIds: row.project_ids,
  LastFour: row.last_four,
  CreatedAt: toTimestamp(row.created_at),
  ExpiresAt: toTimestampOrNull(row.expires_at),
  RevokedAt: toTimestampOrNull(row.revoked_at),
  LastUsedAt: toTimestampOrNull(row.last_used_at),
})

export const registerApiKeyRoutes = (app: FastifyInstance, dependencies: ApiKeyRouteDependencies): void => {
  const { database, signingKeys, issuer, verifier } = dependencies

  app.get(
    '/apikeys',
    {
      config: { permission: 'keys:read' },
      schema: {
        operationId: 'listApiKeys',
        tags: [tags.apiKeys],
        summary: 'List API keys',
        description: 'All keys of the account, revoked ones too; never the tokens themselves.',
        response: responses({
          status: 200,
          schema: Type.Object({ ApiKeys: Type.Array(keySchema), TotalCount: Type.Integer() }),
          description: 'The keys.',
        }),
      },
    },
    async (request, reply) => {
      const rows = await listApiKeys(database, request.principal.accountId)
      const body = JSON.stringify({ ApiKeys: rows.map(renderKey), TotalCount: rows.length })
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.post(
    '/apikeys',
    {
      config: { permission: 'keys:write' },
      schema: {
        operationId: 'createApiKey',
        tags: [tags.apiKeys],
        summary: 'Create an API key',
        description:
          'A key of the calling user; it can never do more than the key that creates it. The token is shown only in this answer.',
        body: createSchema,
        response: responses({ status: 201, schema: newKeySchema, description: 'The key with its token.' }),
      },
    },
    async (request, reply) => {
      const body = request.body as Static<typeof createSchema>
      const { principal } = request
      const scopes = body.Scopes ?? ['*']
      const unknown = scopes.find((scope) => !isScope(scope))
      if (unknown !== undefined)
        throw invalidField(
          'Scopes',
          `names the unknown scope "${unknown}"; use e.g. files:read, files:* or *.`,
        )
      if (!principal.canGrant(scopes))
        throw new Problem('forbidden', 'A key cannot grant scopes that it does not have itself.')
      const projectIds = body.ProjectIds ?? principal.projectIds
      await checkProjects(database, principal.accountId, principal.projectIds, projectIds)
      const expiresAt = body.ExpiresAt == null ? null : parseInstant(body.ExpiresAt, 'ExpiresAt')
      if (expiresAt !== null && expiresAt.getTime() <= Date.now())
        throw invalidField('ExpiresAt', 'must be in the future.')
      const { row, token } = await issueApiKey(database.kysely, signingKeys, issuer, {
        accountId: principal.accountId,
        userId: principal.userId,
        label: body.Label.trim(),
        scopes,
        projectIds,
        expiresAt,
      })
      return reply
        .code(201)
        .header('Location', `${dependencies.publicUrl}/v3/apikeys/${row.jti}`)
        .header('Cache-Control', 'no-store')
        .send({ ...renderKey(row), Token: token })
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
        description: 'Refused at once by this process and within two seconds by every other.',
        params: Type.Object({
          keyUuid: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
        }),
        response: responses(
          {
            status: 200,
            schema: Type.Object({ Id: Type.String(), IsEnabled: Type.Boolean(), DeletedAt: timestampSchema }),
            description: 'What was revoked.',
          },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { keyUuid } = request.params as { keyUuid: string }
      if (!(await revokeApiKey(database, request.principal.accountId, keyUuid)))
        throw new Problem('not_found', `API key ${keyUuid} does not exist.`)
      verifier.forget(keyUuid)
      return reply.send({ Id: keyUuid, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}

/** Only live projects of the account, and none beyond those of the creating key. */
const checkProjects = async (
  database: Database,
  accountId: number,
  allowed: readonly number[] | null,
  wanted: readonly number[] | null,
): Promise<void> => {
  if (wanted === null) return
  const unknown =
    wanted.find((id) => allowed !== null && !allowed.includes(id)) ??
    (await findUnknownProject(database, accountId, wanted))
  if (unknown !== undefined) throw invalidField('ProjectIds', `names the unknown project ${unknown}.`)
}
