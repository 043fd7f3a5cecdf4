import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import type { ClientKeyRow } from '../store/client-keys.ts'
import type { ConnectionRow } from '../store/connection-store.ts'
import { redirectUriOf } from '../connections/sign-in-settings.ts'
import { activeKey, type WebhookSigningKeyRow } from '../store/webhook-signing-keys.ts'

export const identityProviderRecord = (
  row: ConnectionRow,
  keys: readonly WebhookSigningKeyRow[],
  publicUrl: string,
) => ({
  Id: row.id,
  Preset: row.preset,
  Issuer: row.issuer,
  ClientId: row.client_id,
  Authentication: row.authentication,
  HasClientSecret: row.sealed_client_secret !== null,
  Scope: row.scope,
  Audience: row.audience,
  TokenEndpoint: row.token_endpoint,
  ProviderKeySetURI: row.key_set_uri,
  State: row.state,
  StateReason: row.state_reason,
  StateErrorReason: row.state_error_reason,
  StateErrorParams: row.state_error_params,
  StateSince: toTimestamp(row.state_since),
  SignIn: {
    IsEnabled: row.sign_in_is_enabled,
    ClientId: row.sign_in_client_id,
    HasClientSecret: row.sealed_sign_in_secret !== null,
    RedirectURI: redirectUriOf(publicUrl, row.account_id),
    FailureReason: row.sign_in_failure,
    ErrorReason: row.sign_in_error_reason,
    ErrorParams: row.sign_in_error_params,
    FailedAt: toTimestampOrNull(row.sign_in_failed_at),
  },
  SigningKeySetURI: `${publicUrl}/.well-known/jwks.json`,
  SigningKeys: keys.map((key) => ({
    Kid: key.kid,
    IsActive: key.kid === activeKey(keys, new Date())?.kid,
    ActiveFrom: toTimestamp(key.active_from),
    PublishedUntil: toTimestampOrNull(key.published_until),
  })),
  ConnectedAt: toTimestamp(row.connected_at),
  LastUpdateAt: toTimestamp(row.updated_at),
})

export const clientKeyRecord = (row: ClientKeyRow, usedKid: string | null, publicUrl: string) => ({
  Kid: row.kid,
  PublicKey: row.public_jwk,
  KeySetURI: `${publicUrl}/.well-known/clients/${row.key_set_id}/jwks.json`,
  IsInUse: row.kid === usedKid,
  CreatedAt: toTimestamp(row.created_at),
})
