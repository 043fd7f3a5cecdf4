import type { Readable } from 'node:stream'
import {
  cutsOfRung,
  MediaError,
  mediaMessage,
  runFfmpeg,
  tooLong,
  type MediaPlan,
  type VideoRung,
} from '@zoetrope/ffmpeg'
import {
  packageStream,
  timelineStartSeconds,
  type PackagedSegment,
  type PackagedTrack,
  type PrecedingSegments,
  type SegmentCuts,
  type TrackDescription,
} from '@zoetrope/packager'
import { packagedFirstSegmentSeconds, packagedSegmentSeconds } from './packaged-segments.ts'
import { measureEncodeSpeed } from './encode-speed.ts'

/** Limit for one ffmpeg that decodes and encodes up to 8K. A ladder of 1080p needs less than 1 GB. */
const encodeMemoryBytes = 6 * 1024 ** 3

export interface EncodeOutput {
  readonly segments: PackagedSegment[]
  /** Absent = segments of roughly equal length. */
  readonly cuts?: SegmentCuts
  track: TrackDescription | null
  sizeBytes: number
}

export const newOutput = (cuts?: SegmentCuts): EncodeOutput => ({
  ...(cuts === undefined ? {} : { cuts }),
  segments: [],
  track: null,
  sizeBytes: 0,
})

export const segmentCutsOf = (plan: MediaPlan, rung: VideoRung): SegmentCuts | undefined => {
  const frames = cutsOfRung(plan, rung)
  return frames === undefined || plan.frameRate === null ? undefined : { frames, frameRate: plan.frameRate }
}

/** Takes what a run produces. `output` is the position of the output in the run. */
export interface SegmentStore {
  /** Throws when the decoder settings are not the expected ones. */
  readonly checkTrack?: (output: number, track: TrackDescription) => void
  readonly putInit: (output: number, data: Buffer) => Promise<unknown>
  readonly putSegment: (output: number, index: number, data: readonly Buffer[]) => Promise<unknown>
}

export interface EncodeRun {
  /** Write as many pipes as there are outputs, starting at 3. */
  readonly arguments: readonly string[]
  readonly workFolder: string
  readonly niceness: number
  readonly signal: AbortSignal
  readonly onProgress: (doneSeconds: number) => void
  /** Interval of `onProgress`; absent = 0.5. */
  readonly progressSeconds?: number
  /** Limit of the output duration, in seconds. */
  readonly maxSeconds?: number | undefined
  /** Called after each segment is stored. */
  readonly onSegment?: (segment: PackagedSegment) => Promise<void>
  /** Rejects when ffmpeg logs an error in the media, after which it would continue. */
  readonly isStrict?: boolean
  /** Segments before this chunk; absent for a run that is no chunk. */
  readonly preceding?: PrecedingSegments
}

/**
 * Runs ffmpeg once and packages its outputs into segments. Returns null for an output of a chunk without
 * frames.
 */
export const runEncode = async (
  store: SegmentStore,
  request: EncodeRun,
  outputs: readonly EncodeOutput[],
): Promise<(PackagedTrack | null)[]> => {
  const { workFolder, signal, preceding } = request
  const failed = new AbortController()
  const speed = measureEncodeSpeed()
  const run = runFfmpeg(request.arguments, {
    outputPipes: outputs.length,
    progressSeconds: request.progressSeconds,
    workFolder,
    signal: AbortSignal.any([signal, failed.signal]),
    limits: { niceness: request.niceness, mediaSeconds: request.maxSeconds, memoryBytes: encodeMemoryBytes },
    onProgress: ({ outTimeSeconds }) => {
      speed.reached(outTimeSeconds)
      request.onProgress(outTimeSeconds)
    },
  })
  // Set by errors of the store or the database, and by the duration limit. They abort ffmpeg explicitly:
  // with only a closed pipe it would still process the source to its end, possibly years away.
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
  // ffmpeg reports no progress while it fills a gap, so each segment is checked.
  const checkLength = (
    { track }: EncodeOutput,
    { startTicks, durationTicks }: Pick<PackagedSegment, 'startTicks' | 'durationTicks'>,
  ): void => {
    const { maxSeconds } = request
    if (track === null || maxSeconds === undefined) return
    if ((startTicks + durationTicks) / track.timescale - timelineStartSeconds > maxSeconds)
      throw tooLong(maxSeconds)
  }
  // All chunks share the init segment of the first one.
  const isFirst = (preceding?.count ?? 0) === 0
  const packageOne = (output: EncodeOutput, number: number, pipe: Readable): Promise<PackagedTrack> =>
    packageStream(pipe, {
      targetDurationSeconds: packagedSegmentSeconds,
      ...(isFirst ? { firstSegmentMaxSeconds: packagedFirstSegmentSeconds } : {}),
      ...(preceding === undefined ? {} : { preceding }),
      ...(output.cuts === undefined ? {} : { cuts: output.cuts }),
      onInit: async (track) => {
        output.track = track
        await ours(async () => store.checkTrack?.(number, track))
        if (!isFirst) return
        output.sizeBytes += track.initSegment.length
        await ours(() => store.putInit(number, track.initSegment))
      },
      onSegment: async ({ index, data, ...segment }) => {
        await ours(async () => checkLength(output, segment))
        await ours(() => store.putSegment(number, index, data))
        output.segments.push(segment)
        output.sizeBytes += segment.sizeBytes
        await ours(async () => {
          if (request.isStrict && run.hasLoggedErrors())
            throw new MediaError('corrupt', mediaMessage('file_content_unreadable'))
          await request.onSegment?.(segment)
        })
      },
    }).catch((error: unknown) => {
      // Without this, ffmpeg would wait forever for a reader of the pipe.
      pipe.destroy()
      throw error
    })
  const packaging = outputs.map((output, index) => packageOne(output, index, run.pipes[index] as Readable))
  const [finished, ...tracks] = await Promise.allSettled([run.done, ...packaging])
  if (ourFault !== undefined) throw ourFault
  // The error of ffmpeg takes precedence: a packager whose pipe broke only sees the consequence.
  if (finished.status === 'rejected') throw finished.reason
  const { hasLoggedErrors, stderrTail } = finished.value
  if (request.isStrict && hasLoggedErrors)
    throw new MediaError('corrupt', mediaMessage('file_content_unreadable'), stderrTail)
  return tracks.map((track, index) => {
    if (track.status === 'fulfilled') return track.value
    if (preceding !== undefined && outputs[index]?.track === null) return null
    throw track.reason
  })
}
