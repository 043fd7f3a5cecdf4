import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { recordAct, unprovenActorOf } from '../../audit/record-act.ts'
import { unauthorized } from '../../../platform/http/requests/authenticate.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { checkSignInOrigin } from '../authentication/check-origin.ts'
import { requireAttempt, tooManyAttempts } from '../sessions/require-attempt.ts'
import {
  bucketOfSuccesses,
  bucketsOfAddress,
  giveBackAttempt,
  takeFrom,
} from '../sessions/sign-in-attempts.ts'
import type { SignInDependencies } from '../sessions/sign-in-routes.ts'
import { sendStartedSession, startSession } from '../sessions/start-session.ts'
import { usersThatMaySignIn } from '../store/users-that-may-sign-in.ts'
import type { Challenges } from './passkeys/challenges.ts'
import { relyingPartyOf, requireRelyingParty } from './passkeys/relying-party.ts'
import {
  credentialSchema,
  findNamedPasskey,
  optionsOrNullSchema,
  usePasskey,
} from './passkeys/use-passkey.ts'
import { webAuthn } from './passkeys/webauthn.ts'

const recordRefusal = async (
  tx: Tx,
  request: FastifyRequest,
  credential: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const passkey = await findNamedPasskey(tx, credential)
  if (passkey === undefined) return
  await recordAct(tx, unprovenActorOf(request, passkey.account_id), {
    action: 'session.refused',
    subject: 'User',
    subjectId: passkey.user_id,
    after: { Reason: 'passkey' },
  })
}

/** Unauthenticated routes: the signature of a passkey is the credential, and names the user. */
export const registerPasskeySignInRoutes = (
  app: HttpServer,
  dependencies: SignInDependencies & { readonly challenges: Challenges },
): void => {
  const { database, publicUrl, cookies, limits, mailNewSignIn, challenges, signInsPerMinute } = dependencies

  app.post(
    '/session/passkey/options',
    {
      schema: {
        operationId: 'startPasskeySignIn',
        tags: [tags.users],
        summary: 'Start a sign-in with a passkey',
        description:
          'Returns the options for `navigator.credentials.get()`. Send its result to `POST /v3/session/passkey`.',
        security: [],
        response: responses({
          status: 201,
          schema: optionsOrNullSchema('navigator.credentials.get()'),
          description: 'The options.',
        }),
      },
    },
    async (request, reply) => {
      checkSignInOrigin(request, publicUrl)
      const party = relyingPartyOf(publicUrl)
      const options =
        party === null
          ? null
          : await (
              await webAuthn()
            ).generateAuthenticationOptions({
              rpID: party.id,
              challenge: challenges.begin('sign-in'),
              userVerification: 'required',
            })
      return reply.code(201).header('Cache-Control', 'no-store').send({ Options: options })
    },
  )

  app.post(
    '/session/passkey',
    {
      schema: {
        operationId: 'signInByPasskey',
        tags: [tags.users],
        summary: 'Sign in with a passkey',
        description:
          'Signs in with a passkey, without e-mail address and password. No second factor follows, because a passkey requires the device and its PIN or fingerprint. Failures count like wrong passwords.',
        security: [],
        body: Type.Object(
          { Credential: credentialSchema },
          { examples: [{ Credential: { id: 'pQ5gU0w0', type: 'public-key' } }] },
        ),
        response: responses(
          {
            status: 201,
            schema: schemaRef('SignedIn'),
            description: 'The signed-in user. The response sets the session cookie.',
          },
          409,
        ),
      },
    },
    async (request, reply) => {
      checkSignInOrigin(request, publicUrl)
      const party = requireRelyingParty(publicUrl)
      const buckets = { shared: bucketsOfAddress(request.ip, signInsPerMinute), own: null }
      await requireAttempt(database, buckets)
      const started = await database.transaction(async (tx) => {
        const { Credential } = request.body
        const passkey = await usePasskey(tx, { party, challenges }, Credential, 'sign-in')
        const user =
          passkey === null
            ? undefined
            : await usersThatMaySignIn(tx, passkey.account_id, passkey.user_id)
                .forNoKeyUpdate()
                .executeTakeFirst()
        if (passkey === null || user === undefined) {
          await recordRefusal(tx, request, Credential)
          return null
        }
        await giveBackAttempt(tx, buckets)
        const secondsFull = await takeFrom(tx, bucketOfSuccesses(user.email), new Date())
        if (secondsFull > 0) throw tooManyAttempts(secondsFull)
        return startSession(
          tx,
          request,
          user,
          { limits, cookies, mailNewSignIn },
          { method: 'Passkey', proof: { Passkey: passkey.name } },
        )
      })
      if (started === null) throw unauthorized('passkey_refused')
      return sendStartedSession(reply, started, dependencies)
    },
  )
}
