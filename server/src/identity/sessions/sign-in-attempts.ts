import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Tx } from '../../kernel/db/database.ts'

/** What attempts are counted under, and how they are slowed down. */
export interface AttemptBucket {
  readonly key: Buffer
  /** So many may fail before anybody waits. */
  readonly freeAttempts: number
  /** Doubles with each attempt that fails after these. */
  readonly firstWaitSeconds: number
  readonly longestWaitSeconds: number
  /** After so long without any attempt it begins anew. */
  readonly forgottenAfterSeconds: number
}

const keyOf = (kind: string, name: string): Buffer => createHmac('sha256', kind).update(name).digest()

/** So many a minute. */
export const bucketOfAddress = (network: string, perMinute: number): AttemptBucket => ({
  key: keyOf('address', network),
  freeAttempts: perMinute,
  firstWaitSeconds: 60,
  longestWaitSeconds: 60,
  forgottenAfterSeconds: 60,
})

/**
 * Never more than a minute: a stranger who keeps failing slows the owner of the address down, but does not lock him out. A browser in which he
 * has signed in before has a bucket of its own, which no stranger can fill.
 */
const ofPerson = {
  freeAttempts: 5,
  firstWaitSeconds: 1,
  longestWaitSeconds: 60,
  forgottenAfterSeconds: 900,
} as const

export const bucketOfEmail = (email: string): AttemptBucket => ({
  key: keyOf('email', email.toLowerCase()),
  ...ofPerson,
})

export const bucketOfDevice = (device: string): AttemptBucket => ({
  key: keyOf('device', device),
  ...ofPerson,
})

/** One attempt, counted before it is looked at: any number of them at the same moment come no further. Null = go on; else when to try again. */
const takeOne = async (tx: Tx, bucket: AttemptBucket, now: Date): Promise<Date | null> => {
  const { key, freeAttempts, firstWaitSeconds, longestWaitSeconds, forgottenAfterSeconds } = bucket
  const isForgotten = sql`a.last_attempt_at < ${now}::timestamptz - make_interval(secs => ${forgottenAfterSeconds})`
  const count = sql`case when ${isForgotten} then 1 else a.attempt_count + 1 end`
  // Twenty doublings are more than any longest wait.
  const blockedUntil = (
    attempts: typeof count,
  ) => sql`${now}::timestamptz + case when ${attempts} < ${freeAttempts}::int
    then interval '0' else make_interval(secs =>
      least(${firstWaitSeconds}::float8 * power(2, least(${attempts} - ${freeAttempts}::int, 20)), ${longestWaitSeconds}::float8))
    end`
  const { rows: taken } = await sql`
    insert into sign_in_attempts as a (bucket, attempt_count, last_attempt_at, blocked_until)
    values (${key}, 1, ${now}, ${blockedUntil(sql`1`)})
    on conflict (bucket) do update
      set attempt_count = ${count}, last_attempt_at = excluded.last_attempt_at, blocked_until = ${blockedUntil(count)}
      where a.blocked_until <= ${now}
    returning 1`.execute(tx)
  if (taken.length > 0) return null
  const row = await tx
    .selectFrom('sign_in_attempts')
    .select('blocked_until')
    .where('bucket', '=', key)
    .executeTakeFirst()
  return row?.blocked_until ?? now
}

/** Asks the buckets in their order, the first that is full says no. Answers the seconds to wait; 0 = go on. */
export const takeAttempt = (
  database: Database,
  buckets: readonly AttemptBucket[],
  now: Date,
): Promise<number> =>
  database.transaction(async (tx) => {
    for (const bucket of buckets) {
      const until = await takeOne(tx, bucket, now)
      if (until !== null) return Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))
    }
    return 0
  })

/** After a success: the person's bucket is empty again, and the address gets back this one attempt and no other. */
export const giveBackAttempt = async (
  tx: Tx,
  buckets: { readonly address: AttemptBucket | null; readonly person: AttemptBucket | null },
): Promise<void> => {
  if (buckets.address !== null)
    await tx
      .updateTable('sign_in_attempts')
      .set((set) => ({
        attempt_count: sql<number>`greatest(attempt_count - 1, 0)`,
        blocked_until: set.ref('last_attempt_at'),
      }))
      .where('bucket', '=', buckets.address.key)
      .execute()
  if (buckets.person !== null)
    await tx.deleteFrom('sign_in_attempts').where('bucket', '=', buckets.person.key).execute()
}

export const touchAttempt = async (tx: Tx, { key }: AttemptBucket, now: Date): Promise<void> => {
  await tx.updateTable('sign_in_attempts').set({ last_attempt_at: now }).where('bucket', '=', key).execute()
}

/** No bucket remembers longer. Part of the housekeeping. */
export const dropOldAttempts = async (database: Database): Promise<void> => {
  await database.kysely
    .deleteFrom('sign_in_attempts')
    .where('last_attempt_at', '<', new Date(Date.now() - 3_600_000))
    .execute()
}
