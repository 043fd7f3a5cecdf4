import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { recordAct, unprovenActorOf } from '../../audit/record-act.ts'
import { unauthorized } from '../../../platform/http/requests/authenticate.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { checkSignInOrigin } from '../authentication/check-origin.ts'
import { requireAttempt } from '../sessions/require-attempt.ts'
import { bucketsOfAddress, bucketsOfCode, giveBackAttempt } from '../sessions/sign-in-attempts.ts'
import type { SignInDependencies } from '../sessions/sign-in-routes.ts'
import { sendStartedSession, startSession } from '../sessions/start-session.ts'
import { usersThatMaySignIn } from '../store/users-that-may-sign-in.ts'
import type { UserMails } from '../authentication/mail-owner.ts'
import { mailRefusedCodes } from './mail-factors.ts'
import { codeSchema } from './totp-routes.ts'
import { useCode } from './use-code.ts'

/** Unauthenticated route: the cookie proves that this browser has sent the password. */
export const registerSecondStepRoute = (
  app: HttpServer,
  dependencies: SignInDependencies & UserMails & { readonly secrets: Secrets },
): void => {
  const { database, publicUrl, cookies, limits, mails, mailNewSignIn, pendings, secrets, signInsPerMinute } =
    dependencies

  app.post(
    '/session/factor',
    {
      schema: {
        operationId: 'finishSignIn',
        tags: [tags.users],
        summary: 'Finish a sign-in with a code',
        description:
          'Finishes a sign-in that `POST /v3/session` has answered with `second_factor_required`, within ten minutes, with a code of the authenticator app or a recovery code. Each code works once. After five wrong ones, further attempts return 429; `Retry-After` is at most 15 minutes.',
        security: [],
        body: Type.Object({ Code: codeSchema }, { examples: [{ Code: '492039' }] }),
        response: responses({
          status: 201,
          schema: schemaRef('SignedIn'),
          description: 'The signed-in user. The response sets the session cookie.',
        }),
      },
    },
    async (request, reply) => {
      checkSignInOrigin(request, publicUrl)
      const proof = cookies.pendingOf(request.headers.cookie)
      const { accountId, userId } = pendings.claimedBy(proof ?? '')
      const found =
        proof === null
          ? undefined
          : await usersThatMaySignIn(database.kysely, accountId, userId).executeTakeFirst()
      if (proof === null || found === undefined || !pendings.isOf(proof, found)) {
        // A forged cookie counts like a wrong password of the address.
        await requireAttempt(database, { shared: bucketsOfAddress(request.ip, signInsPerMinute), own: null })
        throw unauthorized('sign_in_not_begun')
      }
      const buckets = bucketsOfCode(found.id)
      await requireAttempt(database, buckets)
      const started = await database.transaction(async (tx) => {
        const user = await usersThatMaySignIn(tx, accountId, userId)
          .where('password_hash', 'is not distinct from', found.password_hash)
          .forNoKeyUpdate()
          .executeTakeFirst()
        const used = user === undefined ? null : await useCode(tx, secrets, user, request.body.Code)
        if (user === undefined || used === null) {
          await recordAct(tx, unprovenActorOf(request, accountId), {
            action: 'session.refused',
            subject: 'User',
            subjectId: userId,
            after: { Reason: 'second-factor' },
          })
          await mailRefusedCodes(tx, request, { mails, publicUrl }, found)
          return null
        }
        await giveBackAttempt(tx, buckets)
        return startSession(
          tx,
          request,
          user,
          { limits, cookies, mailNewSignIn },
          { method: 'Password', proof: { SecondFactor: used } },
        )
      })
      if (started === null) throw unauthorized('second_factor_wrong')
      reply.header('Set-Cookie', cookies.dropPending())
      return sendStartedSession(reply, started, dependencies)
    },
  )
}
