import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordAct, unprovenActorOf } from '../../audit/record-act.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { responses, tags } from '../../../platform/http/openapi/openapi.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isAccountEnabled } from '../../../platform/db/is-account-enabled.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { checkSignInOrigin } from '../authentication/check-origin.ts'
import { requireAttempt } from '../sessions/require-attempt.ts'
import { bucketOfResets, bucketsOfAddress, takeFrom } from '../sessions/sign-in-attempts.ts'
import { insertInvitation, revokeOwnLinks } from './invitation-store.ts'
import { mailLink, type LinkMails } from './mail-link.ts'

interface ResetDependencies extends LinkMails {
  readonly database: Database
  readonly signInsPerMinute: number
}

const resetSchema = Type.Object(
  {
    Email: Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'E-mail address of the user.',
    }),
  },
  { examples: [{ Email: 'kim.lee@example.com' }] },
)

const acceptedSchema = Type.Object({ IsAccepted: Type.Boolean() }, { examples: [{ IsAccepted: true }] })

/** People who sign in only with an identity provider get no password this way. */
const findUserToReset = ({ kysely }: Database, email: string) =>
  kysely
    .selectFrom('users')
    .select(['id', 'account_id', 'email'])
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .where('password_hash', 'is not', null)
    .where('is_enabled', '=', true)
    .where('deleted_at', 'is', null)
    .where(isAccountEnabled('users.account_id'))
    .executeTakeFirst()

const sendResetLink = async (
  dependencies: ResetDependencies,
  request: FastifyRequest,
  email: string,
): Promise<void> => {
  const { database } = dependencies
  const user = await findUserToReset(database, email)
  await database.transaction(async (tx) => {
    if ((await takeFrom(tx, bucketOfResets(email), new Date())) > 0 || user === undefined) return
    const { account_id: accountId, id: userId } = user
    await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
    await revokeOwnLinks(tx, { accountId, userId })
    const made = await insertInvitation(tx, {
      accountId,
      createdBy: userId,
      apiKeyId: null,
      userId,
      email: user.email,
      role: null,
      projectRoles: [],
      isReset: true,
    })
    await mailLink(tx, dependencies, made)
    await recordAct(tx, unprovenActorOf(request, accountId), {
      action: 'password.link-created',
      subject: 'User',
      subjectId: userId,
      after: { InvitationId: made.row.id },
    })
  })
}

/** Unauthenticated route. Responds before it looks for the user, so that neither text nor time reveals one. */
export const registerPasswordResetRoute = (app: HttpServer, dependencies: ResetDependencies): void => {
  const { database, mails, publicUrl, signInsPerMinute } = dependencies

  app.post(
    '/session/passwordreset',
    {
      schema: {
        operationId: 'requestPasswordReset',
        tags: [tags.users],
        summary: 'Request a password reset',
        description:
          'E-mails a link to set a new password, which works once within an hour. The response is the same whether or not a user has this address. Three links per address and hour are sent. Returns 404 if the installation sends no e-mails.',
        security: [],
        body: resetSchema,
        response: responses({ status: 200, schema: acceptedSchema, description: 'Always the same.' }, 404),
      },
    },
    async (request, reply) => {
      checkSignInOrigin(request, publicUrl)
      if (!mails.isOn) throw new Problem('mail_off')
      const { Email } = request.body
      const shared = bucketsOfAddress(request.ip, signInsPerMinute, 'reset')
      await requireAttempt(database, { shared, own: null })
      reply.raw.once('finish', () => {
        sendResetLink(dependencies, request, Email).catch((error: unknown) =>
          request.log.error({ err: error }, 'cannot create a password link'),
        )
      })
      return reply.send({ IsAccepted: true })
    },
  )
}
