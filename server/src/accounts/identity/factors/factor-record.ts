import { Type } from 'typebox'
import type { FastifyRequest } from 'fastify'
import { schemaRef } from '../../../platform/http/openapi/openapi.ts'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import type { SessionVerifier } from '../authentication/session-verifier.ts'
import { currentSessionOf } from '../sessions/session-routes.ts'
import { readFactors, type UserKey } from '../store/factor-store.ts'
import { listPasskeys, type PasskeyRow } from '../store/passkey-store.ts'
import { readSignInPolicy } from '../store/sign-in-policy.ts'
import type { UserMails } from '../authentication/mail-owner.ts'
import type { Challenges } from './passkeys/challenges.ts'
import { relyingPartyOf } from './passkeys/relying-party.ts'

export interface FactorDependencies extends UserMails {
  readonly database: Database
  readonly secrets: Secrets
  readonly sessions: SessionVerifier
  readonly challenges: Challenges
}

const examplePasskey = {
  Id: 4,
  Name: 'Laptop',
  IsSynced: true,
  CreatedAt: '2026-03-01T08:30:00+00:00',
  LastUsedAt: '2026-03-01T12:00:00+00:00',
}

export const passkeySchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the passkey.'),
    Name: Type.String({ description: 'Name that the user gave it.' }),
    IsSynced: Type.Boolean({
      description: 'Whether a password manager copies it to other devices of the user.',
    }),
    CreatedAt: described(timestampSchema, 'Time at which the passkey was added.'),
    LastUsedAt: nullable(timestampSchema, 'Time of its last use. Null if it was never used.'),
  },
  { description: 'A passkey of the signed-in user.', examples: [examplePasskey] },
)

export const factorsSchema = Type.Object(
  {
    HasPassword: Type.Boolean({ description: 'Whether the user has a password.' }),
    AuthenticatorApp: nullable(
      Type.Object({
        CreatedAt: described(timestampSchema, 'Time at which the app was set up.'),
        LastUsedAt: nullable(timestampSchema, 'Time at which its last code was used.'),
      }),
      'The authenticator app of the user. Null without one.',
    ),
    Passkeys: Type.Array(schemaRef('Passkey'), { description: 'The passkeys of the user.' }),
    RecoveryCodeCount: Type.Integer({ description: 'Recovery codes that are left.' }),
    AreRequired: Type.Boolean({
      description: 'Whether the account requires a second factor for sign-ins with a password.',
    }),
    CanAdd: Type.Boolean({
      description: 'False for a sign-in with an identity provider, which manages factors itself.',
    }),
    CanUsePasskeys: Type.Boolean({
      description: 'Whether the public address has a host name, which passkeys require.',
    }),
  },
  {
    description: 'The sign-in factors of the signed-in user.',
    examples: [
      {
        HasPassword: true,
        AuthenticatorApp: {
          CreatedAt: '2026-03-01T08:30:00+00:00',
          LastUsedAt: '2026-03-01T12:00:00+00:00',
        },
        Passkeys: [examplePasskey],
        RecoveryCodeCount: 10,
        AreRequired: false,
        CanAdd: true,
        CanUsePasskeys: true,
      },
    ],
  },
)

export const passkeyRecord = (row: PasskeyRow) => ({
  Id: row.id,
  Name: row.name,
  IsSynced: row.is_synced,
  CreatedAt: toTimestamp(row.created_at),
  LastUsedAt: toTimestampOrNull(row.last_used_at),
})

/** Requires a session. Throws 'not_found' for a request with an API key. */
export const ownerOf = (request: FastifyRequest): UserKey => {
  currentSessionOf(request)
  return { account_id: request.principal.accountId, id: request.principal.userId }
}

const readSession = (queryable: Queryable, user: UserKey, sessionId: string) =>
  queryable
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.id', '=', 'sessions.user_id').onRef('users.account_id', '=', 'sessions.account_id'),
    )
    .select(['sessions.sign_in_method', 'users.email', 'users.password_hash'])
    .where('sessions.account_id', '=', user.account_id)
    .where('sessions.uuid', '=', sessionId)
    .executeTakeFirst()

/**
 * A factor added in a session of the provider would let a person sign in whom the provider has disabled.
 * Returns the address of the user.
 */
export const checkMayAddFactors = async (
  queryable: Queryable,
  request: FastifyRequest,
  user: UserKey,
): Promise<string> => {
  const session = await readSession(queryable, user, currentSessionOf(request))
  if (session === undefined || session.sign_in_method === 'IdentityProvider')
    throw new Problem('factors_of_provider')
  return session.email
}

export const renderFactors = async (
  queryable: Queryable,
  request: FastifyRequest,
  publicUrl: string,
): Promise<string> => {
  const user = ownerOf(request)
  const session = await readSession(queryable, user, currentSessionOf(request))
  const { totp, recoveryCodeCount } = await readFactors(queryable, user)
  const { requiresTwoFactors } = await readSignInPolicy(queryable, user.account_id)
  return JSON.stringify({
    HasPassword: session?.password_hash != null,
    AuthenticatorApp:
      totp === null
        ? null
        : { CreatedAt: toTimestamp(totp.createdAt), LastUsedAt: toTimestampOrNull(totp.lastUsedAt) },
    Passkeys: (await listPasskeys(queryable, user)).map(passkeyRecord),
    RecoveryCodeCount: recoveryCodeCount,
    AreRequired: requiresTwoFactors,
    CanAdd: session?.sign_in_method !== 'IdentityProvider',
    CanUsePasskeys: relyingPartyOf(publicUrl) !== null,
  })
}
