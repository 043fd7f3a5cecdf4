import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { isTwoFactor, readFactors } from '../store/factor-store.ts'
import { ownerOf, renderFactors, type FactorDependencies } from './factor-record.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'

const recoveryCodesSchema = Type.Object(
  {
    Codes: Type.Array(Type.String({ examples: ['k7tq-mw3d-x9fa-vh2c'] }), {
      description: 'Ten codes, each valid for one sign-in. They are shown only in this response.',
    }),
  },
  { examples: [{ Codes: ['k7tq-mw3d-x9fa-vh2c', 'p4zn-8rjy-cu6e-ws5b'] }] },
)

export const registerFactorRoutes = (app: HttpServer, { database, publicUrl }: FactorDependencies): void => {
  app.get(
    '/session/factors',
    {
      config: { permission: 'any-key', isOpenWithoutFactor: true },
      schema: {
        operationId: 'getFactors',
        tags: [tags.users],
        summary: 'Get my sign-in factors',
        description: 'Returns the password, authenticator app, passkeys and recovery codes that you have.',
        response: responses(
          { status: 200, schema: schemaRef('SignInFactors'), description: 'Your factors.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const body = await renderFactors(database.kysely, request, publicUrl)
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.post(
    '/session/recoverycodes',
    {
      config: { permission: 'any-key', isOpenWithoutFactor: true, needsFreshFactor: true },
      schema: {
        operationId: 'createRecoveryCodes',
        tags: [tags.users],
        summary: 'Create recovery codes',
        description:
          'Creates ten recovery codes, which replace the earlier ones. Each replaces your second factor for one sign-in. Requires a second factor.',
        response: responses(
          { status: 201, schema: recoveryCodesSchema, description: 'The new codes.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const user = ownerOf(request)
      const codes = await database.transaction(async (tx) => {
        await lockCaller(tx, request)
        if (!isTwoFactor(await readFactors(tx, user))) throw new Problem('second_factor_missing')
        await recordAct(tx, actorOf(request), {
          action: 'factor.codes-created',
          subject: 'User',
          subjectId: user.id,
        })
        return replaceRecoveryCodes(tx, user)
      })
      return reply.code(201).header('Cache-Control', 'no-store').send({ Codes: codes })
    },
  )
}
