import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { networkOf, siteOf } from '../../../platform/http/limits/refusals.ts'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'

export interface AttemptBucket {
  readonly key: Buffer
  readonly freeAttempts: number
  /** Doubles with each further failure. */
  readonly firstWaitSeconds: number
  readonly longestWaitSeconds: number
  readonly expireAfterSeconds: number
  /**
   * Counts that time from the last attempt, or from the first one for a counter shared by many users, where
   * failures never stop.
   */
  readonly expireFrom: 'last' | 'first'
}

/** The counters of one attempt. A success resets its own, and takes only itself out of the shared ones. */
export interface AttemptBuckets {
  readonly shared: readonly AttemptBucket[]
  readonly own: AttemptBucket | null
}

const keyOf = (kind: string, name: string): Buffer => createHmac('sha256', kind).update(name).digest()

const perMinute = (kind: string, name: string, count: number): AttemptBucket => ({
  key: keyOf(kind, name),
  freeAttempts: count,
  firstWaitSeconds: 60,
  longestWaitSeconds: 60,
  expireAfterSeconds: 60,
  expireFrom: 'first',
})

/** The owner of a /48 has 65,536 networks of a /64. */
const networksOfSite = 5

/**
 * Passwords, responses of an identity provider, and starts of such a sign-in from this or another site have
 * separate counters. So have requests that another site sends: it must not lock out the network of its
 * visitors.
 */
type AddressKind = 'address' | 'other site' | 'reset' | 'sso address' | 'sso start' | 'sso question'

/** Attempts per minute; 0 = no limit. */
export const bucketsOfAddress = (
  address: string,
  count: number,
  kind: AddressKind = 'address',
): AttemptBucket[] => {
  if (count === 0) return []
  const site = siteOf(address)
  const wider = site === null ? [] : [perMinute(kind, site, count * networksOfSite)]
  return [...wider, perMinute(kind, networkOf(address), count)]
}

/** Counts successful sign-ins of this user: each takes a core for a while and creates a session. */
export const bucketOfSuccesses = (email: string): AttemptBucket =>
  perMinute('success', email.toLowerCase(), 30)

const waits = { firstWaitSeconds: 1, longestWaitSeconds: 60, expireAfterSeconds: 900 } as const
const ofOne = { ...waits, freeAttempts: 5, expireFrom: 'last' } as const
const ofMany = { ...waits, freeAttempts: 50, expireFrom: 'first' } as const

const bucketOfOne = (kind: string, name: string): AttemptBucket => ({ key: keyOf(kind, name), ...ofOne })

/**
 * A failing unknown browser delays only itself. All unknown browsers together are delayed after fifty
 * attempts in a quarter of an hour, but never for more than a minute.
 */
export const bucketsOfStranger = (
  email: string,
  address: string,
  perMinuteOfAddress: number,
): AttemptBuckets => {
  const name = email.toLowerCase()
  return {
    shared: [...bucketsOfAddress(address, perMinuteOfAddress), { key: keyOf('email', name), ...ofMany }],
    // Otherwise one attacker with a /48 could fill the counter shared by all unknown browsers.
    own: bucketOfOne('email and network', `${siteOf(address) ?? networkOf(address)} ${name}`),
  }
}

/**
 * Counters of a browser in which this user has signed in before: no other browser can fill them, even behind
 * the same address.
 */
export const bucketsOfDevice = (mark: string, email: string): AttemptBuckets => ({
  shared: [{ key: keyOf('devices', email.toLowerCase()), ...ofMany }],
  own: bucketOfOne('device', mark),
})

/** Counter of the password links that are sent to an address, so that requests cannot flood its mailbox. */
export const bucketOfResets = (email: string): AttemptBucket => ({
  key: keyOf('reset', email.toLowerCase()),
  freeAttempts: 3,
  firstWaitSeconds: 3_600,
  longestWaitSeconds: 3_600,
  expireAfterSeconds: 3_600,
  expireFrom: 'first',
})

/** Counter of a link: attempts with a void one must not delay users who sign in. */
export const bucketsOfInvitation = (id: number): AttemptBuckets => ({
  shared: [],
  own: bucketOfOne('invitation', String(id)),
})

/** Counter of a session: limits guesses of the password in an unattended browser. */
export const bucketsOfSession = (sessionId: string): AttemptBuckets => ({
  shared: [],
  own: bucketOfOne('session', sessionId),
})

/**
 * Counter of second factors, of all browsers. Only a person who knows the password can fill it. A code of six
 * digits needs longer waits than a password.
 */
export const bucketsOfCode = (userId: number): AttemptBuckets & { readonly own: AttemptBucket } => ({
  shared: [],
  own: {
    ...bucketOfOne('code', String(userId)),
    longestWaitSeconds: 900,
    expireAfterSeconds: 3_600,
  },
})

const secondsUntil = (until: Date, now: Date): number =>
  Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))

/**
 * Concurrent attempts may arrive out of order: an attempt that did not block the later one does not block the
 * earlier one either.
 */
const isOver = (now: Date) =>
  sql<boolean>`a.blocked_until <= greatest(a.last_attempt_at, ${now}::timestamptz)`

/**
 * Counts an attempt before it is checked, so that concurrency gives no extra attempts. Returns 0 to proceed,
 * else the seconds to wait.
 */
export const takeFrom = async (tx: Tx, bucket: AttemptBucket, now: Date): Promise<number> => {
  const { key, freeAttempts, firstWaitSeconds, longestWaitSeconds, expireAfterSeconds } = bucket
  const since = sql.ref(bucket.expireFrom === 'first' ? 'a.began_at' : 'a.last_attempt_at')
  const isExpired = sql`${since} <= ${now}::timestamptz - make_interval(secs => ${expireAfterSeconds})`
  const count = sql`case when ${isExpired} then 1 else a.attempt_count + 1 end`
  // Twenty doublings exceed any maximum delay.
  const blockedUntil = (
    attempts: typeof count,
  ) => sql`${now}::timestamptz + case when ${attempts} < ${freeAttempts}::int
    then interval '0' else make_interval(secs =>
      least(${firstWaitSeconds}::float8 * power(2, least(${attempts} - ${freeAttempts}::int, 20)), ${longestWaitSeconds}::float8))
    end`
  const { rows: taken } = await sql`
    insert into sign_in_attempts as a (bucket, attempt_count, began_at, last_attempt_at, blocked_until)
    values (${key}, 1, ${now}, ${now}, ${blockedUntil(sql`1`)})
    on conflict (bucket) do update
      set attempt_count = ${count}, began_at = case when ${isExpired} then excluded.began_at else a.began_at end,
        last_attempt_at = excluded.last_attempt_at, blocked_until = ${blockedUntil(count)}
      where ${isOver(now)}
    returning 1`.execute(tx)
  return taken.length > 0 ? 0 : Math.max(1, await secondsToWait(tx, bucket, now))
}

/** Returns the delay without counting an attempt; 0 to proceed. */
export const secondsToWait = async (
  queryable: Queryable,
  { key }: AttemptBucket,
  now: Date,
): Promise<number> => {
  const row = await queryable
    .selectFrom('sign_in_attempts as a')
    .select('blocked_until')
    .where('bucket', '=', key)
    .where(sql<boolean>`not ${isOver(now)}`)
    .executeTakeFirst()
  return row === undefined ? 0 : secondsUntil(row.blocked_until, now)
}

/** Rolls back the other counters: a refused attempt uses up none of them. */
class Full extends Error {
  readonly seconds: number

  constructor(seconds: number) {
    super('too many attempts')
    this.seconds = seconds
  }
}

/** Null before the first attempt. */
export const readAttempts = async (
  queryable: Queryable,
  { key }: AttemptBucket,
): Promise<{ readonly count: number; readonly beganAt: Date } | null> => {
  const row = await queryable
    .selectFrom('sign_in_attempts')
    .select(['attempt_count', 'began_at'])
    .where('bucket', '=', key)
    .executeTakeFirst()
  return row === undefined ? null : { count: row.attempt_count, beganAt: row.began_at }
}

/** Takes the counters in a fixed order, which avoids deadlocks. Returns the seconds to wait; 0 to proceed. */
export const takeAttempt = (
  database: Database,
  { shared, own }: AttemptBuckets,
  now: Date,
): Promise<number> =>
  database
    .transaction(async (tx) => {
      for (const bucket of own === null ? shared : [...shared, own]) {
        const seconds = await takeFrom(tx, bucket, now)
        if (seconds > 0) throw new Full(seconds)
      }
      return 0
    })
    .catch((error: unknown) => {
      if (error instanceof Full) return error.seconds
      throw error
    })

export const giveBackAttempt = async (tx: Tx, { shared, own }: AttemptBuckets): Promise<void> => {
  for (const { key } of shared)
    await tx
      .updateTable('sign_in_attempts')
      .set((set) => ({
        attempt_count: sql<number>`greatest(attempt_count - 1, 0)`,
        blocked_until: set.ref('last_attempt_at'),
      }))
      .where('bucket', '=', key)
      .execute()
  if (own !== null) await tx.deleteFrom('sign_in_attempts').where('bucket', '=', own.key).execute()
}

export const undoAttempt = (tx: Tx, { shared, own }: AttemptBuckets): Promise<void> =>
  giveBackAttempt(tx, { shared: own === null ? shared : [...shared, own], own: null })

export const touchAttempt = async (tx: Tx, { key }: AttemptBucket, now: Date): Promise<void> => {
  await tx.updateTable('sign_in_attempts').set({ last_attempt_at: now }).where('bucket', '=', key).execute()
}

/** No counter lasts longer. Part of housekeeping. */
export const dropOldAttempts = async (database: Database): Promise<void> => {
  await database.kysely
    .deleteFrom('sign_in_attempts')
    .where('last_attempt_at', '<', new Date(Date.now() - 3_600_000))
    .execute()
}
