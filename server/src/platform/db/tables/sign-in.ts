import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, JsonColumn } from './columns.ts'

interface SigningKeysTable {
  kid: string
  sealed_private_key: Buffer
  public_jwk: JsonColumn<Record<string, unknown>>
  created_at: CreatedAt
  retired_at: Date | null
}

export interface ApiKeysTable {
  jti: string
  account_id: number
  user_id: number
  label: string
  scopes: string[]
  project_ids: number[] | null
  last_four: string
  created_at: CreatedAt
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  ordinal: GeneratedAlways<number>
  token_expires_at: Date | null
  /** CIDR networks; null = all. */
  allowed_networks: string[] | null
  last_used_address: string | null
  /** Null for a JWT, which proves itself. */
  token_hash: Buffer | null
}

export type SignInMethod = 'Password' | 'Passkey' | 'IdentityProvider' | 'Link'

export interface SessionsTable {
  token_hash: Buffer
  account_id: number
  user_id: number
  created_at: CreatedAt
  expires_at: Date
  uuid: Generated<string>
  last_used_at: Generated<Date>
  address: Generated<string>
  user_agent: Generated<string>
  ordinal: GeneratedAlways<number>
  sign_in_method: Generated<SignInMethod>
  confirmed_at: Generated<Date>
}

interface TotpSecretsTable {
  account_id: number
  user_id: number
  sealed_secret: Buffer
  created_at: CreatedAt
  confirmed_at: Date | null
  last_used_at: Date | null
  last_step: Generated<number>
}

interface RecoveryCodesTable {
  account_id: number
  user_id: number
  code_hash: Buffer
  used_at: Date | null
}

export interface PasskeysTable {
  id: GeneratedAlways<number>
  account_id: number
  user_id: number
  credential_id: string
  public_key: Buffer
  sign_count: number
  transports: string[]
  name: string
  is_synced: boolean
  created_at: CreatedAt
  last_used_at: Date | null
}

interface SignInAttemptsTable {
  bucket: Buffer
  attempt_count: number
  began_at: Generated<Date>
  last_attempt_at: Date
  blocked_until: Date
}

interface SignInLinksTable {
  token_hash: Buffer
  account_id: number
  user_id: number
  expires_at: Date
}

interface UserIdentitiesTable {
  account_id: number
  issuer: string
  client_id: string
  subject: string
  user_id: number
  created_at: CreatedAt
}

interface UsedSignInStatesTable {
  state_hash: Buffer
  account_id: number
  used_at: CreatedAt
}

export interface SignInTables {
  signing_keys: SigningKeysTable
  api_keys: ApiKeysTable
  sessions: SessionsTable
  totp_secrets: TotpSecretsTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  sign_in_attempts: SignInAttemptsTable
  sign_in_links: SignInLinksTable
  user_identities: UserIdentitiesTable
  used_sign_in_states: UsedSignInStatesTable
}
