import { sql } from 'kysely'
import { recordAct, systemOf } from '../../audit/record-act.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import { issueApiKey } from '../authentication/api-keys.ts'
import type { SigningKeys } from '../authentication/signing-keys.ts'

export interface NewAccount {
  readonly name: string
  readonly email: string
  readonly passwordHash: string
}

export interface AccountKeys {
  readonly signingKeys: SigningKeys
  readonly issuer: string
}

/**
 * Creates an account with its first Administrator. `newKey` issues an API key of that user with every scope.
 */
export const insertAccount = async (tx: Tx, { signingKeys, issuer }: AccountKeys, account: NewAccount) => {
  const { id: accountId } = await tx
    .insertInto('accounts')
    .values({ name: account.name })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: userId } = await tx
    .insertInto('users')
    .values({
      account_id: accountId,
      email: account.email,
      name: 'Administrator',
      password_hash: account.passwordHash,
      role: 'Administrator',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const newKey = (label: string) =>
    issueApiKey(tx, signingKeys, issuer, {
      accountId,
      userId,
      label,
      scopes: ['*'],
      projectIds: null,
      expiresAt: null,
      allowedNetworks: null,
    })
  return { accountId, newKey }
}

export interface AccountRecord {
  readonly Id: number
  readonly Name: string
  readonly IsEnabled: boolean
  readonly CreatedAt: string
  readonly DisabledAt: string | null
  readonly UserCount: number
  readonly ProjectCount: number
  readonly StorageBytes: number
}

export const listAccounts = async ({ kysely }: Database): Promise<AccountRecord[]> => {
  const rows = await kysely
    .selectFrom('accounts as a')
    .select([
      'a.id',
      'a.name',
      'a.created_at',
      'a.disabled_at',
      sql<string>`(select count(*) from users u where u.account_id = a.id and u.deleted_at is null)`.as(
        'users',
      ),
      sql<string>`(select count(*) from projects p where p.account_id = a.id and p.deleted_at is null)`.as(
        'projects',
      ),
      sql<string>`(select coalesce(sum(p.storage_bytes + coalesce((
          select sum(part.storage_bytes) from project_counts part where part.project_id = p.id), 0)), 0)
        from projects p where p.account_id = a.id and p.deleted_at is null)`.as('bytes'),
    ])
    .orderBy('a.id')
    .execute()
  return rows.map((row) => ({
    Id: row.id,
    Name: row.name,
    IsEnabled: row.disabled_at === null,
    CreatedAt: toTimestamp(row.created_at),
    DisabledAt: toTimestampOrNull(row.disabled_at),
    UserCount: Number(row.users),
    ProjectCount: Number(row.projects),
    StorageBytes: Number(row.bytes),
  }))
}

/**
 * Returns false when the account does not exist. Leaves an account unchanged that already has the wanted
 * state.
 */
export const setAccountEnabled = (
  database: Database,
  accountId: number,
  isEnabled: boolean,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const account = await tx
      .selectFrom('accounts')
      .select('disabled_at')
      .where('id', '=', accountId)
      .forUpdate()
      .executeTakeFirst()
    if (account === undefined) return false
    if ((account.disabled_at === null) === isEnabled) return true
    await tx
      .updateTable('accounts')
      .set({ disabled_at: isEnabled ? null : new Date() })
      .where('id', '=', accountId)
      .execute()
    await recordAct(tx, systemOf(accountId), {
      action: isEnabled ? 'account.enabled' : 'account.disabled',
      subject: 'Account',
      subjectId: accountId,
      before: { IsEnabled: !isEnabled },
      after: { IsEnabled: isEnabled },
    })
    return true
  })
