import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { checkIfMatch, etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { described } from '../../../platform/http/requests/schemas.ts'
import type { Database } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { isTwoFactor, readFactors } from '../store/factor-store.ts'
import { readSignInPolicy, type SignInPolicy } from '../store/sign-in-policy.ts'
import { checkCanLetIn, checkIsUnrestricted } from '../users/user-rules.ts'

const requiresTwoFactors = Type.Boolean({
  description:
    'Whether members who sign in with a password need a second factor. Members without one can only set one up. API keys and sign-ins with an identity provider are not affected.',
})

const example = { RequiresTwoFactors: true }

export const signInPolicySchema = Type.Object(
  { RequiresTwoFactors: requiresTwoFactors },
  { description: 'The rules of the account for sign-ins.', examples: [example] },
)

const updateSchema = Type.Object(
  {
    RequiresTwoFactors: Type.Optional(
      described(requiresTwoFactors, 'Whether sign-ins with a password need a second factor.'),
    ),
  },
  { examples: [example] },
)

const record = (policy: SignInPolicy) => ({ RequiresTwoFactors: policy.requiresTwoFactors })

export const registerSignInPolicyRoutes = (
  app: HttpServer,
  { database }: { readonly database: Database },
): void => {
  const path = '/session/policy'

  app.get(
    path,
    {
      config: { permission: 'users:read' },
      schema: {
        operationId: 'getSignInPolicy',
        tags: [tags.users],
        summary: 'Get the sign-in policy',
        description: 'Returns the rules of the account for sign-ins.',
        response: responses({ status: 200, schema: schemaRef('SignInPolicy'), description: 'The policy.' }),
      },
    },
    async (request, reply) => {
      const policy = await readSignInPolicy(database.kysely, request.principal.accountId)
      const body = JSON.stringify(record(policy))
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.put(
    path,
    {
      config: { permission: 'users:write', needsFreshFactor: true },
      schema: {
        operationId: 'updateSignInPolicy',
        tags: [tags.users],
        summary: 'Update the sign-in policy',
        description:
          'Changes the rules of the account for sign-ins. They also apply to existing sessions. With a session, you must have a second factor yourself to require one. An API key must cover all projects and never expire.',
        body: updateSchema,
        response: responses(
          { status: 200, schema: schemaRef('SignInPolicy'), description: 'The whole policy.' },
          409,
          412,
        ),
      },
    },
    async (request, reply) => {
      const policy = await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        checkIsUnrestricted(caller)
        checkCanLetIn(caller)
        const { accountId, userId, sessionId } = caller
        const before = await readSignInPolicy(tx, accountId)
        checkIfMatch(request, etagOf(JSON.stringify(record(before))))
        const after = { requiresTwoFactors: request.body.RequiresTwoFactors ?? before.requiresTwoFactors }
        if (after.requiresTwoFactors && !before.requiresTwoFactors && sessionId !== null) {
          // The administrator would be locked out of this very screen.
          if (!isTwoFactor(await readFactors(tx, { account_id: accountId, id: userId })))
            throw new Problem('own_second_factor_missing')
        }
        await tx
          .updateTable('accounts')
          .set({ requires_two_factors: after.requiresTwoFactors })
          .where('id', '=', accountId)
          .execute()
        await recordAct(tx, actorOf(request), {
          action: 'account.updated',
          subject: 'Account',
          subjectId: accountId,
          before: record(before),
          after: record(after),
        })
        return after
      })
      const body = JSON.stringify(record(policy))
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}
