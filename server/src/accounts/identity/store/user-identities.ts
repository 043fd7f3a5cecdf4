import type { Queryable, Tx } from '../../../platform/db/database.ts'

export interface ProviderIdentity {
  readonly accountId: number
  readonly issuer: string
  /** Some providers use a different subject for each client. */
  readonly clientId: string
  readonly subject: string
}

export const findUserIdOf = async (
  queryable: Queryable,
  { accountId, issuer, clientId, subject }: ProviderIdentity,
): Promise<number | null> => {
  const row = await queryable
    .selectFrom('user_identities')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('issuer', '=', issuer)
    .where('client_id', '=', clientId)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/**
 * The caller holds the lock of the user. Returns false when the user is linked to another identity at the
 * provider.
 */
export const linkIdentity = async (
  tx: Tx,
  { accountId, issuer, clientId, subject }: ProviderIdentity,
  userId: number,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('user_identities')
    .values({ account_id: accountId, issuer, client_id: clientId, subject, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Unlinks a user who may no longer sign in: should that change, the address identifies the user again. */
export const deleteIdentities = async (
  tx: Tx,
  user: { readonly account_id: number; readonly id: number },
): Promise<void> => {
  await tx
    .deleteFrom('user_identities')
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .execute()
}
