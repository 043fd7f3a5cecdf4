import { randomUUID } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import { isOfLiveProject } from '../../../library/files/record/media-file-store.ts'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import { mostRemoteFailures } from '../chunks/chunk-store.ts'
import type { EncodingTables } from '../../../platform/db/tables/encoding.ts'

export type ChunkRow = Selectable<EncodingTables['encode_chunks']>

/** A worker renews its lease several times in this time. When the lease has expired, another worker gets the chunk. */
export const leaseSeconds = 20

const leaseEnd = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`

const keyOf = ({ account_id, file_id, generation, number }: ChunkRow) => ({
  account_id,
  file_id,
  generation,
  number,
})

/** Leases the next chunk of the file with the highest priority. Returns null when no chunk waits. */
export const leaseChunk = (database: Database, workerId: number): Promise<ChunkRow | null> =>
  database.transaction(async (tx) => {
    const next = await tx
      .selectFrom('encode_chunks as chunk')
      .innerJoin('chunked_encodes as encode', (join) =>
        join
          .onRef('encode.account_id', '=', 'chunk.account_id')
          .onRef('encode.file_id', '=', 'chunk.file_id')
          .onRef('encode.generation', '=', 'chunk.generation'),
      )
      .innerJoin('media_files', 'media_files.id', 'chunk.file_id')
      .selectAll('chunk')
      .where((eb) =>
        eb.or([eb('chunk.state', '=', 'planned'), eb('chunk.leased_until', '<', sql<Date>`now()`)]),
      )
      .where('chunk.state', '!=', 'done')
      .where('chunk.remote_failures', '<', mostRemoteFailures)
      .where(sql<boolean>`encode.plan ? 'tracks'`)
      .where('media_files.deleted_at', 'is', null)
      .where(isOfLiveProject)
      .orderBy('media_files.encoding_priority', 'desc')
      .orderBy('encode.created_at')
      .orderBy('chunk.number')
      .limit(1)
      .forUpdate('chunk')
      .skipLocked()
      .executeTakeFirst()
    if (next === undefined) return null
    const leased = await tx
      .updateTable('encode_chunks')
      .set({
        state: 'running',
        claim: randomUUID(),
        worker_id: workerId,
        leased_until: leaseEnd,
        attempt: next.attempt + 1,
        done_seconds: 0,
        delivered: '{}',
        delivered_at: sql<Date>`now()`,
        // The lease of another worker has expired without a result.
        remote_failures: next.leased_until === null ? next.remote_failures : next.remote_failures + 1,
      })
      .where((eb) => eb.and(keyOf(next)))
      .returningAll()
      .executeTakeFirstOrThrow()
    return leased
  })

export interface Claim {
  readonly claim: string
  readonly workerId: number
}

/** Returns the chunk while the worker holds it; null when its lease has ended or another worker has the chunk. */
export const findLeased = async (
  queryable: Queryable,
  { claim, workerId }: Claim,
): Promise<ChunkRow | null> =>
  (await queryable
    .selectFrom('encode_chunks')
    .selectAll()
    .where('claim', '=', claim)
    .where('worker_id', '=', workerId)
    .where('state', '=', 'running')
    .where('leased_until', '>=', sql<Date>`now()`)
    .executeTakeFirst()) ?? null

/** More than the slowest encoder needs for a segment, and a slow line for the source. */
const mostIdleSeconds = 2 * 3_600

/** Returns false when the worker no longer holds the chunk, or has not delivered anything of it for very long. */
export const renewLease = async (
  queryable: Queryable,
  { claim, workerId }: Claim,
  doneSeconds: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await queryable
    .updateTable('encode_chunks')
    .set({ leased_until: leaseEnd, done_seconds: doneSeconds })
    .where('claim', '=', claim)
    .where('worker_id', '=', workerId)
    .where('state', '=', 'running')
    .where('leased_until', '>=', sql<Date>`now()`)
    .where('delivered_at', '>', sql<Date>`now() - make_interval(secs => ${mostIdleSeconds})`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface DeliveredSegment {
  readonly sha256: string
  readonly startTicks: number
  readonly durationTicks: number
  readonly sizeBytes: number
  readonly keyFrameEndBytes: number
  readonly frameCount: number
}

/**
 * Records a segment before it is stored. A request can be repeated, but a segment cannot be replaced: returns false
 * when the worker no longer holds the chunk, or has already sent other bytes under this name.
 */
export const recordDelivered = async (
  queryable: Queryable,
  { claim, workerId }: Claim,
  name: string,
  segment: DeliveredSegment,
): Promise<boolean> => {
  const { numUpdatedRows } = await queryable
    .updateTable('encode_chunks')
    .set({
      delivered: sql<string>`delivered || jsonb_build_object(${name}::text, ${JSON.stringify(segment)}::jsonb)`,
      delivered_at: sql<Date>`case when delivered ? ${name}::text then delivered_at else now() end`,
      leased_until: leaseEnd,
    })
    .where('claim', '=', claim)
    .where('worker_id', '=', workerId)
    .where('state', '=', 'running')
    .where('leased_until', '>=', sql<Date>`now()`)
    .where(
      sql<boolean>`coalesce(delivered -> ${name}::text ->> 'sha256', ${segment.sha256}::text) = ${segment.sha256}::text`,
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const storeResult = async (
  tx: Tx,
  chunk: ChunkRow,
  result: { readonly doneSeconds: number; readonly pieces: readonly unknown[] },
): Promise<void> => {
  await tx
    .updateTable('encode_chunks')
    .set({
      state: 'done',
      done_seconds: result.doneSeconds,
      pieces: JSON.stringify(result.pieces),
      leased_until: null,
      delivered: null,
    })
    .where((eb) => eb.and({ ...keyOf(chunk), claim: chunk.claim }))
    .execute()
}

const free = { state: 'planned', claim: null, leased_until: null, delivered: null, done_seconds: 0 } as const

/**
 * Takes the chunk back. Returns null when the worker no longer held it. It counts as a failure even if the worker
 * only stops: otherwise a stolen token could queue any number of jobs.
 */
export const releaseLease = async (tx: Tx, { claim, workerId }: Claim): Promise<ChunkRow | null> =>
  (await tx
    .updateTable('encode_chunks')
    .set({ ...free, remote_failures: sql<number>`remote_failures + 1` })
    .where('claim', '=', claim)
    .where('worker_id', '=', workerId)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()) ?? null

/** Takes back the chunks of workers that have died, and returns them. */
export const releaseExpired = (tx: Tx): Promise<ChunkRow[]> =>
  tx
    .updateTable('encode_chunks')
    .set({ ...free, remote_failures: sql<number>`remote_failures + 1` })
    .where('state', '=', 'running')
    .where('leased_until', '<', sql<Date>`now()`)
    .returningAll()
    .execute()
