import { randomUUID } from 'node:crypto'
import { IsobmffError } from '@zoetrope/isobmff'
import { joinTracks } from '@zoetrope/packager'
import { discardBlobs } from '../../../library/files/media/garbage-list.ts'
import { encodeLadderJob } from '../../../library/files/queue/file-jobs.ts'
import { ladderPriority } from '../../../library/files/queue/ladder-priority.ts'
import { renditionsOf } from '../../../library/files/record/media-file-store.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { chunkFoldersOf, earlierBlobsOf } from './chunk-folders.ts'
import {
  deleteChunkedEncode,
  encodedChunksOf,
  findChunkedPlan,
  withdrawChunkedEncode,
  type ChunkedPlan,
  type EncodedChunk,
} from './chunk-store.ts'
import type { EncodingDependencies, RevisionJob } from '../encode/encode-renditions.ts'
import { addStorage, isOver, isWanted } from '../encode/file-progress.ts'
import { isLaterStep } from '../encode/ladder-steps.ts'
import { completeRendition } from '../../renditions/rendition-store.ts'

/**
 * Publishes the joined chunks; the caller holds the locks. The segments are already stored under their final
 * keys; what earlier claims stored goes to the garbage list. Returns false when the chunks do not fit together or another run was faster; the ladder job then
 * continues.
 */
export const joinChunks = async (
  tx: Tx,
  dependencies: EncodingDependencies,
  job: RevisionJob,
  file: MediaFileRow,
): Promise<boolean> => {
  const plan = await findChunkedPlan(tx, job)
  if (plan === null) return false
  const known = await renditionsOf(tx, job.fileId, job.revision)
  const isThere = plan.rungs.some(({ name }) =>
    known.some((one) => one.name === name && one.state === 'complete'),
  )
  const joined = isThere ? null : joinOrNull(plan, await encodedChunksOf(tx, job))
  if (joined === null) {
    await giveUpChunks(tx, dependencies, job, file, isThere ? {} : { isWhole: true })
    return false
  }
  for (const { id, ...result } of joined) await completeRendition(tx, job, id, result)
  const superseded = joined.flatMap(({ superseded: blobs }) => blobs)
  if (superseded.length > 0) await discardBlobs(tx, file, superseded)
  await addStorage(
    tx,
    dependencies.publicUrl,
    job,
    joined.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  )
  await deleteChunkedEncode(tx, job)
  await enqueueNextStep(tx, dependencies, job, file, plan, {})
  return true
}

const joinOrNull = (plan: ChunkedPlan, encoded: readonly EncodedChunk[]) => {
  try {
    return plan.renditions.map(({ id, mediaBlob }, index) => {
      const pieces = encoded.map((chunk) => chunk.pieces[index] ?? null)
      const track = joinTracks(pieces)
      const mediaBytes = track.segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      const chunks = encoded.map(({ number, attempt }, position) => ({
        ...{ number, attempt, startSegment: plan.chunks[number]?.startSegment ?? 0 },
        segmentCount: pieces[position]?.segments.length ?? 0,
      }))
      return {
        ...{ id, track, sizeBytes: mediaBytes + (pieces[0]?.initSegmentBytes ?? 0) },
        chunkFolders: chunkFoldersOf(chunks),
        superseded: earlierBlobsOf(mediaBlob, chunks),
      }
    })
  } catch (error) {
    if (error instanceof IsobmffError) return null
    throw error
  }
}

/**
 * Discards the chunks and queues a single run. Some sources cannot be decoded from where their index says.
 */
export const giveUpChunks = async (
  tx: Tx,
  dependencies: EncodingDependencies,
  job: RevisionJob,
  file: MediaFileRow,
  next: { readonly isWhole?: true },
): Promise<void> => {
  const plan = await findChunkedPlan(tx, job)
  if (plan === null) return
  await discardBlobs(tx, file, await withdrawChunkedEncode(tx, job))
  await enqueueNextStep(tx, dependencies, job, file, plan, next)
}

/** Uses a unique key, because the job that started the chunks may still be ending. */
const enqueueNextStep = (
  tx: Tx,
  { jobs }: EncodingDependencies,
  { accountId, projectId, fileId, revision }: RevisionJob,
  file: MediaFileRow,
  { rungs }: ChunkedPlan,
  how: { readonly isWhole?: true },
): Promise<void> => {
  const isLater = isLaterStep(rungs)
  return jobs.enqueue(
    tx,
    encodeLadderJob,
    { accountId, projectId, fileId, generation: revision, ...(isLater && { isLater }), ...how },
    {
      priority: ladderPriority(file, { isLater, hasBegun: true }),
      key: `${fileId}.${revision}.${randomUUID()}`,
    },
  )
}

/** Removes chunks of a file that is deleted, has ended, or has another wanted revision. */
export const dropUnwantedChunks = async (
  { database, blobs }: EncodingDependencies,
  job: RevisionJob,
): Promise<void> => {
  if ((await findChunkedPlan(database.kysely, job)) === null) return
  const dropped = await database.transaction(async (tx) => {
    const file = await tx
      .selectFrom('media_files')
      .selectAll()
      .where('account_id', '=', job.accountId)
      .where('id', '=', job.fileId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (file === undefined) return []
    if (file.deleted_at === null && isWanted(job, file) && !isOver(file)) return []
    const prefixes = await withdrawChunkedEncode(tx, job)
    // Another worker may keep writing for up to half a second, so the prefixes also stay on the garbage list.
    if (prefixes.length > 0) await discardBlobs(tx, file, prefixes)
    return prefixes
  })
  for (const prefix of dropped) await blobs.deletePrefix(prefix)
}
