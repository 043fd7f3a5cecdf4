import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { useState } from '../store/used-states.ts'
import { etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { deletedSchema, idSchema } from '../../../platform/http/requests/schemas.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { currentSessionOf } from '../sessions/session-routes.ts'
import type { UserKey } from '../store/factor-store.ts'
import {
  changePasskey,
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
} from '../store/passkey-store.ts'
import { checkMayAddFactors, ownerOf, passkeyRecord, type FactorDependencies } from './factor-record.ts'
import { mailNewPasskey } from './mail-factors.ts'
import { afterRemoval } from './remove-factors.ts'
import { requireRelyingParty, type RelyingParty } from './passkeys/relying-party.ts'
import type { Challenges } from './passkeys/challenges.ts'
import { dropAttestation } from './passkeys/drop-attestation.ts'
import { credentialSchema, optionsSchema } from './passkeys/use-passkey.ts'
import { webAuthn } from './passkeys/webauthn.ts'

const maxPasskeys = 20

/** COSE identifiers of EdDSA, ES256 and RS256: every authenticator has one of them. */
const algorithms = [-8, -7, -257]

const passkeyNameSchema = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  examples: ['Laptop'],
  description: 'Name by which you recognize the passkey.',
})

const passkeyParams = Type.Object({ passkeyId: idSchema })

/** Stable for each user, so that an authenticator replaces a passkey instead of keeping two. */
const userHandleOf = ({ account_id, id }: UserKey): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(`${account_id}.${id}`))

const requirePasskey = async (tx: Tx, user: UserKey, passkeyId: number): Promise<PasskeyRow> => {
  const row = await findPasskey(tx, user, passkeyId)
  if (row === undefined) throw new Problem('passkey_not_found', { passkeyId })
  return row
}

const verifyRegistration = async (
  party: RelyingParty,
  challenges: Challenges,
  credential: Readonly<Record<string, unknown>>,
  sessionId: string,
) => {
  let signed = ''
  const { verifyRegistrationResponse } = await webAuthn()
  const result = await dropAttestation(credential)
    .then((response) =>
      verifyRegistrationResponse({
        response,
        expectedChallenge: (challenge) => {
          signed = challenge
          return challenges.isFor(challenge, `register ${sessionId}`)
        },
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        supportedAlgorithmIDs: algorithms,
        requireUserVerification: true,
      }),
    )
    // The library throws for each kind of wrong or malformed credential.
    .catch(() => null)
  if (result?.verified !== true) throw invalidField('Credential', 'wrong_passkey')
  return { info: result.registrationInfo, challenge: signed }
}

export const registerPasskeyRoutes = (
  app: HttpServer,
  { database, publicUrl, challenges, sessions, mails }: FactorDependencies,
): void => {
  app.post(
    '/session/passkeyoptions',
    {
      config: { permission: 'any-key', isOpenWithoutFactor: true, needsFreshFactor: true },
      schema: {
        operationId: 'startPasskey',
        tags: [tags.users],
        summary: 'Start to add a passkey',
        description:
          'Returns the options for `navigator.credentials.create()`. Send its result to `POST /v3/session/passkeys`.',
        response: responses(
          {
            status: 201,
            schema: optionsSchema('navigator.credentials.create()'),
            description: 'The options.',
          },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const user = ownerOf(request)
      const party = requireRelyingParty(publicUrl)
      const email = await checkMayAddFactors(database.kysely, request, user)
      const present = await listPasskeys(database.kysely, user)
      if (present.length >= maxPasskeys) throw new Problem('too_many_passkeys', { limit: maxPasskeys })
      const { generateRegistrationOptions } = await webAuthn()
      const options = await generateRegistrationOptions({
        rpName: 'Zoetrope',
        rpID: party.id,
        userID: userHandleOf(user),
        userName: email,
        challenge: challenges.begin(`register ${currentSessionOf(request)}`),
        excludeCredentials: present.map(({ credential_id, transports }) => ({
          id: credential_id,
          transports,
        })),
        supportedAlgorithmIDs: algorithms,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return reply.code(201).header('Cache-Control', 'no-store').send({ Options: options })
    },
  )

  app.post(
    '/session/passkeys',
    {
      config: { permission: 'any-key', isOpenWithoutFactor: true },
      schema: {
        operationId: 'createPasskey',
        tags: [tags.users],
        summary: 'Add a passkey',
        description:
          'Adds the passkey that the browser has created. It signs you in without a password, and counts as a second factor.',
        body: Type.Object(
          { Name: passkeyNameSchema, Credential: credentialSchema },
          { examples: [{ Name: 'Laptop', Credential: { id: 'pQ5gU0w0', type: 'public-key' } }] },
        ),
        response: responses(
          { status: 201, schema: schemaRef('Passkey'), description: 'The new passkey.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const user = ownerOf(request)
      const { Name, Credential } = request.body
      const party = requireRelyingParty(publicUrl)
      const { info, challenge } = await verifyRegistration(
        party,
        challenges,
        Credential,
        currentSessionOf(request),
      )
      const row = await database.transaction(async (tx) => {
        await lockCaller(tx, request)
        await checkMayAddFactors(tx, request, user)
        if ((await listPasskeys(tx, user)).length >= maxPasskeys)
          throw new Problem('too_many_passkeys', { limit: maxPasskeys })
        const made = await insertPasskey(tx, {
          account_id: user.account_id,
          user_id: user.id,
          credential_id: info.credential.id,
          public_key: Buffer.from(info.credential.publicKey),
          sign_count: info.credential.counter,
          transports: info.credential.transports ?? [],
          name: Name.trim(),
          is_synced: info.credentialBackedUp,
        })
        if (made === undefined) throw new Problem('passkey_in_use')
        if (!(await useState(tx, challenge, user.account_id)))
          throw invalidField('Credential', 'wrong_passkey')
        await recordAct(tx, actorOf(request), {
          action: 'factor.added',
          subject: 'User',
          subjectId: user.id,
          after: { Factor: 'Passkey', Name: made.name },
        })
        await mailNewPasskey(tx, request, { mails, publicUrl }, user, made.name)
        return made
      })
      sessions.evictUser(user.id)
      const body = JSON.stringify(passkeyRecord(row))
      return sendJson(request, reply.code(201), body, etagOf(body))
    },
  )

  app.put(
    '/session/passkeys/:passkeyId',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'updatePasskey',
        tags: [tags.users],
        summary: 'Rename a passkey',
        description: 'Changes the name of one of your passkeys.',
        params: passkeyParams,
        body: Type.Object({ Name: Type.Optional(passkeyNameSchema) }, { examples: [{ Name: 'Laptop' }] }),
        response: responses({ status: 200, schema: schemaRef('Passkey'), description: 'The passkey.' }, 404),
      },
    },
    async (request, reply) => {
      const user = ownerOf(request)
      const { passkeyId } = request.params
      const row = await database.transaction(async (tx) => {
        await lockCaller(tx, request)
        const before = await requirePasskey(tx, user, passkeyId)
        const name = request.body.Name?.trim() ?? before.name
        await changePasskey(tx, before, { name })
        await recordAct(tx, actorOf(request), {
          action: 'factor.updated',
          subject: 'User',
          subjectId: user.id,
          before: { Name: before.name },
          after: { Name: name },
        })
        return { ...before, name }
      })
      const body = JSON.stringify(passkeyRecord(row))
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.delete(
    '/session/passkeys/:passkeyId',
    {
      config: { permission: 'any-key', needsFreshFactor: true },
      schema: {
        operationId: 'deletePasskey',
        tags: [tags.users],
        summary: 'Remove a passkey',
        description:
          'Removes one of your passkeys. Returns 409 if the account requires a second factor and you have no other one.',
        params: passkeyParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The removed passkey.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const user = ownerOf(request)
      const { passkeyId } = request.params
      await database.transaction(async (tx) => {
        await lockCaller(tx, request)
        const row = await requirePasskey(tx, user, passkeyId)
        await deletePasskey(tx, row)
        await afterRemoval(tx, request, user, { Factor: 'Passkey', Name: row.name })
      })
      return reply.send({ Id: passkeyId, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
