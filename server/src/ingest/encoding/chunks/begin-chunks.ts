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
import { packagedSegmentSeconds } from '../encode/packaged-segments.ts'
import { ladderPriority } from '../../../library/files/queue/ladder-priority.ts'
import { blobPrefixOf } from '../../../library/files/record/media-file-store.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import {
  findChunkedPlan,
  insertChunkedEncode,
  openChunks,
  type ChunkedPlan,
  type PlannedTrack,
} from './chunk-store.ts'
import type { EncodingDependencies, RevisionJob } from '../encode/encode-renditions.ts'
import { isOver, lockWanted, lockWantedInProject } from '../encode/file-progress.ts'
import { isLaterStep } from '../encode/ladder-steps.ts'
import { joinChunks } from './end-chunks.ts'
import { insertEncodingRendition } from '../../renditions/rendition-store.ts'

export interface Chunking {
  readonly minSourceSeconds: number
  readonly chunkSeconds: number
  /** Number of encodes that all local workers together can run at once. */
  readonly countEncoders: (where: 'everywhere' | 'on this machine') => Promise<number>
  /** Number of encodes that all remote workers together can run at once; absent = none. */
  readonly countRemoteEncoders?: () => Promise<number>
  /** Local workers encode only what remote ones cannot. */
  readonly isRemoteOnly?: boolean
}

/**
 * Seeking costs the decoding of about two seconds, and each encoder starts cold. That is little compared to
 * thirty seconds.
 */
export const chunkLengths = { minSourceSeconds: 60, chunkSeconds: 30 } as const

/** Longer than any source: a step that is not cut is one chunk for a remote worker. */
const uncutSeconds = Number.MAX_SAFE_INTEGER

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
  /** Null = only local workers can encode the step. */
  describeOutputs: () => Promise<readonly PlannedTrack[] | null>,
): Promise<boolean> => {
  const { frameRate, durationSeconds } = step.plan
  const { isRemoteOnly = false } = chunking
  if (frameRate === null || durationSeconds === null) return false
  const isLongEnough = durationSeconds >= chunking.minSourceSeconds && canBeCut(step.probe)
  if (!isLongEnough && !isRemoteOnly) return false
  const remoteCount = (await chunking.countRemoteEncoders?.()) ?? 0
  const localCount = isRemoteOnly ? 0 : await chunking.countEncoders('everywhere')
  if (!isRemoteOnly && localCount + remoteCount < 2) return false
  const chunks = planChunks(
    { frameRate, durationSeconds, cutFrames: step.rungs[0] && cutsOfRung(step.plan, step.rungs[0]) },
    {
      chunkSeconds: isLongEnough ? chunking.chunkSeconds : uncutSeconds,
      segmentSeconds: packagedSegmentSeconds,
    },
  )
  if (chunks.length < 2 && !isRemoteOnly) return false
  const tracks = remoteCount > 0 || isRemoteOnly ? await describeOutputs() : null
  if (isRemoteOnly && tracks === null) return false
  await dependencies.database.transaction(async (tx) => {
    const file = await lockWanted(tx, job)
    const renditions: { id: number; mediaBlob: string }[] = []
    for (const { name } of step.rungs) {
      const mediaBlob = `${blobPrefixOf(job)}${randomUUID()}`
      const id = await insertEncodingRendition(tx, job, { kind: 'video', name, position: 0, mediaBlob })
      renditions.push({ id, mediaBlob })
    }
    const plan = { ...step, renditions, chunks, durationSeconds, ...(tracks && { tracks }) }
    await insertChunkedEncode(tx, job, plan)
    await askForChunks(dependencies, tx, job, { file, plan })
  })
  return true
}

/**
 * Returns the plan when the file is being encoded in chunks. Queues unfinished chunks again, and joins them when
 * a remote worker has finished the last one.
 */
export const resumeChunks = (
  dependencies: EncodingDependencies,
  job: RevisionJob,
): Promise<{ readonly plan: ChunkedPlan; readonly isJoined: boolean } | null> =>
  dependencies.database.transaction(async (tx) => {
    const file = await lockWantedInProject(tx, job)
    const plan = await findChunkedPlan(tx, job)
    if (plan === null) return null
    if (!isOver(file) && (await openChunks(tx, job)).length === 0)
      return { plan, isJoined: await joinChunks(tx, dependencies, job, file) }
    await askForChunks(dependencies, tx, job, { file, plan })
    return { plan, isJoined: false }
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
