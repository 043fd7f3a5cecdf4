import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { Type } from 'typebox'
import { nullable } from '../../../../platform/http/requests/schemas.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { changePasskey, findPasskeyByCredential, type PasskeyRow } from '../../store/passkey-store.ts'
import { useState } from '../../store/used-states.ts'
import type { ChallengePurpose, Challenges } from './challenges.ts'
import type { RelyingParty } from './relying-party.ts'
import { webAuthn } from './webauthn.ts'

/** The JSON form of a PublicKeyCredential (WebAuthn, section 5.1). The library checks its fields. */
export const credentialSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Result of the browser, as `PublicKeyCredential.toJSON()` returns it.',
  examples: [
    {
      id: 'pQ5gU0w0R0e3p3x8m2n9bVv5yq1Yt6sXc7dK4hJ2LfA',
      rawId: 'pQ5gU0w0R0e3p3x8m2n9bVv5yq1Yt6sXc7dK4hJ2LfA',
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
        authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
        signature: 'MEUCIQDx',
      },
    },
  ],
})

/** Options for `navigator.credentials`, as the browser parses them from JSON. */
const browserOptions = (use: string) =>
  Type.Record(Type.String(), Type.Unknown(), {
    description: `Options for \`${use}\`. They work once, within five minutes.`,
  })

const exampleOptions = { Options: { challenge: 'x3mH0d7Wm2dNq4JtCk8rZy1uVb6pLs9fGa5eXo0iTwY' } }

export const optionsSchema = (use: string) =>
  Type.Object({ Options: browserOptions(use) }, { examples: [exampleOptions] })

export const optionsOrNullSchema = (use: string) =>
  Type.Object(
    {
      Options: nullable(
        browserOptions(use),
        `Options for \`${use}\`, which work once, within five minutes. Null if the public address has no host name, which passkeys require.`,
      ),
    },
    { examples: [exampleOptions] },
  )

/** Returns the passkey that the credential names, without any proof. */
export const findNamedPasskey = async (
  tx: Tx,
  { id }: Readonly<Record<string, unknown>>,
): Promise<PasskeyRow | undefined> => (typeof id === 'string' ? findPasskeyByCredential(tx, id) : undefined)

/**
 * Verifies a signature made with a passkey and the PIN or fingerprint of its owner, once. Returns the
 * passkey; null when it is refused.
 */
export const usePasskey = async (
  tx: Tx,
  { party, challenges }: { readonly party: RelyingParty; readonly challenges: Challenges },
  credential: Readonly<Record<string, unknown>>,
  purpose: ChallengePurpose,
): Promise<PasskeyRow | null> => {
  const row = await findNamedPasskey(tx, credential)
  if (row === undefined) return null
  let signed = ''
  const { verifyAuthenticationResponse } = await webAuthn()
  const result = await verifyAuthenticationResponse({
    response: credential as unknown as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => {
      signed = challenge
      return challenges.isFor(challenge, purpose)
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: row.credential_id,
      publicKey: Uint8Array.from(row.public_key),
      counter: row.sign_count,
      transports: row.transports,
    },
    requireUserVerification: true,
    // The library throws for each kind of wrong or malformed signature.
  }).catch(() => null)
  if (result?.verified !== true || !(await useState(tx, signed, row.account_id))) return null
  await changePasskey(tx, row, {
    sign_count: result.authenticationInfo.newCounter,
    is_synced: result.authenticationInfo.credentialBackedUp,
    last_used_at: new Date(),
  })
  return row
}
