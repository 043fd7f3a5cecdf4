import type { Readable } from 'node:stream'
import { cutsOfRung, runFfmpeg, tooLong, type MediaPlan, type VideoRung } from '@zoetrope/ffmpeg'
import {
  packageStream,
  timelineStartSeconds,
  type PackagedSegment,
  type PackagedTrack,
  type PrecedingSegments,
  type SegmentCuts,
  type TrackDescription,
} from '@zoetrope/packager'
import {
  initBlob,
  packagedFirstSegmentSeconds,
  packagedSegmentSeconds,
  segmentBlob,
} from '../files/media-blobs.ts'
import type { BlobStore } from '../kernel/blobs/blob-store.ts'

/** What one pipe of the run becomes. */
export interface EncodeOutput {
  readonly mediaBlob: string
  readonly segments: PackagedSegment[]
  /** Absent = segments of about the same length. */
  readonly cuts?: SegmentCuts
  track: TrackDescription | null
  sizeBytes: number
}

export const newOutput = (mediaBlob: string, cuts?: SegmentCuts): EncodeOutput => ({
  mediaBlob,
  ...(cuts === undefined ? {} : { cuts }),
  segments: [],
  track: null,
  sizeBytes: 0,
})

/** Where the segments of a rung begin, if the plan says. */
export const segmentCutsOf = (plan: MediaPlan, rung: VideoRung): SegmentCuts | undefined => {
  const frames = cutsOfRung(plan, rung)
  return frames === undefined || plan.frameRate === null ? undefined : { frames, frameRate: plan.frameRate }
}

export interface EncodeRun {
  /** With as many pipes, from 3 on, as there are outputs. */
  readonly arguments: readonly string[]
  readonly workFolder: string
  readonly niceness: number
  readonly signal: AbortSignal
  readonly onProgress: (doneSeconds: number) => void
  /** More media than this may not come out. */
  readonly maxSeconds?: number | undefined
  /** Each output has one more segment, or is about to; the next one waits for it. */
  readonly onSegment?: () => Promise<void>
  readonly chunk?: {
    readonly preceding: PrecedingSegments
    /** Before each blob; throws when another run has taken the chunk over. */
    readonly checkClaim: () => Promise<void>
  }
}

/** One ffmpeg run, whose outputs our packager makes into segments. Null for an output of a chunk without a single picture. */
export const runEncode = async (
  blobs: BlobStore,
  request: EncodeRun,
  outputs: readonly EncodeOutput[],
): Promise<(PackagedTrack | null)[]> => {
  const { workFolder, signal, chunk } = request
  const failed = new AbortController()
  const run = runFfmpeg(request.arguments, {
    outputPipes: outputs.length,
    workFolder,
    signal: AbortSignal.any([signal, failed.signal]),
    limits: { niceness: request.niceness, mediaSeconds: request.maxSeconds },
    onProgress: ({ outTimeSeconds }) => request.onProgress(outTimeSeconds),
  })
  // A fault of the blob store or the database, or the end of what may be processed. By a closed pipe alone ffmpeg does not end before it has made
  // all pictures up to the end of the source, be it years away.
  let ourFault: unknown
  const ours = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      ourFault ??= error
      failed.abort()
      throw error
    }
  }
  const put: BlobStore['put'] = async (key, data) => {
    await chunk?.checkClaim()
    return blobs.put(key, data)
  }
  // ffmpeg does not say how far it is while it fills a gap.
  const checkLength = (
    { track }: EncodeOutput,
    { startTicks, durationTicks }: Pick<PackagedSegment, 'startTicks' | 'durationTicks'>,
  ): void => {
    const { maxSeconds } = request
    if (track === null || maxSeconds === undefined) return
    if ((startTicks + durationTicks) / track.timescale - timelineStartSeconds > maxSeconds)
      throw tooLong(maxSeconds)
  }
  // All chunks share the init segment that the first one writes.
  const isFirst = (chunk?.preceding.count ?? 0) === 0
  const packageOne = (output: EncodeOutput, pipe: Readable): Promise<PackagedTrack> =>
    packageStream(pipe, {
      targetDurationSeconds: packagedSegmentSeconds,
      ...(isFirst ? { firstSegmentMaxSeconds: packagedFirstSegmentSeconds } : {}),
      ...(chunk === undefined ? {} : { preceding: chunk.preceding }),
      ...(output.cuts === undefined ? {} : { cuts: output.cuts }),
      onInit: async (track) => {
        output.track = track
        if (!isFirst) return
        output.sizeBytes += track.initSegment.length
        await ours(() => put(initBlob(output.mediaBlob), track.initSegment))
      },
      onSegment: async ({ index, data, ...segment }) => {
        await ours(async () => checkLength(output, segment))
        await ours(() => put(segmentBlob(output.mediaBlob, index), data))
        output.segments.push(segment)
        output.sizeBytes += segment.sizeBytes
        await ours(async () => request.onSegment?.())
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
  if (chunk !== undefined) await checkStored(blobs, outputs, chunk)
  return tracks.map((track, index) => {
    if (track.status === 'fulfilled') return track.value
    if (chunk !== undefined && outputs[index]?.track === null) return null
    throw track.reason
  })
}

/**
 * A run that was overtaken in the middle of a write may have replaced a segment with its own. Those of another encoder would not fit; one more
 * try writes them anew.
 */
const checkStored = async (
  blobs: BlobStore,
  outputs: readonly EncodeOutput[],
  { preceding, checkClaim }: NonNullable<EncodeRun['chunk']>,
): Promise<void> => {
  for (const { mediaBlob, segments } of outputs)
    for (const [index, { sizeBytes }] of segments.entries()) {
      const key = segmentBlob(mediaBlob, preceding.count + index)
      if ((await blobs.stat(key))?.sizeBytes === sizeBytes) continue
      // It may be us who were overtaken.
      await checkClaim()
      throw new Error(`${key} is not what was written: another run was here`)
    }
}
