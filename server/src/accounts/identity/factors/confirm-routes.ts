import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { responses, tags } from '../../../platform/http/openapi/openapi.ts'
import { described, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { maxPasswordLength, type Passwords } from '../sessions/passwords.ts'
import { requireAttempt, unlessBusy } from '../sessions/require-attempt.ts'
import { currentSessionOf } from '../sessions/session-routes.ts'
import { bucketsOfCode, bucketsOfSession, giveBackAttempt } from '../sessions/sign-in-attempts.ts'
import type { UserKey } from '../store/factor-store.ts'
import { listPasskeys } from '../store/passkey-store.ts'
import { ownerOf, type FactorDependencies } from './factor-record.ts'
import { mailRefusedCodes } from './mail-factors.ts'
import { requireRelyingParty } from './passkeys/relying-party.ts'
import { credentialSchema, optionsSchema, usePasskey } from './passkeys/use-passkey.ts'
import { webAuthn } from './passkeys/webauthn.ts'
import { freshMs } from './require-fresh-factor.ts'
import { codeSchema } from './totp-routes.ts'
import { useCode } from './use-code.ts'

const confirmSchema = Type.Object(
  {
    Password: Type.Optional(
      Type.String({ minLength: 1, maxLength: maxPasswordLength, description: 'Your password.' }),
    ),
    Code: Type.Optional(codeSchema),
    Credential: Type.Optional(credentialSchema),
  },
  { minProperties: 1, examples: [{ Password: 'three quiet lighthouses' }] },
)

const confirmedSchema = Type.Object(
  { ConfirmedUntil: described(timestampSchema, 'Time until which sensitive actions need no other proof.') },
  { examples: [{ ConfirmedUntil: '2026-03-01T12:10:00+00:00' }] },
)

interface ConfirmDependencies extends FactorDependencies {
  readonly passwords: Passwords
}

/** Returns the name of the proven factor. Throws 'invalid' for a wrong one. */
type Prove = (tx: Tx) => Promise<string>

const proofOf = async (
  { database, secrets, publicUrl, challenges, passwords }: ConfirmDependencies,
  request: FastifyRequest,
  user: UserKey,
  { Password, Code, Credential }: Static<typeof confirmSchema>,
): Promise<Prove> => {
  if (Password !== undefined) {
    const buckets = bucketsOfSession(currentSessionOf(request))
    const row = await database.kysely
      .selectFrom('users')
      .select('password_hash')
      .where('account_id', '=', user.account_id)
      .where('id', '=', user.id)
      .executeTakeFirst()
    await requireAttempt(database, buckets)
    const isRight = await unlessBusy(database, buckets, () =>
      passwords.verify(row?.password_hash ?? null, Password, 'known'),
    )
    return async (tx) => {
      if (!isRight) throw invalidField('Password', 'wrong_password')
      await giveBackAttempt(tx, buckets)
      return 'Password'
    }
  }
  if (Code !== undefined) {
    const buckets = bucketsOfCode(user.id)
    await requireAttempt(database, buckets)
    return async (tx) => {
      const used = await useCode(tx, secrets, user, Code)
      if (used === null) throw invalidField('Code', 'wrong_code')
      await giveBackAttempt(tx, buckets)
      return used
    }
  }
  const party = requireRelyingParty(publicUrl)
  return async (tx) => {
    const passkey = await usePasskey(
      tx,
      { party, challenges },
      Credential ?? {},
      `confirm ${currentSessionOf(request)}`,
    )
    if (passkey?.user_id !== user.id) throw invalidField('Credential', 'wrong_passkey')
    return 'Passkey'
  }
}

export const registerConfirmRoutes = (app: HttpServer, dependencies: ConfirmDependencies): void => {
  const { database, publicUrl, challenges } = dependencies

  app.post(
    '/session/confirmation/options',
    {
      config: { permission: 'any-key', isOpenWithoutFactor: true },
      schema: {
        operationId: 'startConfirmation',
        tags: [tags.users],
        summary: 'Start to confirm with a passkey',
        description:
          'Returns the options for `navigator.credentials.get()`. Send its result to `POST /v3/session/confirmation`.',
        response: responses(
          { status: 201, schema: optionsSchema('navigator.credentials.get()'), description: 'The options.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const user = ownerOf(request)
      const party = requireRelyingParty(publicUrl)
      const passkeys = await listPasskeys(database.kysely, user)
      const { generateAuthenticationOptions } = await webAuthn()
      const options = await generateAuthenticationOptions({
        rpID: party.id,
        challenge: challenges.begin(`confirm ${currentSessionOf(request)}`),
        userVerification: 'required',
        allowCredentials: passkeys.map(({ credential_id, transports }) => ({
          id: credential_id,
          transports,
        })),
      })
      return reply.code(201).header('Cache-Control', 'no-store').send({ Options: options })
    },
  )

  app.post(
    '/session/confirmation',
    {
      // A transaction of the Idempotency-Key would take back the counter and the audit entry of a failure.
      config: { permission: 'any-key', isOpenWithoutFactor: true, isLong: true },
      schema: {
        operationId: 'confirmSession',
        tags: [tags.users],
        summary: 'Confirm my identity',
        description:
          'Confirms your identity with your password, a code or a passkey. For ten minutes, the session may then use operations that otherwise return 403 with the reason `fresh_factor_required`. A sign-in counts too.',
        body: confirmSchema,
        response: responses(
          { status: 201, schema: confirmedSchema, description: 'How long the confirmation lasts.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const user = ownerOf(request)
      const sessionId = currentSessionOf(request)
      const prove = await proofOf(dependencies, request, user, request.body)
      const now = new Date()
      const outcome = await database.transaction(async (tx) => {
        const factor = await prove(tx).catch((error: unknown) => {
          if (error instanceof Problem && error.code === 'invalid') return error
          throw error
        })
        if (typeof factor !== 'string') {
          await recordAct(tx, actorOf(request), {
            action: 'session.refused',
            subject: 'User',
            subjectId: user.id,
            after: { Reason: 'confirmation' },
          })
          if (request.body.Code !== undefined) await mailRefusedCodes(tx, request, dependencies, user)
          return factor
        }
        await tx
          .updateTable('sessions')
          .set({ confirmed_at: now })
          .where('account_id', '=', user.account_id)
          .where('uuid', '=', sessionId)
          .execute()
        await recordAct(tx, actorOf(request), {
          action: 'session.confirmed',
          subject: 'Session',
          subjectId: sessionId,
          after: { Factor: factor },
        })
        return null
      })
      if (outcome !== null) throw outcome
      return reply
        .code(201)
        .header('Cache-Control', 'no-store')
        .send({ ConfirmedUntil: toTimestamp(new Date(now.getTime() + freshMs)) })
    },
  )
}
