import type { Selectable } from 'kysely'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import type { ClientKeysTable } from '../../../platform/db/tables/partners.ts'
import { newId } from '../../../platform/base/ids.ts'
import type { NewKey } from './key-pairs.ts'

export type ClientKeyRow = Selectable<ClientKeysTable>

export const newestClientKey = (queryable: Queryable, accountId: number): Promise<ClientKeyRow | undefined> =>
  queryable
    .selectFrom('client_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findClientKey = (
  queryable: Queryable,
  accountId: number,
  kid: string,
): Promise<ClientKeyRow | undefined> =>
  queryable
    .selectFrom('client_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kid', '=', kid)
    .executeTakeFirst()

/**
 * Inserts a client key; the one in use stays until the next connection, and the URL of the set stays the
 * same. The caller holds the account's lock.
 */
export const insertClientKey = async (
  tx: Tx,
  accountId: number,
  key: NewKey,
  keptKid: string | null,
): Promise<ClientKeyRow> => {
  const former = await newestClientKey(tx, accountId)
  await dropOtherClientKeys(tx, accountId, keptKid)
  return tx
    .insertInto('client_keys')
    .values({ ...key, account_id: accountId, key_set_id: former?.key_set_id ?? newId() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const dropOtherClientKeys = async (
  tx: Tx,
  accountId: number,
  keptKid: string | null,
): Promise<void> => {
  await tx
    .deleteFrom('client_keys')
    .where('account_id', '=', accountId)
    .where('kid', '<>', keptKid ?? '')
    .execute()
}

export const clientKeySet = async ({ kysely }: Database, keySetId: string): Promise<JsonWebKey[]> => {
  const rows = await kysely
    .selectFrom('client_keys')
    .select('public_jwk')
    .where('key_set_id', '=', keySetId)
    .orderBy('created_at')
    .execute()
  return rows.map(({ public_jwk }) => public_jwk)
}
