import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import type { EncodingTables } from '../../../platform/db/tables/encoding.ts'
import type { Selectable } from 'kysely'

export type RemoteWorkerRow = Selectable<EncodingTables['remote_workers']>

/** A worker that has not asked for that long is stopped or cut off: it asks at least every half a minute. */
export const silentAfterSeconds = 45

const secretBytes = 32
const tokenPattern = /^zrw_([1-9][0-9]{0,15})_([A-Za-z0-9_-]{43})$/

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Creates a worker. Its token is shown once; the database has only a hash. */
export const createRemoteWorker = async (
  queryable: Queryable,
  name: string,
): Promise<{ readonly id: number; readonly token: string }> => {
  const secret = randomBytes(secretBytes).toString('base64url')
  const { id } = await queryable
    .insertInto('remote_workers')
    .values({ name, token_hash: hashOf(secret) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token: `zrw_${id}_${secret}` }
}

export const listRemoteWorkers = (queryable: Queryable): Promise<RemoteWorkerRow[]> =>
  queryable.selectFrom('remote_workers').selectAll().orderBy('id').execute()

/** Returns false when the worker does not exist. Its leases end within a second. */
export const revokeRemoteWorker = async (queryable: Queryable, id: number): Promise<boolean> => {
  const { numUpdatedRows } = await queryable
    .updateTable('remote_workers')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await queryable
    .updateTable('encode_chunks')
    .set({ leased_until: sql<Date>`now()` })
    .where('worker_id', '=', id)
    .where('leased_until', 'is not', null)
    .execute()
  return true
}

/** Lets a paused worker receive chunks again. Returns false when the worker does not exist or its token is revoked. */
export const resumeRemoteWorker = async (queryable: Queryable, id: number): Promise<boolean> => {
  const { numUpdatedRows } = await queryable
    .updateTable('remote_workers')
    .set({ paused_because: null, refused_in_a_row: 0 })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the id and the hash of the secret; null for a text that is no token. */
export const readToken = (token: string): { readonly id: number; readonly hash: Buffer } | null => {
  const match = tokenPattern.exec(token)
  return match === null ? null : { id: Number(match[1]), hash: hashOf(match[2] ?? '') }
}

export const findRemoteWorker = (queryable: Queryable, id: number): Promise<RemoteWorkerRow | undefined> =>
  queryable.selectFrom('remote_workers').selectAll().where('id', '=', id).executeTakeFirst()

export interface WorkerMachine {
  readonly version: string
  readonly ffmpeg: string
  readonly cores: number
  readonly slots: number
}

export const noteSeen = async (queryable: Queryable, id: number, machine?: WorkerMachine): Promise<void> => {
  await queryable
    .updateTable('remote_workers')
    .set({ ...machine, last_seen_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Longer than a long poll and than the interval of renewals. */
const aliveSeconds = 45

/** Number of chunks that all connected remote workers can encode at once. */
export const countRemoteSlots = async (queryable: Queryable): Promise<number> => {
  const { slots } = await queryable
    .selectFrom('remote_workers')
    .select(sql<number>`coalesce(sum(slots), 0)::int`.as('slots'))
    .where('revoked_at', 'is', null)
    .where('paused_because', 'is', null)
    .where('last_seen_at', '>', sql<Date>`now() - make_interval(secs => ${aliveSeconds})`)
    .executeTakeFirstOrThrow()
  return slots
}

/** A worker may have written it, and the operator reads it in a terminal. */
const printableOf = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim()

/** One more than the attempts at a chunk, so that no single chunk pauses a worker. */
const mostRefused = 4

export const countResult = async (
  queryable: Queryable,
  id: number,
  refusedBecause: string | null,
): Promise<void> => {
  await queryable
    .updateTable('remote_workers')
    .set(
      refusedBecause === null
        ? { done_count: sql<number>`done_count + 1`, refused_in_a_row: 0 }
        : {
            refused_in_a_row: sql<number>`refused_in_a_row + 1`,
            paused_because: sql<string>`case when refused_in_a_row + 1 >= ${mostRefused}::int then ${printableOf(refusedBecause)}::text else paused_because end`,
          },
    )
    .where('id', '=', id)
    .execute()
}
