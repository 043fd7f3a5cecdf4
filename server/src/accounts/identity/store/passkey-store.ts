import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { PasskeysTable } from '../../../platform/db/tables/sign-in.ts'
import type { UserKey } from './factor-store.ts'

export type PasskeyRow = Selectable<PasskeysTable>

const ofUser = (queryable: Queryable, user: UserKey) =>
  queryable
    .selectFrom('passkeys')
    .selectAll()
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)

export const listPasskeys = (queryable: Queryable, user: UserKey): Promise<PasskeyRow[]> =>
  ofUser(queryable, user).orderBy('id').execute()

export const findPasskey = (
  queryable: Queryable,
  user: UserKey,
  id: number,
): Promise<PasskeyRow | undefined> => ofUser(queryable, user).where('id', '=', id).executeTakeFirst()

/** Credential ids are unique across accounts: at a sign-in, they identify the user. */
export const findPasskeyByCredential = (
  queryable: Queryable,
  credentialId: string,
): Promise<PasskeyRow | undefined> =>
  queryable.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

/** Returns undefined when the credential is registered already. */
export const insertPasskey = (
  tx: Tx,
  row: Pick<
    PasskeyRow,
    | 'account_id'
    | 'user_id'
    | 'credential_id'
    | 'public_key'
    | 'sign_count'
    | 'transports'
    | 'name'
    | 'is_synced'
  >,
): Promise<PasskeyRow | undefined> =>
  tx
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const changePasskey = async (
  tx: Tx,
  { account_id, id }: PasskeyRow,
  change: Partial<Pick<PasskeyRow, 'name' | 'sign_count' | 'is_synced' | 'last_used_at'>>,
): Promise<void> => {
  await tx
    .updateTable('passkeys')
    .set(change)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

export const deletePasskey = async (tx: Tx, { account_id, id }: PasskeyRow): Promise<void> => {
  await tx.deleteFrom('passkeys').where('account_id', '=', account_id).where('id', '=', id).execute()
}
