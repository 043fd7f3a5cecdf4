import { createHash, randomUUID } from 'node:crypto'
import type { JobAttempt } from '../../../platform/jobs/run-job.ts'
import type { Chunking } from './begin-chunks.ts'
import {
  claimChunk,
  findChunkedPlan,
  finishChunk,
  holdsClaim,
  isLeftToRemote,
  openChunks,
  type ChunkPiece,
} from './chunk-store.ts'
import { giveUpChunks, joinChunks } from './end-chunks.ts'
import { drawAndFinish } from '../processing/end-processing.ts'
import { isHopeless } from '../encode/faults.ts'
import { isOver, lockWantedInProject, SupersededError } from '../encode/file-progress.ts'
import type { EncodeOutput } from '../encode/run-encode.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'
import { openLocalChunkAccess } from './local-chunk-access.ts'
import { runChunk } from './run-chunk.ts'
import { secondsOfChunk } from './seconds-of-chunk.ts'

interface ChunkDependencies extends FileJobDependencies {
  readonly chunking?: Chunking
}

/**
 * Encodes one chunk of a file. The run that finishes the last chunk joins them all. A repeated run writes other
 * blobs.
 */
export const encodeChunk = async (
  dependencies: ChunkDependencies,
  run: FileJobRun,
  number: number,
  attempt: JobAttempt,
): Promise<void> => {
  const { database } = dependencies
  const { job, source, signal } = run
  const claim = randomUUID()
  const plan = await findChunkedPlan(database.kysely, job)
  const chunk = plan?.chunks[number]
  if (plan === null || chunk === undefined || source === null) return
  const isRemoteOnly = dependencies.chunking?.isRemoteOnly === true && plan.tracks !== undefined
  // A remote worker that fails puts the job back.
  if (isRemoteOnly && (await isLeftToRemote(database.kysely, job, number))) return
  const attemptOfChunk = await claimChunk(database.kysely, job, number, claim)
  if (attemptOfChunk === null) return
  let pieces: ChunkPiece[]
  try {
    const claimed = { number, attempt: attemptOfChunk, claim, sourceBlob: source.blob }
    const access = await openLocalChunkAccess(dependencies, run, plan, claimed)
    const outputs = await runChunk({ ...plan, chunk }, access, {
      ...{ workFolder: run.workFolder, signal, warn: run.warn },
      encodersHere: await dependencies.chunking?.countEncoders('on this machine'),
    })
    pieces = outputs.map(pieceOf)
  } catch (error) {
    if (signal.aborted || !isHopeless(error, attempt)) throw error
    run.warn('chunk not encoded', error)
    await database.transaction(async (tx) => {
      const file = await lockWantedInProject(tx, job)
      if (await holdsClaim(tx, job, number, claim))
        await giveUpChunks(tx, dependencies, job, file, { isWhole: true })
    })
    return
  }
  const isJoined = await database.transaction(async (tx) => {
    const file = await lockWantedInProject(tx, job)
    if (isOver(file)) return false
    const doneSeconds = secondsOfChunk(plan.plan, chunk, plan.durationSeconds)
    if (!(await finishChunk(tx, job, number, { claim, doneSeconds, pieces }))) throw new SupersededError(job)
    if ((await openChunks(tx, job)).length > 0) return false
    return joinChunks(tx, dependencies, job, file)
  })
  // The ladder job would finish the file too, but runs later.
  if (isJoined && plan.isLast) await drawAndFinish(dependencies, run, plan.claimedSeconds)
}

const pieceOf = ({ track, segments }: EncodeOutput): ChunkPiece => {
  if (track === null) return null
  const { initSegment, ...description } = track
  return {
    track: description,
    initSegmentHash: createHash('sha256').update(initSegment).digest('base64'),
    initSegmentBytes: initSegment.length,
    segments,
  }
}
