import { invalidField } from '../../../platform/base/problem.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import type { ConnectionRow } from '../store/connection-store.ts'
import type { ConnectBody } from '../provider/partner-schemas.ts'
import type { SignInRow } from '../sign-in/sign-in-client.ts'

type SignInSettings = Pick<SignInRow, 'sign_in_is_enabled' | 'sign_in_client_id' | 'sealed_sign_in_secret'>

const nothing: SignInSettings = {
  sign_in_is_enabled: false,
  sign_in_client_id: null,
  sealed_sign_in_secret: null,
}

/** A stored secret is sent only to the client and issuer it was entered for. */
const sealedSecret = (
  secrets: Secrets,
  clientId: string | null,
  secret: string | undefined,
  kept: Buffer | null,
): Buffer | null => {
  if (clientId === null) {
    if (secret === undefined) return null
    throw invalidField('SignIn.ClientSecret', 'needs_sign_in_client')
  }
  if (secret !== undefined) return secrets.seal(Buffer.from(secret, 'utf8'))
  if (kept === null) throw invalidField('SignIn.ClientSecret', 'sign_in_secret_missing')
  return kept
}

/**
 * Merges a request into the sign-in settings: absent = unchanged, null = cleared. Throws 'invalid' with the
 * field.
 */
export const mergedSignIn = (
  secrets: Secrets,
  { Issuer, SignIn: wanted }: Pick<ConnectBody, 'Issuer' | 'SignIn'>,
  before: ConnectionRow | undefined,
  after: Pick<ConnectionRow, 'preset' | 'issuer' | 'authentication'>,
): SignInSettings => {
  if (wanted === null) return nothing
  const former = before ?? nothing
  const clientId = wanted?.ClientId === undefined ? former.sign_in_client_id : wanted.ClientId
  const isEnabled = wanted?.IsEnabled === undefined ? former.sign_in_is_enabled : (wanted.IsEnabled ?? false)
  // A caller who enables sign-in must name the issuer that decides who a person is, so that a concurrent
  // change cannot replace it unnoticed.
  if (isEnabled && !former.sign_in_is_enabled && Issuer === undefined)
    throw invalidField('Issuer', 'issuer_required_for_sign_in')
  const isForSameClient =
    before?.preset === after.preset && before.issuer === after.issuer && before.sign_in_client_id === clientId
  const kept = isForSameClient ? former.sealed_sign_in_secret : null
  if (isEnabled && clientId === null && after.authentication === 'service_account')
    throw invalidField('SignIn.ClientId', 'client_required_for_sign_in')
  return {
    sign_in_is_enabled: isEnabled,
    sign_in_client_id: clientId,
    sealed_sign_in_secret: sealedSecret(secrets, clientId, wanted?.ClientSecret, kept),
  }
}

/** Returns whether the change lets another provider identify people once sign-in is enabled. */
export const changesWhoIsWho = (
  before: ConnectionRow,
  after: ConnectionRow,
  wanted: ConnectBody['SignIn'],
): boolean =>
  before.issuer !== after.issuer ||
  before.client_id !== after.client_id ||
  before.sign_in_client_id !== after.sign_in_client_id ||
  wanted?.ClientSecret !== undefined

/** One redirect URI per account prevents mix-up attacks between providers (RFC 9700, section 4.4.2.2). */
export const redirectUriOf = (publicUrl: string, accountId: number): string =>
  `${publicUrl}/signin/sso/callback/${accountId}`
