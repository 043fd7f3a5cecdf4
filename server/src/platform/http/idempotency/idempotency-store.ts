import { sql } from 'kysely'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { Secrets } from '../../base/secrets.ts'

/**
 * Owner of a key. The same text sent with another API key is another key, so no caller reads the response of
 * another one.
 */
export interface KeyOwner {
  readonly accountId: number
  readonly caller: string
  readonly key: string
}

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type KeyState =
  | { readonly is: 'free' }
  /** Another request with this key is running, on this node or another one. */
  | { readonly is: 'busy' }
  /** The key was used for a different request. */
  | { readonly is: 'mismatch' }
  | { readonly is: 'answered'; readonly answer: StoredAnswer }

/** Long enough for a busy process, short enough to free the key of a killed one soon. */
export const leaseSeconds = 60

/**
 * Any constant works while no other code uses two-part advisory locks of this class. A 64-bit lock could
 * collide with those that mark the end of the event log (migration 0012). Two keys with the same hash merely
 * wait for each other.
 */
const lockClass = 7_304_102

export interface IdempotencyStore {
  /** Locks the key until the transaction ends, and returns its state. */
  readonly lockKey: (tx: Tx, owner: KeyOwner, fingerprint: Buffer) => Promise<KeyState>
  readonly remember: (tx: Tx, owner: KeyOwner, fingerprint: Buffer, answer: StoredAnswer) => Promise<void>
  /**
   * Leases the key to a request with a long body: it holds the key from the commit on while it extends the
   * lease.
   */
  readonly lease: (tx: Tx, owner: KeyOwner, fingerprint: Buffer, claimId: string) => Promise<void>
  readonly extendLease: (owner: KeyOwner, claimId: string) => Promise<void>
  /** Null when the request changed nothing: the key is free again. */
  readonly endLease: (owner: KeyOwner, claimId: string, answer: StoredAnswer | null) => Promise<void>
}

export const createIdempotencyStore = (
  database: Database,
  options: { readonly secrets: Secrets; readonly memoryMs: number },
): IdempotencyStore => {
  const { secrets, memoryMs } = options
  // Encrypts every response: it may contain the token of a new API key or the secret of a webhook.
  const seal = (answer: StoredAnswer): Buffer => secrets.seal(Buffer.from(JSON.stringify(answer)))
  const open = (sealed: Buffer): StoredAnswer => JSON.parse(secrets.open(sealed).toString()) as StoredAnswer

  const rowOf = (queryable: Queryable, { accountId, caller, key }: KeyOwner) =>
    queryable
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'sealed_answer', 'leased_until'])
      .where('account_id', '=', accountId)
      .where('caller', '=', caller)
      .where('key', '=', key)
      .where('created_at', '>', new Date(Date.now() - memoryMs))
      .executeTakeFirst()

  /** Runs under the lock of `lockKey`: an existing row is expired. */
  const write = async (
    tx: Tx,
    { accountId, caller, key }: KeyOwner,
    values: {
      readonly fingerprint: Buffer
      readonly sealed_answer: Buffer | null
      readonly claim_id: string | null
      readonly leased_until: ReturnType<typeof leaseEnd> | null
    },
  ): Promise<void> => {
    const set = { ...values, created_at: new Date() }
    await tx
      .insertInto('idempotency_keys')
      .values({ account_id: accountId, caller, key, ...set })
      .onConflict((conflict) => conflict.columns(['account_id', 'caller', 'key']).doUpdateSet(set))
      .execute()
  }

  const leaseEnd = () => sql<Date>`now() + make_interval(secs => ${leaseSeconds})`

  return {
    lockKey: async (tx, owner, fingerprint) => {
      const name = JSON.stringify([owner.accountId, owner.caller, owner.key])
      // Does not block: a waiting request must not hold a connection.
      const { rows } = await sql<{
        is_ours: boolean
      }>`select pg_try_advisory_xact_lock(${lockClass}, hashtext(${name})) as is_ours`.execute(tx)
      if (rows[0]?.is_ours !== true) return { is: 'busy' }
      const row = await rowOf(tx, owner)
      if (row === undefined) return { is: 'free' }
      if (row.sealed_answer === null && (row.leased_until?.getTime() ?? 0) < Date.now()) return { is: 'free' }
      if (!row.fingerprint.equals(fingerprint)) return { is: 'mismatch' }
      if (row.sealed_answer === null) return { is: 'busy' }
      return { is: 'answered', answer: open(row.sealed_answer) }
    },
    remember: (tx, owner, fingerprint, answer) =>
      write(tx, owner, { fingerprint, sealed_answer: seal(answer), claim_id: null, leased_until: null }),
    lease: (tx, owner, fingerprint, claimId) =>
      write(tx, owner, {
        fingerprint,
        sealed_answer: null,
        claim_id: claimId,
        leased_until: leaseEnd(),
      }),
    extendLease: async ({ accountId }, claimId) => {
      await database.kysely
        .updateTable('idempotency_keys')
        .set({ leased_until: leaseEnd() })
        .where('account_id', '=', accountId)
        .where('claim_id', '=', claimId)
        .execute()
    },
    endLease: async ({ accountId, caller, key }, claimId, answer) => {
      if (answer === null)
        await database.kysely
          .deleteFrom('idempotency_keys')
          .where('account_id', '=', accountId)
          .where('caller', '=', caller)
          .where('key', '=', key)
          .where('claim_id', '=', claimId)
          .execute()
      else
        await database.kysely
          .updateTable('idempotency_keys')
          .set({ sealed_answer: seal(answer), claim_id: null, leased_until: null })
          .where('account_id', '=', accountId)
          .where('caller', '=', caller)
          .where('key', '=', key)
          .where('claim_id', '=', claimId)
          .execute()
    },
  }
}

/** Responses older than this are no longer replayed; housekeeping deletes them. */
export const dropOldIdempotencyKeys = async (database: Database, memoryMs: number): Promise<void> => {
  await database.kysely
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', new Date(Date.now() - memoryMs))
    .where((where) =>
      where.or([where('leased_until', 'is', null), where('leased_until', '<', sql<Date>`now()`)]),
    )
    .execute()
}
