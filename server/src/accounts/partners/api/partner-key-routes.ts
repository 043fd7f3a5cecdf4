import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { insertClientKey } from '../store/client-keys.ts'
import {
  bumpVersion,
  findConnection,
  lockAccount,
  requireConnection,
  type ConnectionRow,
} from '../store/connection-store.ts'
import { newClientKey, newWebhookSigningKey } from '../store/key-pairs.ts'
import { clientKeyRecord, type identityProviderRecord } from './partner-record.ts'
import { rotateKeysSchema } from '../provider/partner-schemas.ts'
import { replaceCompromisedKeys, rotateKeys } from '../store/webhook-signing-keys.ts'

export type ProviderRecord = (
  queryable: Queryable,
  row: ConnectionRow,
) => Promise<ReturnType<typeof identityProviderRecord>>

export const registerPartnerKeyRoutes = (
  app: HttpServer,
  options: {
    readonly database: Database
    readonly secrets: Secrets
    readonly publicUrl: string
    readonly path: string
    readonly accountOf: (request: FastifyRequest) => number
    readonly providerRecord: ProviderRecord
  },
): void => {
  const { database, secrets, publicUrl, path, accountOf, providerRecord } = options

  app.post(
    `${path}/signingkeys/rotate`,
    {
      config: { permission: 'partners:write', needsFreshFactor: true },
      schema: {
        operationId: 'rotateSigningKeys',
        tags: [tags.partners],
        summary: 'Rotate the signing key',
        description:
          'Publishes a new key at once and signs with it ten minutes later. The previous key stays published for another hour. Zoetrope also does this every 90 days. With `IsCompromised`, all current keys are retired at once, and a new key signs within two seconds.',
        body: rotateKeysSchema,
        response: responses(
          {
            status: 200,
            schema: schemaRef('IdentityProvider'),
            description: 'The connection with its current keys.',
          },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request)
      const isCompromised = request.body.IsCompromised ?? false
      const key = await newWebhookSigningKey(secrets.workers)
      const text = await database.transaction(async (tx) => {
        await lockAccount(tx, accountId)
        const before = await providerRecord(tx, await requireConnection(tx, accountId))
        await (isCompromised ? replaceCompromisedKeys : rotateKeys)(tx, accountId, key)
        await bumpVersion(tx, accountId)
        const after = await providerRecord(tx, await requireConnection(tx, accountId))
        await recordAct(tx, actorOf(request), {
          action: 'partner.keys-rotated',
          subject: 'IdentityProvider',
          subjectId: after.Id,
          before,
          after,
        })
        return JSON.stringify(after)
      })
      return sendJson(request, reply, text, etagOf(text))
    },
  )

  app.post(
    `${path}/clientkey`,
    {
      config: { permission: 'partners:write', needsFreshFactor: true },
      schema: {
        operationId: 'createClientKey',
        tags: [tags.partners],
        summary: 'Create a client key',
        description:
          'Creates a key for `private_key_jwt`. Register its public key or the URL of its key set at the provider, then connect again. The previous key stays in use until you have connected.',
        response: responses({
          status: 201,
          schema: schemaRef('ClientKey'),
          description: 'The new public key.',
        }),
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request)
      const key = await newClientKey(secrets.workers)
      const record = await database.transaction(async (tx) => {
        await lockAccount(tx, accountId)
        const usedKid = (await findConnection(tx, accountId))?.client_key_id ?? null
        const after = clientKeyRecord(await insertClientKey(tx, accountId, key, usedKid), usedKid, publicUrl)
        await recordAct(tx, actorOf(request), {
          action: 'partner.keys-rotated',
          subject: 'ClientKey',
          subjectId: after.Kid,
          after,
        })
        return after
      })
      const text = JSON.stringify(record)
      reply.code(201).header('Location', `${publicUrl}/v3${path}`)
      return sendJson(request, reply, text, etagOf(text))
    },
  )
}
