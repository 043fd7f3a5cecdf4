import { createHash, randomUUID } from 'node:crypto'
import { encodeArguments, type EncodeChunk } from '@zoetrope/ffmpeg'
import type { JobAttempt } from '../../../platform/jobs/jobs.ts'
import type { Chunking } from './begin-chunks.ts'
import {
  claimChunk,
  findChunkedPlan,
  finishChunk,
  holdsClaim,
  storeDoneSeconds,
  openChunks,
  type ChunkedPlan,
  type ChunkPiece,
} from './chunk-store.ts'
import { nicenessOf } from '../encode/encode-niceness.ts'
import { placeWatermark } from '../../renditions/encode-settings.ts'
import { giveUpChunks, joinChunks } from './end-chunks.ts'
import { markFinished } from '../processing/end-processing.ts'
import { isHopeless, isOver, lockWantedInProject, SupersededError } from '../encode/file-progress.ts'
import { newOutput, runEncode, segmentCutsOf, type EncodeOutput } from '../encode/run-encode.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'

const progressIntervalMs = 2_000

interface ChunkDependencies extends FileJobDependencies {
  readonly chunking?: Chunking
}

/**
 * Encodes one chunk of a file. The run that finishes the last chunk joins them all. A repeated run writes the
 * same segments again.
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
  if (!(await claimChunk(database.kysely, job, number, claim))) return
  let pieces: ChunkPiece[]
  try {
    pieces = await dependencies.blobs.withLocalFile(source.blob, (inputPath) =>
      runChunk(dependencies, run, plan, { number, chunk, claim, inputPath }),
    )
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
    const doneSeconds = secondsOf(plan, chunk)
    if (!(await finishChunk(tx, job, number, { claim, doneSeconds, pieces }))) throw new SupersededError(job)
    if ((await openChunks(tx, job)).length > 0) return false
    return joinChunks(tx, dependencies, job, file)
  })
  // The ladder job would finish the file too, but runs later.
  if (isJoined && plan.isLast) await markFinished(dependencies, run, plan.claimedSeconds)
}

const runChunk = async (
  { database, blobs, chunking }: ChunkDependencies,
  { job, signal, workFolder, report }: FileJobRun,
  plan: ChunkedPlan,
  {
    number,
    chunk,
    claim,
    inputPath,
  }: {
    readonly number: number
    readonly chunk: EncodeChunk
    readonly claim: string
    readonly inputPath: string
  },
): Promise<ChunkPiece[]> => {
  const { probe, rungs, durationSeconds, percent } = plan
  const rate = plan.plan.frameRate ?? { numerator: 1, denominator: 1 }
  const outputs = plan.renditions.map(({ mediaBlob }, index) => {
    const rung = rungs[index]
    return newOutput(mediaBlob, rung && segmentCutsOf(plan.plan, rung))
  })
  await placeWatermark(plan.plan, workFolder)
  let reportedAtMs = performance.now()
  const storeProgress = async (doneSeconds: number): Promise<void> => {
    const total = await storeDoneSeconds(database.kysely, job, number, { claim, doneSeconds })
    report(percent.from + ((percent.to - percent.from) * total) / durationSeconds)
  }
  await storeProgress(0)
  await runEncode(
    blobs,
    {
      arguments: encodeArguments({
        inputPath,
        probe,
        plan: plan.plan,
        rungs,
        includeAudio: false,
        firstPipe: 3,
        chunk,
        encodersHere: await chunking?.countEncoders('on this machine'),
      }),
      workFolder,
      niceness: nicenessOf(rungs, { isAwaited: false }),
      signal,
      onProgress: (doneSeconds) => {
        if (performance.now() - reportedAtMs < progressIntervalMs) return
        reportedAtMs = performance.now()
        // A lost progress update does no harm.
        storeProgress(doneSeconds).catch(() => {})
      },
      chunk: {
        preceding: {
          count: chunk.startSegment,
          seconds: { numerator: chunk.startFrame * rate.denominator, denominator: rate.numerator },
        },
        checkClaim: async () => {
          if (!(await holdsClaim(database.kysely, job, number, claim))) throw new SupersededError(job)
        },
      },
    },
    outputs,
  )
  return outputs.map(pieceOf)
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

const secondsOf = ({ plan, durationSeconds }: ChunkedPlan, { startFrame, endFrame }: EncodeChunk): number => {
  const { numerator, denominator } = plan.frameRate ?? { numerator: 1, denominator: 1 }
  const seconds = (frame: number): number => (frame * denominator) / numerator
  return (endFrame === null ? durationSeconds : seconds(endFrame)) - seconds(startFrame)
}
