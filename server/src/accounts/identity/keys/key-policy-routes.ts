import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { checkIfMatch, etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { nullable } from '../../../platform/http/requests/schemas.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { checkCanLetIn, checkIsUnrestricted } from '../users/user-rules.ts'
import type { ApiKeyRouteDependencies } from './api-key-request.ts'
import { readKeyPolicy, type KeyPolicy } from './key-policy.ts'

const maxLifetimeDays = nullable(
  Type.Integer({ minimum: 1, maximum: 3_650 }),
  'Longest lifetime of a new key, in days. Null means no limit. Existing keys keep their expiry.',
)

const example = { MaxLifetimeDays: 90 }

export const keyPolicySchema = Type.Object(
  { MaxLifetimeDays: maxLifetimeDays },
  { description: 'The rules of the account for new API keys.', examples: [example] },
)

const updateKeyPolicySchema = Type.Object(
  { MaxLifetimeDays: Type.Optional(maxLifetimeDays) },
  { examples: [example] },
)

const keyPolicyRecord = ({ maxDays }: KeyPolicy) => ({ MaxLifetimeDays: maxDays })

export const registerKeyPolicyRoutes = (
  app: HttpServer,
  { database }: Pick<ApiKeyRouteDependencies, 'database'>,
): void => {
  app.get(
    '/apikeypolicy',
    {
      config: { permission: 'keys:read' },
      schema: {
        operationId: 'getApiKeyPolicy',
        tags: [tags.apiKeys],
        summary: 'Get the key policy',
        description: 'Returns the rules of the account for new API keys.',
        response: responses({
          status: 200,
          schema: schemaRef('ApiKeyPolicy'),
          description: 'The policy.',
        }),
      },
    },
    async (request, reply) => {
      const record = keyPolicyRecord(await readKeyPolicy(database.kysely, request.principal.accountId))
      const body = JSON.stringify(record)
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.put(
    '/apikeypolicy',
    {
      config: { permission: 'keys:write', needsFreshFactor: true },
      schema: {
        operationId: 'updateApiKeyPolicy',
        tags: [tags.apiKeys],
        summary: 'Update the key policy',
        description:
          'Changes the rules of the account for new API keys. Existing keys keep their expiry, but you cannot extend it beyond the policy. Requires a key of all projects without an expiry, or a session.',
        body: updateKeyPolicySchema,
        response: responses(
          { status: 200, schema: schemaRef('ApiKeyPolicy'), description: 'The whole policy.' },
          412,
        ),
      },
    },
    async (request, reply) => {
      const { MaxLifetimeDays } = request.body
      const record = await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        const { accountId } = caller
        checkIsUnrestricted(caller)
        checkCanLetIn(caller)
        const before = keyPolicyRecord(await readKeyPolicy(tx, accountId))
        checkIfMatch(request, etagOf(JSON.stringify(before)))
        if (MaxLifetimeDays === undefined || MaxLifetimeDays === before.MaxLifetimeDays) return before
        await tx
          .updateTable('accounts')
          .set({ max_key_days: MaxLifetimeDays })
          .where('id', '=', accountId)
          .execute()
        const after = { MaxLifetimeDays }
        await recordAct(tx, actorOf(request), {
          action: 'apikey.policy-updated',
          subject: 'Account',
          subjectId: accountId,
          before,
          after,
        })
        return after
      })
      const body = JSON.stringify(record)
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}
