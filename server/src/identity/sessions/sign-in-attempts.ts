import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { networkOf, siteOf } from '../../http/limits/refusals.ts'
import type { Database, Queryable, Tx } from '../../kernel/db/database.ts'

/** What attempts are counted under, and how they are slowed down. */
export interface AttemptBucket {
  readonly key: Buffer
  /** So many may fail before anybody waits. */
  readonly freeAttempts: number
  /** Doubles with each attempt that fails after these. */
  readonly firstWaitSeconds: number
  readonly longestWaitSeconds: number
  /** After so long it begins anew. */
  readonly forgottenAfterSeconds: number
  /** Without an attempt; or since the first one, where many people share it and somebody always fails. */
  readonly forgottenSince: 'last' | 'first'
}

/** What one attempt is counted under. A success empties its own, and takes nothing but itself out of those shared with others. */
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
  forgottenAfterSeconds: 60,
  forgottenSince: 'first',
})

/** Whoever has a /48 has 65,536 networks of a /64. */
const networksOfSite = 5

/** Passwords, what comes back from an identity provider, and ways there, asked for here or elsewhere: none uses up the attempts of the others. */
type AddressKind = 'address' | 'sso address' | 'sso start' | 'sso question'

/** So many a minute; 0 = no limit. */
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

/** Of everybody who has proved to be this person: each takes a core for a while, and leaves a session. */
export const bucketOfSuccesses = (email: string): AttemptBucket =>
  perMinute('success', email.toLowerCase(), 30)

const waits = { firstWaitSeconds: 1, longestWaitSeconds: 60, forgottenAfterSeconds: 900 } as const
const ofOne = { ...waits, freeAttempts: 5, forgottenSince: 'last' } as const
const ofMany = { ...waits, freeAttempts: 50, forgottenSince: 'first' } as const

const bucketOfOne = (kind: string, name: string): AttemptBucket => ({ key: keyOf(kind, name), ...ofOne })

/**
 * A stranger who keeps failing is slowed down by himself alone. All strangers together are too, from fifty attempts in a quarter of an hour on,
 * but never for more than a minute.
 */
export const bucketsOfStranger = (
  email: string,
  address: string,
  perMinuteOfAddress: number,
): AttemptBuckets => {
  const name = email.toLowerCase()
  return {
    shared: [...bucketsOfAddress(address, perMinuteOfAddress), { key: keyOf('email', name), ...ofMany }],
    // One stranger with a /48 would else fill the bucket of all strangers by himself.
    own: bucketOfOne('email and network', `${siteOf(address) ?? networkOf(address)} ${name}`),
  }
}

/** A browser in which this person has signed in before: no stranger can fill its buckets, also none behind the same address. */
export const bucketsOfDevice = (mark: string, email: string): AttemptBuckets => ({
  shared: [{ key: keyOf('devices', email.toLowerCase()), ...ofMany }],
  own: bucketOfOne('device', mark),
})

/** Whoever has a link: one that opens nothing must not keep those waiting who sign in. */
export const bucketsOfInvitation = (id: number): AttemptBuckets => ({
  shared: [],
  own: bucketOfOne('invitation', String(id)),
})

/** Whoever tries one password after the other in a session that somebody left open. */
export const bucketsOfSession = (sessionId: string): AttemptBuckets => ({
  shared: [],
  own: bucketOfOne('session', sessionId),
})

const secondsUntil = (until: Date, now: Date): number =>
  Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))

/** Of two at the same moment, the earlier may come second: an attempt that let the next one through blocks no one. */
const isOver = (now: Date) =>
  sql<boolean>`a.blocked_until <= greatest(a.last_attempt_at, ${now}::timestamptz)`

/** One attempt, counted before it is looked at: any number of them at the same moment come no further. 0 = go on; else the seconds to wait. */
export const takeFrom = async (tx: Tx, bucket: AttemptBucket, now: Date): Promise<number> => {
  const { key, freeAttempts, firstWaitSeconds, longestWaitSeconds, forgottenAfterSeconds } = bucket
  const since = sql.ref(bucket.forgottenSince === 'first' ? 'a.began_at' : 'a.last_attempt_at')
  const isForgotten = sql`${since} <= ${now}::timestamptz - make_interval(secs => ${forgottenAfterSeconds})`
  const count = sql`case when ${isForgotten} then 1 else a.attempt_count + 1 end`
  // Twenty doublings are more than any longest wait.
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
      set attempt_count = ${count}, began_at = case when ${isForgotten} then excluded.began_at else a.began_at end,
        last_attempt_at = excluded.last_attempt_at, blocked_until = ${blockedUntil(count)}
      where ${isOver(now)}
    returning 1`.execute(tx)
  return taken.length > 0 ? 0 : Math.max(1, await secondsToWait(tx, bucket, now))
}

/** Without an attempt of one's own. 0 = go on. */
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

/** Undoes what was taken of the other buckets: an attempt that was not let through uses up nobody's. */
class Full extends Error {
  readonly seconds: number

  constructor(seconds: number) {
    super('too many attempts')
    this.seconds = seconds
  }
}

/** Asks the buckets in one order for all, so that nobody waits for each other. Answers the seconds to wait; 0 = go on. */
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

/** As if it had never been made: for an attempt that nobody looked at. */
export const undoAttempt = (tx: Tx, { shared, own }: AttemptBuckets): Promise<void> =>
  giveBackAttempt(tx, { shared: own === null ? shared : [...shared, own], own: null })

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
