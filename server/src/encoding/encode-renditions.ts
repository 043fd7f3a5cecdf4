import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { encodeArguments, runFfmpeg, type MediaPlan, type Probe, type VideoRung } from '@zoetrope/ffmpeg'
import {
  packageStream,
  type PackagedSegment,
  type PackagedTrack,
  type TrackDescription,
} from '@zoetrope/packager'
import type { FileJob } from '../files/file-jobs.ts'
import { retireRenditions } from '../files/discarded-media.ts'
import { initBlob, packagedSegmentSeconds, segmentBlob } from '../files/media-blobs.ts'
import { blobPrefixOf } from '../files/media-file-store.ts'
import type { BlobStore } from '../kernel/blobs/blob-store.ts'
import type { Database } from '../kernel/db/database.ts'
import { addStorage, lockWanted, lockWantedInProject, markPlayable } from './file-progress.ts'
import {
  completeRendition,
  deleteRenditions,
  growRendition,
  insertEncodingRendition,
  unfinishedRenditions,
} from './rendition-store.ts'

export interface EncodingDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly publicUrl: string
}

/** A job that says which generation it makes. */
export type GenerationJob = FileJob & { readonly generation: number }

export interface EncodeRequest {
  readonly job: GenerationJob
  readonly probe: Probe
  readonly plan: MediaPlan
  readonly rungs: readonly VideoRung[]
  readonly includeAudio: boolean
  readonly inputPath: string
  readonly workFolder: string
  /** True: what is encoded plays while it grows, and makes the file playable with its first segment. */
  readonly isProgressive: boolean
  readonly signal: AbortSignal
  readonly onProgress: (doneSeconds: number) => void
}

/** One group of pictures: play begins when it is there. */
const firstSegmentSeconds = 2
/** How often a growing rendition is listed anew at most: often at first, far below a segment's length; rarely when the list is long. */
const growthIntervalMs = (segmentCount: number): number => Math.max(500, segmentCount * 10)
const defaultAudioBitsPerSecond = 128_000

interface Output {
  readonly id: number
  readonly mediaBlob: string
  readonly allowedBitsPerSecond: number
  readonly segments: PackagedSegment[]
  track: TrackDescription | null
  sizeBytes: number
}

/**
 * One ffmpeg run for all wanted rungs and, where the plan encodes it, audio; our packager writes the segments. They are swapped in together
 * when the run is whole; progressive ones are listed as they grow. A run that fails leaves nothing but what was already watched.
 */
export const encodeRenditions = async (
  dependencies: EncodingDependencies,
  request: EncodeRequest,
): Promise<void> => {
  const { database, publicUrl } = dependencies
  const { job } = request
  await clearHiddenRenditions(dependencies, job)
  // What an earlier run had listed goes on playing until this run is whole.
  const replaced = await unfinishedRenditions(database.kysely, job, 'growing')
  const outputs = await insertOutputs(dependencies, request)
  const growth = request.isProgressive ? createGrowth(dependencies, job, outputs) : null
  try {
    const tracks = await encode(dependencies, request, outputs, growth?.onSegment ?? (async () => {}))
    await growth?.settled()
    await database.transaction(async (tx) => {
      const file = await lockWantedInProject(tx, job)
      for (const [index, output] of outputs.entries())
        await completeRendition(tx, output.id, {
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
    if (growth === null || !growth.isListed()) await discard(dependencies, outputs)
    throw error
  }
}

/** Removes what nobody sees: half-done renditions of killed runs. Rows go last, so that a kill in between loses none. */
export const clearHiddenRenditions = async (
  { database, blobs }: EncodingDependencies,
  job: GenerationJob,
): Promise<void> => {
  const hidden = await unfinishedRenditions(database.kysely, job, 'encoding')
  for (const { media_blob } of hidden) await blobs.deletePrefix(`${media_blob}/`)
  await deleteRenditions(
    database.kysely,
    hidden.map(({ id }) => id),
  )
}

const insertOutputs = async (
  { database }: EncodingDependencies,
  { job, plan, rungs, includeAudio }: EncodeRequest,
): Promise<Output[]> => {
  const { audio } = plan
  const wanted = [
    ...rungs.map((rung) => ({
      kind: 'video' as const,
      name: rung.name,
      bitsPerSecond: rung.maxBitsPerSecond,
    })),
    ...(includeAudio && audio.action === 'encode'
      ? [
          {
            kind: 'audio' as const,
            name: 'audio',
            bitsPerSecond: audio.bitsPerSecond ?? defaultAudioBitsPerSecond,
          },
        ]
      : []),
  ]
  const outputs: Output[] = []
  for (const { kind, name, bitsPerSecond } of wanted) {
    const mediaBlob = `${blobPrefixOf(job)}${randomUUID()}`
    const id = await insertEncodingRendition(database.kysely, job, { kind, name, mediaBlob })
    // The encoder's buffer holds two seconds at the ceiling, so a segment of two seconds may peak at twice that.
    outputs.push({
      id,
      mediaBlob,
      allowedBitsPerSecond: 2 * bitsPerSecond,
      segments: [],
      track: null,
      sizeBytes: 0,
    })
  }
  return outputs
}

const encode = async (
  { blobs }: EncodingDependencies,
  request: EncodeRequest,
  outputs: readonly Output[],
  onSegment: () => Promise<void>,
): Promise<PackagedTrack[]> => {
  const { inputPath, probe, plan, rungs, includeAudio, workFolder, signal } = request
  const run = runFfmpeg(encodeArguments({ inputPath, probe, plan, rungs, includeAudio, firstPipe: 3 }), {
    outputPipes: outputs.length,
    workFolder,
    signal,
    onProgress: ({ outTimeSeconds }) => request.onProgress(outTimeSeconds),
  })
  // A fault of the blob store or the database: ffmpeg then ends because nobody reads, and would be blamed for it.
  let ourFault: unknown
  const ours = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => {
      ourFault ??= error
      throw error
    })
  }
  const packageOne = (output: Output, pipe: Readable): Promise<PackagedTrack> =>
    packageStream(pipe, {
      targetDurationSeconds: packagedSegmentSeconds,
      ...(request.isProgressive ? { firstSegmentMaxSeconds: firstSegmentSeconds } : {}),
      onInit: async (track) => {
        output.track = track
        output.sizeBytes += track.initSegment.length
        await ours(blobs.put(initBlob(output.mediaBlob), track.initSegment))
      },
      onSegment: async ({ index, startTicks, durationTicks, sizeBytes, data }) => {
        await ours(blobs.put(segmentBlob(output.mediaBlob, index), data))
        output.segments.push({ startTicks, durationTicks, sizeBytes })
        output.sizeBytes += sizeBytes
        await ours(onSegment())
      },
    }).catch((error: unknown) => {
      // Nobody reads this pipe any more: without an end, ffmpeg would wait for a reader for ever.
      pipe.destroy()
      throw error
    })
  const packaging = outputs.map((output, index) => packageOne(output, run.pipes[index] as Readable))
  const [finished, ...tracks] = await Promise.allSettled([run.done, ...packaging])
  if (ourFault !== undefined) throw ourFault
  // ffmpeg's own reason goes before the packager's: a packager that saw its pipe break only knows the consequence.
  if (finished.status === 'rejected') throw finished.reason
  return tracks.map((track) => {
    if (track.status === 'rejected') throw track.reason
    return track.value
  })
}

interface Growth {
  readonly onSegment: () => Promise<void>
  /** Whether viewers may have seen it. */
  readonly isListed: () => boolean
  readonly settled: () => Promise<void>
}

/** Lists growing renditions at most every half second, from the moment on when each of them has a segment. */
const createGrowth = (
  { database, publicUrl }: EncodingDependencies,
  job: FileJob,
  outputs: readonly Output[],
): Growth => {
  let isListed = false
  let lastMs = -Infinity
  let running: Promise<void> = Promise.resolve()
  const list = async (): Promise<void> => {
    await database.transaction(async (tx) => {
      await lockWanted(tx, job)
      for (const { id, track, segments, allowedBitsPerSecond } of outputs)
        if (track !== null) await growRendition(tx, id, { track, segments, allowedBitsPerSecond })
      if (!isListed) await markPlayable(tx, publicUrl, job)
    })
    isListed = true
  }
  return {
    onSegment: async () => {
      if (outputs.some(({ segments }) => segments.length === 0)) return
      const longest = Math.max(...outputs.map(({ segments }) => segments.length))
      if (performance.now() - lastMs < growthIntervalMs(longest)) return
      lastMs = performance.now()
      running = running.then(list)
      await running
    },
    isListed: () => isListed,
    settled: () => running.catch(() => {}),
  }
}

const discard = async (
  { database, blobs }: EncodingDependencies,
  outputs: readonly Output[],
): Promise<void> => {
  for (const { mediaBlob } of outputs) await blobs.deletePrefix(`${mediaBlob}/`)
  await deleteRenditions(
    database.kysely,
    outputs.map(({ id }) => id),
  )
}
