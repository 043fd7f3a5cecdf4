import { randomUUID } from 'node:crypto'
import {
  canBeCut,
  cutsOfRung,
  planChunks,
  type MediaPlan,
  type Probe,
  type VideoRung,
} from '@zoetrope/ffmpeg'
import { encodeLadderJob } from '../../../library/files/queue/file-jobs.ts'
import { packagedSegmentSeconds } from '../../../library/files/media/media-blobs.ts'
import { ladderPriority } from '../../../library/files/queue/ladder-priority.ts'
import { blobPrefixOf } from '../../../library/files/record/media-file-store.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { findChunkedPlan, insertChunkedEncode, openChunks, type ChunkedPlan } from './chunk-store.ts'
import type { EncodingDependencies, RevisionJob } from '../encode/encode-renditions.ts'
import { lockWanted } from '../encode/file-progress.ts'
import { isLaterStep } from '../encode/ladder-steps.ts'
import { insertEncodingRendition } from '../../renditions/rendition-store.ts'

export interface Chunking {
  readonly minSourceSeconds: number
  readonly chunkSeconds: number
  /** Number of encodes that all workers together can run at once. */
  readonly countEncoders: (where: 'everywhere' | 'on this machine') => Promise<number>
}

/**
 * Seeking costs the decoding of about two seconds, and each encoder starts cold. That is little compared to
 * thirty seconds.
 */
export const chunkLengths = { minSourceSeconds: 60, chunkSeconds: 30 } as const

export interface EncodeStep {
  readonly probe: Probe
  readonly plan: MediaPlan
  readonly rungs: readonly VideoRung[]
  readonly percent: ChunkedPlan['percent']
  readonly isLast: boolean
  /** Duration from the header of the source where it may be false; otherwise null. */
  readonly claimedSeconds: number | null
}

/** Queues the step in chunks for all workers. Returns false when a single run is better. */
export const beginChunks = async (
  dependencies: EncodingDependencies,
  chunking: Chunking,
  job: RevisionJob,
  step: EncodeStep,
): Promise<boolean> => {
  const { frameRate, durationSeconds } = step.plan
  if (frameRate === null || durationSeconds === null || durationSeconds < chunking.minSourceSeconds)
    return false
  if (!canBeCut(step.probe) || (await chunking.countEncoders('everywhere')) < 2) return false
  const chunks = planChunks(
    { frameRate, durationSeconds, cutFrames: step.rungs[0] && cutsOfRung(step.plan, step.rungs[0]) },
    { chunkSeconds: chunking.chunkSeconds, segmentSeconds: packagedSegmentSeconds },
  )
  if (chunks.length < 2) return false
  await dependencies.database.transaction(async (tx) => {
    const file = await lockWanted(tx, job)
    const renditions: { id: number; mediaBlob: string }[] = []
    for (const { name } of step.rungs) {
      const mediaBlob = `${blobPrefixOf(job)}${randomUUID()}`
      const id = await insertEncodingRendition(tx, job, { kind: 'video', name, position: 0, mediaBlob })
      renditions.push({ id, mediaBlob })
    }
    const plan = { ...step, renditions, chunks, durationSeconds }
    await insertChunkedEncode(tx, job, plan)
    await askForChunks(dependencies, tx, job, { file, plan })
  })
  return true
}

/** Returns true when the file is being encoded in chunks, and queues unfinished chunks again. */
export const resumeChunks = (dependencies: EncodingDependencies, job: RevisionJob): Promise<boolean> =>
  dependencies.database.transaction(async (tx) => {
    const file = await lockWanted(tx, job)
    const plan = await findChunkedPlan(tx, job)
    if (plan === null) return false
    await askForChunks(dependencies, tx, job, { file, plan })
    return true
  })

const askForChunks = async (
  { jobs }: EncodingDependencies,
  tx: Queryable,
  job: RevisionJob,
  { file, plan }: { readonly file: MediaFileRow; readonly plan: ChunkedPlan },
): Promise<void> => {
  const priority = ladderPriority(file, { isLater: isLaterStep(plan.rungs), hasBegun: true })
  const { revision, ...stored } = job
  // Jobs of the previous step may still be ending, so the key includes the step. Otherwise they would replace
  // these jobs.
  const step = plan.renditions[0]?.id ?? 0
  for (const chunk of await openChunks(tx, job))
    await jobs.enqueue(
      tx,
      encodeLadderJob,
      { ...stored, generation: revision, chunk },
      { priority, key: `${job.fileId}.${revision}.${step}.${chunk}` },
    )
}
