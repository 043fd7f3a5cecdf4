import type { EncodeChunk, MediaPlan, Probe, VideoRung } from '@zoetrope/ffmpeg'
import type { TrackPiece } from '@zoetrope/packager'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { ChunkClaim } from './chunk-folders.ts'
import { deleteRenditions, type RenditionOwner } from '../../renditions/rendition-store.ts'

/**
 * The plan that every worker encodes by. It is fixed at the start: later changes of settings do not affect a
 * running encode.
 */
export interface ChunkedPlan {
  readonly probe: Probe
  readonly plan: MediaPlan
  readonly rungs: readonly VideoRung[]
  readonly renditions: readonly { readonly id: number; readonly mediaBlob: string }[]
  readonly chunks: readonly EncodeChunk[]
  readonly durationSeconds: number
  /** Range of EncodingProgress that this step covers. */
  readonly percent: { readonly from: number; readonly to: number }
  readonly isLast: boolean
  /** Duration from the header of the source where it may be false; otherwise null. */
  readonly claimedSeconds: number | null
  /** The outputs as an encoder of the installation describes them; absent = no remote worker was connected. */
  readonly tracks?: readonly PlannedTrack[]
}

export interface PlannedTrack extends Pick<TrackPiece, 'track' | 'initSegmentHash'> {
  /** In base64. */
  readonly initSegment: string
}

/** Output of a chunk for one rendition; null when the chunk starts after the last frame. */
export type ChunkPiece = (TrackPiece & { readonly initSegmentBytes: number }) | null

const ofEncode = ({ accountId, fileId, revision }: RenditionOwner) => ({
  account_id: accountId,
  file_id: fileId,
  generation: revision,
})

export const insertChunkedEncode = async (
  tx: Tx,
  owner: RenditionOwner,
  plan: ChunkedPlan,
): Promise<void> => {
  const key = ofEncode(owner)
  const renditionIds = plan.renditions.map(({ id }) => id)
  await tx
    .insertInto('chunked_encodes')
    .values({ ...key, plan: JSON.stringify(plan), rendition_ids: renditionIds })
    .execute()
  await tx
    .insertInto('encode_chunks')
    .values(plan.chunks.map((_, number) => ({ ...key, number })))
    .execute()
}

export const findChunkedPlan = async (
  queryable: Queryable,
  owner: RenditionOwner,
): Promise<ChunkedPlan | null> => {
  const row = await queryable
    .selectFrom('chunked_encodes')
    .select('plan')
    .where((eb) => eb.and(ofEncode(owner)))
    .executeTakeFirst()
  return row === undefined ? null : (row.plan as unknown as ChunkedPlan)
}

export const openChunks = async (queryable: Queryable, owner: RenditionOwner): Promise<number[]> => {
  const rows = await queryable
    .selectFrom('encode_chunks')
    .select('number')
    .where((eb) => eb.and(ofEncode(owner)))
    .where('state', '!=', 'done')
    .orderBy('number')
    .execute()
  return rows.map(({ number }) => number)
}

/**
 * Claims a chunk for a local worker. Any earlier local claim is lost. Returns the number of claims so far, or null when
 * the chunk is done, no longer wanted, or leased to a remote worker.
 */
export const claimChunk = async (
  queryable: Queryable,
  owner: RenditionOwner,
  number: number,
  claim: string,
): Promise<number | null> => {
  const claimed = await queryable
    .updateTable('encode_chunks')
    .set({
      ...{ state: 'running', claim, done_seconds: 0, worker_id: null, leased_until: null, delivered: null },
      attempt: sql<number>`attempt + 1`,
    })
    .where((eb) => eb.and({ ...ofEncode(owner), number }))
    .where('state', '!=', 'done')
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', sql<Date>`now()`)]))
    .returning('attempt')
    .executeTakeFirst()
  return claimed?.attempt ?? null
}

/** After this many failures, only a local worker encodes the chunk: it can tell a fault of the source from one of a worker. */
export const mostRemoteFailures = 3

/** Whether remote workers may still encode the chunk. */
export const isLeftToRemote = async (
  queryable: Queryable,
  owner: RenditionOwner,
  number: number,
): Promise<boolean> => {
  const row = await queryable
    .selectFrom('encode_chunks')
    .select('number')
    .where((eb) => eb.and({ ...ofEncode(owner), number }))
    .where('state', '!=', 'done')
    .where('remote_failures', '<', mostRemoteFailures)
    .executeTakeFirst()
  return row !== undefined
}

export const holdsClaim = async (
  queryable: Queryable,
  owner: RenditionOwner,
  number: number,
  claim: string,
): Promise<boolean> => {
  const row = await queryable
    .selectFrom('encode_chunks')
    .select('number')
    .where((eb) => eb.and({ ...ofEncode(owner), number, claim }))
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the progress of a run and returns the sum of done seconds of all chunks. */
export const storeDoneSeconds = async (
  queryable: Queryable,
  owner: RenditionOwner,
  number: number,
  progress: { readonly claim: string; readonly doneSeconds: number },
): Promise<number> => {
  await queryable
    .updateTable('encode_chunks')
    .set({ done_seconds: progress.doneSeconds })
    .where((eb) => eb.and({ ...ofEncode(owner), number, claim: progress.claim }))
    .execute()
  const { total } = await queryable
    .selectFrom('encode_chunks')
    .select(sql<number>`coalesce(sum(done_seconds), 0)::float8`.as('total'))
    .where((eb) => eb.and(ofEncode(owner)))
    .executeTakeFirstOrThrow()
  return total
}

/** Marks a chunk as done. Returns false when another run has claimed it. */
export const finishChunk = async (
  tx: Tx,
  owner: RenditionOwner,
  number: number,
  result: { readonly claim: string; readonly doneSeconds: number; readonly pieces: readonly ChunkPiece[] },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('encode_chunks')
    .set({ state: 'done', done_seconds: result.doneSeconds, pieces: JSON.stringify(result.pieces) })
    .where((eb) => eb.and({ ...ofEncode(owner), number, claim: result.claim }))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface EncodedChunk extends ChunkClaim {
  readonly pieces: readonly ChunkPiece[]
}

export const encodedChunksOf = async (
  queryable: Queryable,
  owner: RenditionOwner,
): Promise<EncodedChunk[]> => {
  const rows = await queryable
    .selectFrom('encode_chunks')
    .select(['number', 'attempt', 'pieces'])
    .where((eb) => eb.and(ofEncode(owner)))
    .orderBy('number')
    .execute()
  return rows.map(({ pieces, ...claim }) => ({ ...claim, pieces: (pieces ?? []) as ChunkPiece[] }))
}

export const deleteChunkedEncode = async (tx: Tx, owner: RenditionOwner): Promise<void> => {
  await tx
    .deleteFrom('chunked_encodes')
    .where((eb) => eb.and(ofEncode(owner)))
    .execute()
}

/** Deletes the chunked encode and its hidden renditions. Returns the prefixes of their blobs. */
export const withdrawChunkedEncode = async (tx: Tx, owner: RenditionOwner): Promise<string[]> => {
  const plan = await findChunkedPlan(tx, owner)
  if (plan === null) return []
  await deleteChunkedEncode(tx, owner)
  await deleteRenditions(
    tx,
    plan.renditions.map(({ id }) => id),
  )
  return plan.renditions.map(({ mediaBlob }) => `${mediaBlob}/`)
}
