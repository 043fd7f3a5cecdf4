import type { ProjectRole, Role } from '@zoetrope/vocabulary'
import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, DefaultedJsonColumn, UpdatedAt } from './columns.ts'

interface AccountsTable {
  id: GeneratedAlways<number>
  name: string
  created_at: CreatedAt
  /** Set by the operator: disables the keys and sessions of the account. */
  disabled_at: Date | null
  /** Longest life of a new API key; null = no limit. */
  max_key_days: number | null
  requires_two_factors: Generated<boolean>
}

export interface UsersTable {
  id: GeneratedAlways<number>
  account_id: number
  email: string
  name: Generated<string>
  password_hash: string | null
  role: Role
  is_enabled: Generated<boolean>
  created_at: CreatedAt
  updated_at: UpdatedAt
  last_sign_in_at: Date | null
  /** Language of the browser at the last sign-in, for e-mails. */
  language: 'en' | 'de' | null
  deleted_at: Date | null
}

interface ProjectRolesTable {
  account_id: number
  user_id: number
  project_id: number
  role: ProjectRole
}

interface InstallationSettingsTable {
  name: string
  value: string
}

export interface InvitationsTable {
  id: GeneratedAlways<number>
  account_id: number
  token_hash: Buffer
  created_by: number
  /** Null when the change was made in a session. */
  api_key_id: string | null
  user_id: number | null
  /** The user requested the link for their own password. */
  is_reset: Generated<boolean>
  email: string
  role: Role | null
  project_roles: DefaultedJsonColumn<{ readonly projectId: number; readonly role: ProjectRole }[]>
  created_at: CreatedAt
  expires_at: Date
  accepted_at: Date | null
  revoked_at: Date | null
}

export interface AccountTables {
  accounts: AccountsTable
  users: UsersTable
  project_roles: ProjectRolesTable
  installation_settings: InstallationSettingsTable
  invitations: InvitationsTable
}
