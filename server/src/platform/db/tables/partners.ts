import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { MessageParams } from '@zoetrope/vocabulary'
import type { CreatedAt, JsonColumn, UpdatedAt } from './columns.ts'

export interface IdentityProvidersTable {
  account_id: number
  id: GeneratedAlways<number>
  preset: 'cognito' | 'auth0' | 'entra' | 'okta' | 'keycloak' | 'google' | 'custom'
  issuer: string
  client_id: string
  authentication: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'service_account'
  sealed_client_secret: Buffer | null
  client_key_id: string | null
  scope: string | null
  audience: string | null
  token_endpoint: string
  key_set_uri: string
  state: Generated<'working' | 'unreachable' | 'broken'>
  state_reason: string | null
  state_error_reason: string | null
  state_error_params: JsonColumn<MessageParams | null>
  state_since: UpdatedAt
  version: Generated<number>
  credential_version: Generated<number>
  connected_at: CreatedAt
  updated_at: UpdatedAt
  sign_in_is_enabled: Generated<boolean>
  sign_in_client_id: string | null
  sealed_sign_in_secret: Buffer | null
  sign_in_failure: string | null
  sign_in_error_reason: string | null
  sign_in_error_params: JsonColumn<MessageParams | null>
  sign_in_failed_at: Date | null
}

export interface WebhookSigningKeysTable {
  kid: string
  account_id: number
  sealed_private_key: Buffer
  public_jwk: JsonColumn<JsonWebKey>
  created_at: CreatedAt
  active_from: ColumnType<Date, Date | undefined, Date>
  published_until: Date | null
}

export interface ClientKeysTable {
  kid: string
  account_id: number
  key_set_id: string
  sealed_private_key: Buffer
  public_jwk: JsonColumn<JsonWebKey>
  created_at: CreatedAt
}

export interface PartnerTables {
  identity_providers: IdentityProvidersTable
  webhook_signing_keys: WebhookSigningKeysTable
  client_keys: ClientKeysTable
}
