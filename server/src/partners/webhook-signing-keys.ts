import { sql, type Selectable } from 'kysely'
import type { Database, Queryable, Tx } from '../kernel/db/database.ts'
import type { WebhookSigningKeysTable } from '../kernel/db/tables.ts'
import { Problem } from '../kernel/problem.ts'
import type { NewKey } from './key-pairs.ts'

export type WebhookSigningKeyRow = Selectable<WebhookSigningKeysTable>

/** Receivers keep the key set that long (Cache-Control), and at most twice as long. */
export const keySetMaxAgeSeconds = 300
/** A new key is published this long before it signs, so that every receiver has it. */
const aheadMs = 2 * keySetMaxAgeSeconds * 1_000
/** A JWT holds for five minutes; receivers may look at it later, from a queue of their own. */
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

/** The one that signs at this moment: of those that may, the newest. By a clock that is behind that of the others none may yet. */
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

/** Takes all keys out of use by then; those that are over already are forgotten. */
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
 * The keys of a new connection: nobody has to be told of a first one beforehand. After a disconnection the last key signs on while it is still
 * published, so that connecting and disconnecting in turn adds nothing to what every receiver reads. A compromised one is not there any more.
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

/** Publishes the next key, which signs from ten minutes on. Throws 'conflict' while one waits for that already. */
export const rotateKeys = async (tx: Tx, accountId: number, key: NewKey, now = new Date()): Promise<void> => {
  const activeFrom = new Date(now.getTime() + aheadMs)
  const waiting = (await keysOfAccount(tx, accountId)).find(({ active_from }) => active_from > now)
  if (waiting !== undefined)
    throw new Problem(
      'conflict',
      `The next key signs from ${waiting.active_from.toISOString()} on; rotate again after that, or with IsCompromised.`,
    )
  await retireKeys(tx, accountId, new Date(activeFrom.getTime() + publishedAfterMs))
  await insertKey(tx, accountId, key, activeFrom)
}

/** Somebody else may hold a key: all of them are gone at once, and a new one signs from now on. */
export const replaceCompromisedKeys = async (tx: Tx, accountId: number, key: NewKey): Promise<void> => {
  await tx.deleteFrom('webhook_signing_keys').where('account_id', '=', accountId).execute()
  await insertKey(tx, accountId, key, new Date())
}

/** After a disconnection: what was sent just now can be verified for a while. */
export const endKeys = (tx: Tx, accountId: number): Promise<void> =>
  retireKeys(tx, accountId, new Date(Date.now() + publishedAfterMs))

/** What receivers verify by: the keys of all accounts, those to come and those just replaced too. */
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
