import type { HttpServer } from '../../../platform/http/http-server.ts'
import { described } from '../../../platform/http/requests/schemas.ts'
import { Type } from 'typebox'
import { Problem } from '../../../platform/base/problem.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { checkSignInOrigin } from '../authentication/check-origin.ts'
import { mailOwner, type UserMails } from '../authentication/mail-owner.ts'
import type { CheckNewPassword } from '../sessions/password-rules.ts'
import { readAccountName } from '../store/read-account-name.ts'
import { requireAttempt, unlessBusy } from '../sessions/require-attempt.ts'
import { newPasswordSchema } from '../sessions/session-record.ts'
import { bucketsOfInvitation } from '../sessions/sign-in-attempts.ts'
import type { SignInDependencies } from '../sessions/sign-in-routes.ts'
import { startAfterPassword } from '../sessions/start-after-password.ts'
import { sendStartedSession } from '../sessions/start-session.ts'
import { nameSchema } from '../store/user-record.ts'
import { asEmailConflict } from '../users/user-rules.ts'
import type { SessionVerifier } from '../authentication/session-verifier.ts'
import { acceptInvitation, checkAddressIsFree, invitationIsVoid } from './accept-invitation.ts'
import { findPendingInvitation } from './invitation-store.ts'

const acceptSchema = Type.Object(
  {
    Token: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Secret of the link: the part after `#`.',
    }),
    Password: newPasswordSchema,
    Name: Type.Optional(described(nameSchema, 'Name of the user.')),
  },
  {
    examples: [
      {
        Token: 'x3mH0d7Wm2dNq4JtCk8rZy1uVb6pLs9fGa5eXo0iTwY',
        Password: 'three quiet lighthouses',
        Name: 'Kim Lee',
      },
    ],
  },
)

/** Unauthenticated route: the token of the invitation is the credential. */
export const registerAcceptInvitationRoute = (
  app: HttpServer,
  dependencies: SignInDependencies &
    UserMails & {
      readonly sessions: SessionVerifier
      readonly checkNewPassword: CheckNewPassword
    },
): void => {
  const { database, mails, publicUrl, passwords, checkNewPassword, sessions, limits, cookies, pendings } =
    dependencies

  app.post(
    '/session/invitation',
    {
      schema: {
        operationId: 'acceptInvitation',
        tags: [tags.users],
        summary: 'Accept an invitation',
        description:
          'Sets the password for the link of an invitation or a password link, and signs in. The link works once, and earlier sessions of the user end. A user with a second factor gets 401 and continues as after `POST /v3/session`. After five attempts, further ones return 429; `Retry-After` is at most one minute.',
        security: [],
        body: acceptSchema,
        response: responses(
          {
            status: 201,
            schema: schemaRef('SignedIn'),
            description: 'The signed-in user. The response sets the session cookie.',
          },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      checkSignInOrigin(request, publicUrl)
      const { Token, Password, Name = '' } = request.body
      const found = await findPendingInvitation(database.kysely, Token)
      if (found === undefined) throw invitationIsVoid()
      const accountName = await readAccountName(database.kysely, found.account_id)
      await checkNewPassword(Password, 'Password', { email: found.email, name: Name, accountName })
      await checkAddressIsFree(database.kysely, found).catch(async (error: unknown) => {
        // The link has just been used, so the user has the address.
        if ((await findPendingInvitation(database.kysely, Token)) === undefined) throw invitationIsVoid()
        throw error
      })
      const buckets = bucketsOfInvitation(found.id)
      await requireAttempt(database, buckets)
      const passwordHash = await unlessBusy(database, buckets, () => passwords.hash(Password, 'stranger'))
      const { userId, started } = await database
        .transaction(async (tx) => {
          const { row } = await acceptInvitation(tx, request, found, { name: Name.trim(), passwordHash })
          const user = { ...row, password_hash: passwordHash }
          if (found.user_id !== null)
            await mailOwner(tx, request, { mails, publicUrl }, user, { kind: 'password-changed', params: {} })
          return {
            userId: row.id,
            started: await startAfterPassword(tx, request, user, { limits, cookies, pendings }),
          }
        })
        .catch((error: unknown) => {
          throw asEmailConflict(error)
        })
      sessions.evictUser(userId)
      if (started instanceof Problem) throw started
      return sendStartedSession(reply, started, dependencies)
    },
  )
}
