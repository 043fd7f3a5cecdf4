import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { wrongMasterKey, type Sealer, type Secrets } from '../../platform/base/secrets.ts'

const keyBytes = 32

/** All processes know a key before the first one signs with it. */
const activationMs = 10_000

/** Any constant works while no other code uses this advisory lock. */
const creationLock = 7_304_011

export const openLinkKey = (
  sealer: Sealer<'liveNodes'>,
  sealed: Buffer,
): { readonly preview: Buffer; readonly viewer: Buffer } => {
  try {
    const both = sealer.open(sealed)
    return { preview: both.subarray(0, keyBytes), viewer: both.subarray(keyBytes) }
  } catch (error) {
    throw wrongMasterKey(error)
  }
}

export const readLinkKeys = (queryable: Queryable) =>
  queryable
    .selectFrom('link_keys')
    .select(['id', 'sealed_keys', 'active_from', 'ends_at'])
    .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', new Date())]))
    .orderBy('id')
    .execute()

const insertLinkKey = (tx: Tx, id: number, sealed: Buffer, activeFrom: Date) =>
  tx.insertInto('link_keys').values({ id, sealed_keys: sealed, active_from: activeFrom }).execute()

/** Creates the first key from the master key, as earlier versions did, so that their links stay valid. */
export const ensureLinkKey = async (database: Database, secrets: Secrets): Promise<void> => {
  const isKnown = async (queryable: Queryable): Promise<boolean> =>
    (await queryable.selectFrom('link_keys').select('id').limit(1).executeTakeFirst()) !== undefined
  if (await isKnown(database.kysely)) return
  await database.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${creationLock})`.execute(tx)
    if (await isKnown(tx)) return
    const keys = [secrets.derive('playout preview token'), secrets.derive('playout viewer token')]
    await insertLinkKey(tx, 1, secrets.liveNodes.seal(Buffer.concat(keys)), new Date(0))
  })
}

/**
 * Adds a key, which signs all new links after ten seconds. Links of earlier keys stay valid until `oldUntil`.
 */
export const rotateLinkKey = (
  database: Database,
  sealer: Sealer<'liveNodes'>,
  oldUntil: Date,
): Promise<{ readonly id: number; readonly activeFrom: Date }> =>
  database.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${creationLock})`.execute(tx)
    const now = Date.now()
    await tx.deleteFrom('link_keys').where('ends_at', '<', new Date(now)).execute()
    const { last } = await tx
      .selectFrom('link_keys')
      .select((select) => select.fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    // An old key that ends at once signs nothing meanwhile.
    const activeFrom = new Date(
      oldUntil.getTime() <= now ? 0 : Math.min(now + activationMs, oldUntil.getTime()),
    )
    const id = (last ?? 0) + 1
    await tx
      .updateTable('link_keys')
      .set({ ends_at: oldUntil })
      .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', oldUntil)]))
      .execute()
    await insertLinkKey(tx, id, sealer.seal(randomBytes(2 * keyBytes)), activeFrom)
    return { id, activeFrom: new Date(Math.max(activeFrom.getTime(), now)) }
  })
