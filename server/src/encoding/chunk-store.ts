import type { EncodeChunk, MediaPlan, Probe, VideoRung } from '@zoetrope/ffmpeg'
import type { TrackPiece } from '@zoetrope/packager'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../kernel/db/database.ts'
import { deleteRenditions, type RenditionOwner } from './rendition-store.ts'

/** What every worker encodes by. Decided once: settings that change on the way change nothing of what is under way. */
export interface ChunkedPlan {
  readonly probe: Probe
  readonly plan: MediaPlan
  readonly rungs: readonly VideoRung[]
  /** Of each rung. */
  readonly renditions: readonly { readonly id: number; readonly mediaBlob: string }[]
  readonly chunks: readonly EncodeChunk[]
  readonly durationSeconds: number
  /** Its share of EncodingProgress. */
  readonly percent: { readonly from: number; readonly to: number }
  /** Nothing is to be encoded after it. */
  readonly isLast: boolean
  /** By the source's header, where that may be wrong. */
  readonly claimedSeconds: number | null
}

/** What came of a chunk for one rendition; null where it lies behind the last picture. */
export type ChunkPiece = (TrackPiece & { readonly initSegmentBytes: number }) | null

const ofEncode = ({ accountId, fileId, generation }: RenditionOwner) => ({
  account_id: accountId,
  file_id: fileId,
  generation,
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

/** Those that are not done. */
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

/** False when the chunk is done, or is not wanted any more. Whoever worked on it before has lost it. */
export const claimChunk = async (
  queryable: Queryable,
  owner: RenditionOwner,
  number: number,
  claim: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await queryable
    .updateTable('encode_chunks')
    .set({ state: 'running', claim, done_seconds: 0 })
    .where((eb) => eb.and({ ...ofEncode(owner), number }))
    .where('state', '!=', 'done')
    .executeTakeFirst()
  return numUpdatedRows > 0n
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

/** Notes how far a run has got; answers how many seconds are done of all chunks. */
export const noteDoneSeconds = async (
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

/** False when another run has taken the chunk over. */
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

/** Of all chunks, in their order. */
export const piecesOf = async (queryable: Queryable, owner: RenditionOwner): Promise<ChunkPiece[][]> => {
  const rows = await queryable
    .selectFrom('encode_chunks')
    .select('pieces')
    .where((eb) => eb.and(ofEncode(owner)))
    .orderBy('number')
    .execute()
  return rows.map(({ pieces }) => (pieces ?? []) as ChunkPiece[])
}

/** Forgets the encode; its renditions stay. */
export const deleteChunkedEncode = async (tx: Tx, owner: RenditionOwner): Promise<void> => {
  await tx
    .deleteFrom('chunked_encodes')
    .where((eb) => eb.and(ofEncode(owner)))
    .execute()
}

/** Forgets the encode with its hidden renditions; answers where their blobs lie. */
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
