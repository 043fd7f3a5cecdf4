import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { deletedSchema } from '../../../platform/http/requests/schemas.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { requireAttempt } from '../sessions/require-attempt.ts'
import { bucketsOfCode, giveBackAttempt } from '../sessions/sign-in-attempts.ts'
import { deleteTotp, readFactors } from '../store/factor-store.ts'
import { checkMayAddFactors, ownerOf, renderFactors, type FactorDependencies } from './factor-record.ts'
import { mailNewApp } from './mail-factors.ts'
import { afterRemoval } from './remove-factors.ts'
import { base32Of, newTotpSecret, totpUri } from './totp.ts'
import { useTotpCode } from './use-code.ts'

export const codeSchema = Type.String({
  minLength: 6,
  maxLength: 40,
  examples: ['492039'],
  description: 'Code of the authenticator app, or a recovery code.',
})

const newTotpSchema = Type.Object(
  {
    Secret: Type.String({ description: 'Secret in Base32, for apps that cannot read the QR code.' }),
    URI: Type.String({ description: 'Content of the QR code that the app reads.' }),
  },
  {
    examples: [
      {
        Secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        URI: 'otpauth://totp/Zoetrope:kim.lee%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      },
    ],
  },
)

export const registerTotpRoutes = (
  app: HttpServer,
  { database, secrets, publicUrl, sessions, mails }: FactorDependencies,
): void => {
  const path = '/session/totp'
  const { hostname } = new URL(publicUrl)

  app.post(
    path,
    {
      config: { permission: 'any-key', isOpenWithoutFactor: true, needsFreshFactor: true },
      schema: {
        operationId: 'startTotp',
        tags: [tags.users],
        summary: 'Set up an authenticator app',
        description:
          'Returns a new secret for an authenticator app (TOTP). It counts only after `PUT /v3/session/totp` with a first code. Starting again replaces a secret that is not confirmed.',
        response: responses({ status: 201, schema: newTotpSchema, description: 'The secret.' }, 404, 409),
      },
    },
    async (request, reply) => {
      const user = ownerOf(request)
      const secret = newTotpSecret()
      const email = await database.transaction(async (tx) => {
        await lockCaller(tx, request)
        const address = await checkMayAddFactors(tx, request, user)
        if ((await readFactors(tx, user)).totp !== null) throw new Problem('authenticator_app_exists')
        await deleteTotp(tx, user)
        await tx
          .insertInto('totp_secrets')
          .values({ account_id: user.account_id, user_id: user.id, sealed_secret: secrets.seal(secret) })
          .execute()
        return address
      })
      return reply
        .code(201)
        .header('Cache-Control', 'no-store')
        .send({ Secret: base32Of(secret), URI: totpUri(secret, `Zoetrope ${hostname}`, email) })
    },
  )

  app.put(
    path,
    {
      config: { permission: 'any-key', isOpenWithoutFactor: true },
      schema: {
        operationId: 'confirmTotp',
        tags: [tags.users],
        summary: 'Confirm the authenticator app',
        description:
          'Confirms the authenticator app with its current code. From then on, a sign-in with your password also needs a code.',
        body: Type.Object({ Code: codeSchema }, { examples: [{ Code: '492039' }] }),
        response: responses(
          { status: 200, schema: schemaRef('SignInFactors'), description: 'Your factors.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const user = ownerOf(request)
      const buckets = bucketsOfCode(user.id)
      await requireAttempt(database, buckets)
      const isRight = await database.transaction(async (tx) => {
        await lockCaller(tx, request)
        if (!(await useTotpCode(tx, secrets, user, request.body.Code, { isConfirmed: false }))) {
          await recordAct(tx, actorOf(request), {
            action: 'session.refused',
            subject: 'User',
            subjectId: user.id,
            after: { Reason: 'second-factor' },
          })
          return false
        }
        await giveBackAttempt(tx, buckets)
        await recordAct(tx, actorOf(request), {
          action: 'factor.added',
          subject: 'User',
          subjectId: user.id,
          after: { Factor: 'AuthenticatorApp' },
        })
        await mailNewApp(tx, request, { mails, publicUrl }, user)
        return true
      })
      if (!isRight) throw invalidField('Code', 'wrong_code')
      sessions.evictUser(user.id)
      const body = await renderFactors(database.kysely, request, publicUrl)
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.delete(
    path,
    {
      config: { permission: 'any-key', needsFreshFactor: true },
      schema: {
        operationId: 'deleteTotp',
        tags: [tags.users],
        summary: 'Remove the authenticator app',
        description:
          'Removes your authenticator app. Returns 409 if the account requires a second factor and you have no other one.',
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The user whose app was removed.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const user = ownerOf(request)
      await database.transaction(async (tx) => {
        await lockCaller(tx, request)
        const { totp } = await readFactors(tx, user)
        if (totp === null) throw new Problem('authenticator_app_missing')
        await deleteTotp(tx, user)
        await afterRemoval(tx, request, user, { Factor: 'AuthenticatorApp' })
      })
      return reply.send({ Id: user.id, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
