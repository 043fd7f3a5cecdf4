import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { revokeOpenLinks } from '../store/revoke-open-links.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { renderUser } from '../store/user-record.ts'
import { etagOfUser, userScopeOf } from '../users/user-request.ts'
import { readAccountName } from '../store/read-account-name.ts'
import { changeUser, findUser } from '../store/user-store.ts'
import { mailOwner, type UserMails } from '../authentication/mail-owner.ts'
import type { KnownDevices } from '../authentication/known-device.ts'
import type { CheckNewPassword } from './password-rules.ts'
import { maxPasswordLength, type Passwords } from './passwords.ts'
import { requireAttempt, unlessBusy } from './require-attempt.ts'
import type { SessionCookies } from '../authentication/session-cookie.ts'
import { newPasswordSchema, type SessionRouteDependencies } from './session-record.ts'
import { currentSessionOf } from './session-routes.ts'
import { deleteSessionsOfUser } from '../store/session-store.ts'
import type { SessionVerifier } from '../authentication/session-verifier.ts'
import { bucketsOfSession, giveBackAttempt } from './sign-in-attempts.ts'

interface PasswordRouteDependencies extends SessionRouteDependencies, UserMails {
  readonly cookies: SessionCookies
  readonly devices: KnownDevices
  readonly passwords: Passwords
  readonly checkNewPassword: CheckNewPassword
  readonly sessions: SessionVerifier
}

const changePasswordSchema = Type.Object(
  {
    CurrentPassword: Type.String({
      minLength: 1,
      maxLength: maxPasswordLength,
      description: 'Current password.',
    }),
    NewPassword: newPasswordSchema,
  },
  { examples: [{ CurrentPassword: 'three quiet lighthouses', NewPassword: 'a ferry on the ninth wave' }] },
)

export const registerPasswordRoute = (app: HttpServer, dependencies: PasswordRouteDependencies): void => {
  const { database, cookies, devices, mails, passwords, publicUrl, checkNewPassword, sessions } = dependencies

  app.put(
    '/session/password',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'changePassword',
        tags: [tags.users],
        summary: 'Change my password',
        description:
          'Changes your password. Requires a session and the current password. All your other sessions and password links end; API keys stay valid.',
        body: changePasswordSchema,
        response: responses({ status: 200, schema: schemaRef('User'), description: 'The user.' }, 404, 409),
      },
    },
    async (request, reply) => {
      const sessionId = currentSessionOf(request)
      const { CurrentPassword, NewPassword } = request.body
      const { principal } = request
      const { row } = await findUser(database.kysely, userScopeOf(principal), principal.userId)
      const accountName = await readAccountName(database.kysely, principal.accountId)
      await checkNewPassword(NewPassword, 'NewPassword', { ...row, accountName })
      // Limits the attempts per session, so that a person at an unlocked screen cannot guess the password.
      const buckets = bucketsOfSession(sessionId)
      await requireAttempt(database, buckets)
      const isRight = await unlessBusy(database, buckets, () =>
        passwords.verify(row.password_hash, CurrentPassword, 'known'),
      )
      if (!isRight) {
        await database.transaction((tx) =>
          recordAct(tx, actorOf(request), {
            action: 'session.refused',
            subject: 'User',
            subjectId: principal.userId,
          }),
        )
        throw invalidField('CurrentPassword', 'wrong_password')
      }
      const hash = await unlessBusy(database, buckets, () => passwords.hash(NewPassword, 'known'))
      const user = await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        const before = await findUser(tx, userScopeOf(caller), caller.userId)
        if (before.row.password_hash !== row.password_hash) throw new Problem('password_changed_meanwhile')
        await giveBackAttempt(tx, buckets)
        await changeUser(tx, before.row, { password_hash: hash })
        await deleteSessionsOfUser(tx, before.row, sessionId)
        await revokeOpenLinks(tx, actorOf(request), { userId: caller.userId, email: before.row.email })
        await recordAct(tx, actorOf(request), {
          action: 'password.changed',
          subject: 'User',
          subjectId: caller.userId,
        })
        await mailOwner(tx, request, { mails, publicUrl }, before.row, {
          kind: 'password-changed',
          params: {},
        })
        return findUser(tx, userScopeOf(caller), caller.userId)
      })
      sessions.evictUser(principal.userId)
      // The old device cookie depends on the old password, so the browser gets a new one.
      reply.header(
        'Set-Cookie',
        cookies.keepDevice(devices.markFor({ email: user.row.email, passwordHash: hash }, null)),
      )
      return sendJson(request, reply, renderUser(user), etagOfUser(user))
    },
  )
}
