import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { recordAct, unprovenActorOf } from '../../audit/record-act.ts'
import { unauthorized } from '../../../platform/http/requests/authenticate.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAccountEnabled } from '../../../platform/db/is-account-enabled.ts'
import { checkSignInOrigin } from '../authentication/check-origin.ts'
import type { DeviceOwner, KnownDevices } from '../authentication/known-device.ts'
import type { MailNewSignIn } from './mail-new-sign-in.ts'
import { maxPasswordLength, type Passwords } from './passwords.ts'
import { requireAttempt, tooManyAttempts, unlessBusy } from './require-attempt.ts'
import type { PendingSignIns } from '../authentication/pending-sign-ins.ts'
import type { SessionCookies } from '../authentication/session-cookie.ts'
import type { SessionRouteDependencies } from './session-record.ts'
import {
  bucketOfSuccesses,
  bucketsOfDevice,
  bucketsOfStranger,
  giveBackAttempt,
  secondsToWait,
  takeFrom,
  touchAttempt,
  type AttemptBuckets,
} from './sign-in-attempts.ts'
import { startAfterPassword } from './start-after-password.ts'
import { sendStartedSession, type StartedSession } from './start-session.ts'

export interface SignInDependencies extends SessionRouteDependencies {
  readonly cookies: SessionCookies
  readonly devices: KnownDevices
  readonly pendings: PendingSignIns
  readonly passwords: Passwords
  readonly mailNewSignIn: MailNewSignIn
  /** Failed attempts per minute and network address. 0 disables the limit. */
  readonly signInsPerMinute: number
}

const signInSchema = Type.Object(
  {
    Email: Type.String({
      minLength: 1,
      maxLength: 254,
      examples: ['kim.lee@example.com'],
      description: 'E-mail address of the user.',
    }),
    Password: Type.String({
      minLength: 1,
      maxLength: maxPasswordLength,
      description: 'Password of the user.',
    }),
  },
  { examples: [{ Email: 'kim.lee@example.com', Password: 'three quiet lighthouses' }] },
)

/**
 * Runs as many statements and disk writes for unknown users as for known ones, so that timing does not reveal
 * users.
 */
const recordRefusal = async (
  tx: Tx,
  request: FastifyRequest,
  { own }: AttemptBuckets,
  user: { readonly id: number; readonly account_id: number } | undefined,
): Promise<void> => {
  if (own !== null) await touchAttempt(tx, own, new Date())
  if (user === undefined) {
    await tx.selectFrom('audit_entries').select('id').where('id', '=', 0).execute()
    return
  }
  await recordAct(tx, unprovenActorOf(request, user.account_id), {
    action: 'session.refused',
    subject: 'User',
    subjectId: user.id,
  })
}

export const registerSignInRoute = (app: HttpServer, dependencies: SignInDependencies): void => {
  const { database, publicUrl, cookies, devices, passwords, signInsPerMinute } = dependencies

  const knownDeviceOf = (request: FastifyRequest, owner: DeviceOwner): string | null => {
    const mark = cookies.deviceOf(request.headers.cookie)
    return mark !== null && devices.isMarkFor(mark, owner) ? mark : null
  }

  app.post(
    '/session',
    {
      schema: {
        operationId: 'signIn',
        tags: [tags.users],
        summary: 'Sign in with a password',
        description:
          'Signs in with e-mail address and password. The session is stored in a cookie that scripts cannot read. Changes made with it also require the `CsrfToken` of this response as `X-CSRF-Token`. After several failures, and after 30 sign-ins in a minute, further attempts return 429; `Retry-After` is at most one minute. For a user with a second factor it returns 401 with the reason `second_factor_required` and a cookie: send a code to `POST /v3/session/factor`, or sign in with a passkey. The previous session of the browser ends. A user has at most 50 sessions; a new one then ends the oldest.',
        security: [],
        body: signInSchema,
        response: responses({
          status: 201,
          schema: schemaRef('SignedIn'),
          description: 'The signed-in user. The response sets the session cookie.',
        }),
      },
    },
    async (request, reply) => {
      checkSignInOrigin(request, publicUrl)
      const { Email, Password } = request.body
      const user = await database.kysely
        .selectFrom('users')
        .select(['id', 'account_id', 'password_hash'])
        .where((where) => where(where.fn('lower', ['email']), '=', Email.toLowerCase()))
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      const hash = user?.password_hash ?? null
      const device = knownDeviceOf(request, { email: Email, passwordHash: hash })
      const buckets =
        device === null
          ? bucketsOfStranger(Email, request.ip, signInsPerMinute)
          : bucketsOfDevice(device, Email)
      const successes = bucketOfSuccesses(Email)
      const waitSeconds = await secondsToWait(database.kysely, successes, new Date())
      if (waitSeconds > 0) throw tooManyAttempts(waitSeconds)
      await requireAttempt(database, buckets)
      const isRight = await unlessBusy(database, buckets, () =>
        passwords.verify(hash, Password, device === null ? 'stranger' : 'known'),
      )
      const started = await database.transaction(async (tx): Promise<StartedSession | Problem> => {
        // Reads the user again with a lock: the password or the user may have changed during the verification.
        const locked = await tx
          .selectFrom('users')
          .select(['id', 'account_id', 'email', 'password_hash'])
          .where('account_id', '=', user?.account_id ?? 0)
          .where('id', '=', isRight ? (user?.id ?? 0) : 0)
          .where('password_hash', '=', hash)
          .where('is_enabled', '=', true)
          .where('deleted_at', 'is', null)
          .where(isAccountEnabled('users.account_id'))
          .forNoKeyUpdate()
          .executeTakeFirst()
        if (locked === undefined) {
          await recordRefusal(tx, request, buckets, user)
          return unauthorized('sign_in_failed')
        }
        await giveBackAttempt(tx, buckets)
        const secondsFull = await takeFrom(tx, successes, new Date())
        if (secondsFull > 0) throw tooManyAttempts(secondsFull)
        return startAfterPassword(tx, request, locked, dependencies)
      })
      if (started instanceof Problem) throw started
      return sendStartedSession(reply, started, { database, cookies, devices, publicUrl })
    },
  )
}
