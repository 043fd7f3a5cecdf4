import { sql, type Selectable } from 'kysely'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import type { WebhookSigningKeysTable } from '../../../platform/db/tables/partners.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import type { NewKey } from './key-pairs.ts'

export type WebhookSigningKeyRow = Selectable<WebhookSigningKeysTable>

/** Cache-Control lifetime of the key set; receivers keep it at most twice as long. */
export const keySetMaxAgeSeconds = 300
/** A new key is published this long before it signs, so that every receiver has it. */
const aheadMs = 2 * keySetMaxAgeSeconds * 1_000
/** A JWT is valid for five minutes, but receivers may verify it later from a queue. */
const publishedAfterMs = 3_600_000
export const longestUseMs = 90 * 86_400_000

export const keysOfAccount = (queryable: Queryable, accountId: number): Promise<WebhookSigningKeyRow[]> =>
  queryable
    .selectFrom('webhook_signing_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((where) =>
      where.or([where('published_until', 'is', null), where('published_until', '>', new Date())]),
    )
    .orderBy('active_from')
    .execute()

/**
 * Returns the key that signs now: the newest active one. Falls back to the first key, because a slow clock
 * may see none as active.
 */
export const activeKey = <Key extends Pick<WebhookSigningKeyRow, 'active_from' | 'published_until'>>(
  keys: readonly Key[],
  now: Date,
): Key | undefined =>
  keys.findLast(
    ({ active_from, published_until }) =>
      active_from <= now && (published_until === null || published_until > now),
  ) ?? keys[0]

const insertKey = async (tx: Tx, accountId: number, key: NewKey, activeFrom: Date): Promise<void> => {
  await tx
    .insertInto('webhook_signing_keys')
    .values({ ...key, account_id: accountId, active_from: activeFrom })
    .execute()
}

/** Sets the end of publication for all keys and deletes those already past it. */
const retireKeys = async (tx: Tx, accountId: number, publishedUntil: Date): Promise<void> => {
  await tx
    .deleteFrom('webhook_signing_keys')
    .where('account_id', '=', accountId)
    .where('published_until', '<=', new Date())
    .execute()
  await tx
    .updateTable('webhook_signing_keys')
    .set({ published_until: publishedUntil })
    .where('account_id', '=', accountId)
    .where('published_until', 'is', null)
    .execute()
}

/**
 * Starts the keys of a new connection; the first key is active at once. After a disconnection the last key
 * continues while it is still published, so that repeated connecting adds no published keys. Compromised keys
 * are already deleted.
 */
export const beginKeys = async (tx: Tx, accountId: number, key: NewKey): Promise<void> => {
  const last = (await keysOfAccount(tx, accountId)).at(-1)
  if (last === undefined) {
    await retireKeys(tx, accountId, new Date())
    await insertKey(tx, accountId, key, new Date())
    return
  }
  await tx
    .updateTable('webhook_signing_keys')
    .set({ published_until: null })
    .where('account_id', '=', accountId)
    .where('kid', '=', last.kid)
    .execute()
}

/**
 * Publishes the next key, which becomes active ten minutes later. Throws 'conflict' while another key waits
 * to become active.
 */
export const rotateKeys = async (tx: Tx, accountId: number, key: NewKey, now = new Date()): Promise<void> => {
  const activeFrom = new Date(now.getTime() + aheadMs)
  const waiting = (await keysOfAccount(tx, accountId)).find(({ active_from }) => active_from > now)
  if (waiting !== undefined)
    throw new Problem('signing_key_waiting', { activeFrom: toTimestamp(waiting.active_from) })
  await retireKeys(tx, accountId, new Date(activeFrom.getTime() + publishedAfterMs))
  await insertKey(tx, accountId, key, activeFrom)
}

/** Deletes all keys at once and activates a new one, because a key may be compromised. */
export const replaceCompromisedKeys = async (tx: Tx, accountId: number, key: NewKey): Promise<void> => {
  await tx.deleteFrom('webhook_signing_keys').where('account_id', '=', accountId).execute()
  await insertKey(tx, accountId, key, new Date())
}

/** Retires the keys after a disconnection; recent deliveries stay verifiable for an hour. */
export const endKeys = (tx: Tx, accountId: number): Promise<void> =>
  retireKeys(tx, accountId, new Date(Date.now() + publishedAfterMs))

/** Returns the public keys of all accounts, including upcoming and recently replaced ones. */
export const publishedKeys = async ({ kysely }: Database): Promise<JsonWebKey[]> => {
  const rows = await kysely
    .selectFrom('webhook_signing_keys')
    .select('public_jwk')
    .where(sql<boolean>`published_until is null or published_until > now()`)
    .orderBy('created_at')
    .orderBy('kid')
    .execute()
  return rows.map(({ public_jwk }) => public_jwk)
}
