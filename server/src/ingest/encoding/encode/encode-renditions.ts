import { randomUUID } from 'node:crypto'
import { encodeArguments, isEncoded, type MediaPlan, type Probe, type VideoRung } from '@zoetrope/ffmpeg'
import type { PackagedTrack } from '@zoetrope/packager'
import type { FileJob } from '../../../library/files/queue/file-jobs.ts'
import { retireRenditions } from '../../../library/files/media/garbage-list.ts'
import { blobPrefixOf, renditionsOf } from '../../../library/files/record/media-file-store.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { nicenessOf } from './encode-niceness.ts'
import { clearHiddenRenditions, removeHiddenRenditions } from './hidden-renditions.ts'
import { placeWatermark } from '../../renditions/encode-settings.ts'
import { addStorage, lockWanted, lockWantedInProject, markPlayable } from './file-progress.ts'
import {
  completeRendition,
  growRendition,
  insertEncodingRendition,
  unfinishedRenditions,
} from '../../renditions/rendition-store.ts'
import { newOutput, runEncode, segmentCutsOf, type EncodeOutput } from './run-encode.ts'
import { storeInBlobs } from './store-in-blobs.ts'

export interface EncodingDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly jobs: Jobs
  readonly publicUrl: string
}

/** A job with the number of the revision that it makes. */
export type RevisionJob = FileJob & { readonly revision: number }

export interface EncodeRequest {
  readonly job: RevisionJob
  readonly probe: Probe
  readonly plan: MediaPlan
  readonly rungs: readonly VideoRung[]
  readonly includeAudio: boolean
  readonly inputPath: string
  readonly workFolder: string
  /** When true, in-progress renditions play, and the first segment makes the file playable. */
  readonly isProgressive: boolean
  /** Limit of the output duration, in seconds; only the first step sets it. */
  readonly maxSeconds?: number
  readonly signal: AbortSignal
  /** Called when each output has a segment. */
  readonly onBegun?: () => void
  readonly onProgress: (doneSeconds: number) => void
}

/**
 * Minimum interval between updates of an in-progress rendition: short at first, longer for long segment
 * lists.
 */
const growthIntervalMs = (segmentCount: number): number => Math.max(500, segmentCount * 10)

interface Output extends EncodeOutput {
  readonly id: number
  readonly mediaBlob: string
  readonly name: string
  readonly allowedBitsPerSecond: number
}

/**
 * Encodes all wanted rungs and the planned audio in one ffmpeg run and packages them. They are published
 * together when the run completes; progressive ones are listed as they grow. A failed run leaves only what
 * viewers have already watched.
 */
export const encodeRenditions = async (
  dependencies: EncodingDependencies,
  request: EncodeRequest,
): Promise<void> => {
  const { database, publicUrl } = dependencies
  const { job } = request
  await clearHiddenRenditions(dependencies, job)
  // Renditions listed by an earlier run keep playing until this run is complete.
  const replaced = await unfinishedRenditions(database.kysely, job, 'growing')
  const outputs = await insertOutputs(dependencies, request)
  const growth = request.isProgressive ? createGrowth(dependencies, job, outputs) : null
  try {
    const tracks = await encode(dependencies, request, outputs, async () => {
      if (outputs.some(({ segments }) => segments.length === 0)) return
      request.onBegun?.()
      await growth?.onSegment()
    })
    await growth?.settled()
    await database.transaction(async (tx) => {
      const file = await lockWantedInProject(tx, job)
      // A worker that was presumed dead may still run and may have finished first.
      if (await isMadeByAnother(tx, job, outputs))
        return retireRenditions(
          tx,
          file,
          [...outputs, ...replaced].map(({ id }) => id),
        )
      for (const [index, output] of outputs.entries())
        await completeRendition(tx, job, output.id, {
          track: tracks[index] as PackagedTrack,
          sizeBytes: output.sizeBytes,
        })
      await retireRenditions(
        tx,
        file,
        replaced.map(({ id }) => id),
      )
      await addStorage(
        tx,
        publicUrl,
        job,
        outputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      )
      if (request.isProgressive) await markPlayable(tx, publicUrl, job)
    })
  } catch (error) {
    await growth?.settled()
    if (growth?.isListed()) await growth.listRest()
    else await removeHiddenRenditions(dependencies, job, outputs)
    throw error
  }
}

const isMadeByAnother = async (tx: Tx, job: RevisionJob, outputs: readonly Output[]): Promise<boolean> => {
  const names = new Set(outputs.map(({ name }) => name))
  const known = await renditionsOf(tx, job.fileId, job.revision)
  return known.some(
    ({ name, state, delivery }) => state === 'complete' && delivery === 'packaged' && names.has(name),
  )
}

const insertOutputs = async (
  { database }: EncodingDependencies,
  { job, plan, rungs, includeAudio }: EncodeRequest,
): Promise<Output[]> => {
  const wanted = [
    ...rungs.map((rung) => ({
      kind: 'video' as const,
      bitsPerSecond: rung.maxBitsPerSecond,
      identity: { name: rung.name, position: 0 },
      cuts: segmentCutsOf(plan, rung),
    })),
    ...(includeAudio ? plan.audio : []).filter(isEncoded).map((audio) => ({
      kind: 'audio' as const,
      bitsPerSecond: audio.bitsPerSecond,
      identity: {
        name: audio.name,
        position: plan.audio.indexOf(audio),
        language: audio.language,
        label: audio.label,
      },
      cuts: undefined,
    })),
  ]
  const outputs: Output[] = []
  for (const { kind, bitsPerSecond, identity, cuts } of wanted) {
    const mediaBlob = `${blobPrefixOf(job)}${randomUUID()}`
    const id = await insertEncodingRendition(database.kysely, job, { kind, ...identity, mediaBlob })
    // The encoder buffer holds two seconds at the ceiling, so a two-second segment may peak at twice that
    // rate.
    outputs.push({
      ...newOutput(cuts),
      id,
      mediaBlob,
      name: identity.name,
      allowedBitsPerSecond: 2 * bitsPerSecond,
    })
  }
  return outputs
}

const encode = async (
  { blobs }: EncodingDependencies,
  request: EncodeRequest,
  outputs: readonly Output[],
  onSegment: () => Promise<void>,
): Promise<(PackagedTrack | null)[]> => {
  const { inputPath, probe, plan, rungs, includeAudio, workFolder, signal, onProgress } = request
  await placeWatermark(plan, workFolder)
  return runEncode(
    storeInBlobs(
      blobs,
      outputs.map(({ mediaBlob }) => mediaBlob),
    ),
    {
      arguments: encodeArguments({ inputPath, probe, plan, rungs, includeAudio, firstPipe: 3 }),
      workFolder,
      niceness: nicenessOf(rungs, { isAwaited: request.isProgressive }),
      signal,
      onProgress,
      maxSeconds: request.maxSeconds,
      onSegment,
    },
    outputs,
  )
}

interface Growth {
  /** Call it when each output has a segment. */
  readonly onSegment: () => Promise<void>
  readonly isListed: () => boolean
  /** Lists segments stored since the last update. It ignores errors, because the run has already failed. */
  readonly listRest: () => Promise<void>
  readonly settled: () => Promise<void>
}

/** Lists in-progress renditions at most every half second. */
const createGrowth = (
  { database, publicUrl }: EncodingDependencies,
  job: RevisionJob,
  outputs: readonly Output[],
): Growth => {
  let isListed = false
  let lastMs = -Infinity
  let running: Promise<void> = Promise.resolve()
  const list = async (): Promise<void> => {
    await database.transaction(async (tx) => {
      await lockWanted(tx, job)
      for (const { id, track, segments, allowedBitsPerSecond } of outputs)
        if (track !== null) await growRendition(tx, job, id, { track, segments, allowedBitsPerSecond })
      if (!isListed) await markPlayable(tx, publicUrl, job)
    })
    isListed = true
  }
  return {
    onSegment: async () => {
      const longest = Math.max(...outputs.map(({ segments }) => segments.length))
      if (performance.now() - lastMs < growthIntervalMs(longest)) return
      lastMs = performance.now()
      running = running.then(list)
      await running
    },
    isListed: () => isListed,
    listRest: () => list().catch(() => {}),
    settled: () => running.catch(() => {}),
  }
}
