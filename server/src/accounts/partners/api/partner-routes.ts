import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { checkIfMatch, etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { deletedSchema } from '../../../platform/http/requests/schemas.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { newestClientKey } from '../store/client-keys.ts'
import { checkIssuer } from '../connections/check-issuer.ts'
import { connectProvider, type ConnectOptions } from '../connections/connect-provider.ts'
import {
  deleteConnection,
  findConnection,
  lockAccount,
  requireConnection,
  type ConnectionRow,
} from '../store/connection-store.ts'
import { registerPartnerKeyRoutes, type ProviderRecord } from './partner-key-routes.ts'
import { clientKeyRecord, identityProviderRecord } from './partner-record.ts'
import { checkIssuerSchema, connectSchema } from '../provider/partner-schemas.ts'
import { changesWhoIsWho } from '../connections/sign-in-settings.ts'
import { ProviderFailure } from '../provider/provider-failure.ts'
import { testConnection } from '../connections/test-connection.ts'
import { endKeys, keysOfAccount } from '../store/webhook-signing-keys.ts'

const path = '/modules/partners'
const providerPath = `${path}/identityprovider`

/**
 * Returns the account of the caller. Throws 'forbidden' for a key restricted to projects, because the
 * connection belongs to the whole account.
 */
const accountOf = ({ principal }: FastifyRequest): number => {
  if (principal.projectIds !== null) throw new Problem('key_restricted')
  return principal.accountId
}

interface PartnerRouteOptions extends ConnectOptions {
  /** Throws 'forbidden' when the caller has fewer rights than the users whom the provider could sign in. */
  readonly checkMayOpenSignIn: (tx: Tx, request: FastifyRequest) => Promise<void>
}

export const registerPartnerRoutes = (
  app: HttpServer,
  { checkMayOpenSignIn, ...options }: PartnerRouteOptions,
): void => {
  const { database, secrets, publicUrl } = options
  const kysely = (): Queryable => database.kysely

  const providerRecord: ProviderRecord = async (queryable, row) =>
    identityProviderRecord(row, await keysOfAccount(queryable, row.account_id), publicUrl)

  const provider = { schema: schemaRef('IdentityProvider'), description: 'The connection.' }

  app.get(
    path,
    {
      config: { permission: 'partners:read' },
      schema: {
        operationId: 'getPartners',
        tags: [tags.partners],
        summary: 'Get partners and services',
        description:
          'Returns the connected identity provider with its state, and the client key of the account.',
        response: responses({
          status: 200,
          schema: schemaRef('Partners'),
          description: 'The connections.',
        }),
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request)
      const [row, key] = await Promise.all([
        findConnection(kysely(), accountId),
        newestClientKey(kysely(), accountId),
      ])
      const body = JSON.stringify({
        IdentityProvider: row === undefined ? null : await providerRecord(kysely(), row),
        ClientKey: key === undefined ? null : clientKeyRecord(key, row?.client_key_id ?? null, publicUrl),
      })
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.get(
    providerPath,
    {
      config: { permission: 'partners:read' },
      schema: {
        operationId: 'getIdentityProvider',
        tags: [tags.partners],
        summary: 'Get the identity provider',
        description:
          'Returns the settings of the connection without its secret, its state, and the public keys of `Webhook-Identity`.',
        response: responses({ ...provider, status: 200 }, 404),
      },
    },
    async (request, reply) => {
      const row = await requireConnection(kysely(), accountOf(request))
      const body = JSON.stringify(await providerRecord(kysely(), row))
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.put(
    providerPath,
    {
      config: { permission: 'partners:write', needsFreshFactor: true },
      schema: {
        operationId: 'connectIdentityProvider',
        tags: [tags.partners],
        summary: 'Connect an identity provider',
        description:
          'Connects an identity provider, or changes the connection. Zoetrope first reads the discovery document and the key set and requests a token. If one of these steps fails, the request returns 400 and nothing changes. Once connected, each webhook delivery of the account carries an access token of the provider and a `Webhook-Identity` header; deliveries are not sent without them. `SignIn` also lets users sign in with the provider. Absent fields keep their values; `null` clears a field.',
        body: connectSchema,
        response: responses({ ...provider, status: 200 }, 404, 409, 412),
      },
    },
    async (request, reply) => {
      const body = request.body
      const row = await connectProvider(options, accountOf(request), body, {
        check: async (before) => {
          const etag =
            before === undefined ? '' : etagOf(JSON.stringify(await providerRecord(kysely(), before)))
          checkIfMatch(request, etag)
        },
        record: async (tx, before, after) => {
          // Disabling sign-in alone needs only the right to change the connection.
          const wasOpen = before?.sign_in_is_enabled === true
          if (after.sign_in_is_enabled || (wasOpen && changesWhoIsWho(before, after, body.SignIn)))
            await checkMayOpenSignIn(tx, request)
          const keys = await keysOfAccount(tx, after.account_id)
          const recordOf = (one: ConnectionRow) => identityProviderRecord(one, keys, publicUrl)
          await recordAct(tx, actorOf(request), {
            action: before === undefined ? 'partner.connected' : 'partner.updated',
            subject: 'IdentityProvider',
            subjectId: after.id,
            before: before === undefined ? null : recordOf(before),
            after: {
              ...recordOf(after),
              ...(body.ClientSecret === undefined ? {} : { ClientSecret: 'a new one' }),
              ...(body.SignIn?.ClientSecret === undefined ? {} : { SignInClientSecret: 'a new one' }),
            },
          })
        },
      })
      const text = JSON.stringify(await providerRecord(kysely(), row))
      return sendJson(request, reply, text, etagOf(text))
    },
  )

  app.delete(
    providerPath,
    {
      config: { permission: 'partners:write', needsFreshFactor: true },
      schema: {
        operationId: 'disconnectIdentityProvider',
        tags: [tags.partners],
        summary: 'Disconnect the identity provider',
        description:
          'Disconnects the provider and deletes its secret. Deliveries then carry only the webhook signature. Deliveries that are waiting for the provider are sent, too.',
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The removed connection.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request)
      const id = await database.transaction(async (tx) => {
        await lockAccount(tx, accountId)
        const row = await requireConnection(tx, accountId)
        const before = await providerRecord(tx, row)
        checkIfMatch(request, etagOf(JSON.stringify(before)))
        await deleteConnection(tx, accountId)
        await endKeys(tx, accountId)
        await recordAct(tx, actorOf(request), {
          action: 'partner.disconnected',
          subject: 'IdentityProvider',
          subjectId: row.id,
          before,
        })
        return row.id
      })
      return reply.send({ Id: id, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )

  app.post(
    `${providerPath}/test`,
    {
      config: { permission: 'partners:write', isLong: true },
      schema: {
        operationId: 'testIdentityProvider',
        tags: [tags.partners],
        summary: 'Test the identity provider',
        description:
          'Tests the stored settings: discovery document, key set, access token and, if sign-in is enabled, its client. If the connection was broken and the test succeeds, waiting deliveries are sent.',
        response: responses(
          {
            status: 200,
            schema: schemaRef('IdentityProviderTest'),
            description: 'The result of the test.',
          },
          404,
        ),
      },
    },
    async (request) => {
      const failure = await testConnection(options, accountOf(request), async (tx, row, found) => {
        await recordAct(tx, actorOf(request), {
          action: 'partner.tested',
          subject: 'IdentityProvider',
          subjectId: row.id,
          after: { IsWorking: found === null },
        })
      })
      return {
        IsWorking: failure === null,
        FailedStep: failure?.step ?? null,
        Message: failure?.message ?? 'The provider issued a token, and its key set is readable.',
        Reason: failure?.reason ?? null,
        Params: failure?.params ?? null,
      }
    },
  )

  app.post(
    `${providerPath}/check`,
    {
      // A fresh factor, as for connecting, because the caller chooses where the request goes.
      config: { permission: 'partners:write', needsFreshFactor: true, isLong: true },
      schema: {
        operationId: 'checkIssuer',
        tags: [tags.partners],
        summary: 'Check an issuer',
        description:
          'Reads the discovery document and the key set of an issuer. Use it before you connect the provider: it needs no credentials and changes nothing.',
        body: checkIssuerSchema,
        response: responses({
          status: 200,
          schema: schemaRef('IssuerCheckResult'),
          description: 'The result of the check.',
        }),
      },
    },
    async (request) => {
      accountOf(request)
      const { Preset = 'custom', Issuer } = request.body
      const found = await checkIssuer(options.agent, { preset: Preset, issuer: Issuer })
      const isFailure = found instanceof ProviderFailure
      await database.transaction((tx) =>
        recordAct(tx, actorOf(request), {
          action: 'partner.tested',
          subject: 'IdentityProvider',
          subjectId: Issuer,
          after: { IsWorking: !isFailure },
        }),
      )
      return {
        IsWorking: !isFailure,
        FailedStep: isFailure ? found.step : null,
        Message: isFailure ? found.message : 'The discovery document and the key set are readable.',
        Reason: isFailure ? found.reason : null,
        Params: isFailure ? found.params : null,
        TokenEndpoint: isFailure ? null : found.tokenEndpoint,
        ProviderKeySetURI: isFailure ? null : found.keySetUri,
      }
    },
  )

  registerPartnerKeyRoutes(app, { database, secrets, publicUrl, path, accountOf, providerRecord })
}
