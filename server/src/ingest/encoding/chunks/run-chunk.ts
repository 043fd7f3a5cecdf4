import {
  encodeArguments,
  MediaError,
  mediaMessage,
  type EncodeChunk,
  type MediaPlan,
  type Probe,
  type VideoRung,
} from '@zoetrope/ffmpeg'
import type { PackagedSegment } from '@zoetrope/packager'
import { nicenessOf } from '../encode/encode-niceness.ts'
import type { FileJobRun } from '../encode/file-job-run.ts'
import {
  newOutput,
  runEncode,
  segmentCutsOf,
  type EncodeOutput,
  type SegmentStore,
} from '../encode/run-encode.ts'
import { placeWatermark } from '../../renditions/encode-settings.ts'
import { secondsOfChunk } from './seconds-of-chunk.ts'
import { withSourceRanges, type LendSource } from './with-source-ranges.ts'

/** What to encode. It is plain JSON, so that a worker on another machine can receive it. */
export interface ChunkTask {
  readonly chunk: EncodeChunk
  readonly probe: Probe
  readonly plan: MediaPlan
  /** One output each, in this order. */
  readonly rungs: readonly VideoRung[]
}

/** How a chunk reads its source, stores segments and reports progress: a local worker by the database and the blob store, a remote one by HTTPS. */
export interface ChunkAccess extends SegmentStore {
  /** With `plan`, the local copy may lack all other bytes. */
  readonly withInput: LendSource
  readonly report: (doneSeconds: number) => void
  /** Checks each segment once it is stored, instead of all at the end. After an error, the chunk is not repeated. */
  readonly takeSegment?: (segment: PackagedSegment) => Promise<void>
}

export interface ChunkRun {
  readonly workFolder: string
  readonly signal: AbortSignal
  readonly warn?: FileJobRun['warn']
  /** Number of encodes that share this machine, including this one. */
  readonly encodersHere: number | undefined
  /** Absent = by the cores of this machine. */
  readonly threadCount?: number
  /** Absent = that of a ladder. */
  readonly niceness?: number
  /** Interval of progress reports; absent = 0.5. */
  readonly progressSeconds?: number
}

/** Encodes one chunk. An output without a track has no frames. */
export const runChunk = async (
  { chunk, probe, plan, rungs }: ChunkTask,
  access: ChunkAccess,
  { workFolder, signal, warn, encodersHere, threadCount, niceness, progressSeconds }: ChunkRun,
): Promise<EncodeOutput[]> => {
  const rate = plan.frameRate ?? { numerator: 1, denominator: 1 }
  const { takeSegment } = access
  await placeWatermark(plan, workFolder)
  return withSourceRanges(
    access.withInput,
    { probe, plan, chunk },
    { signal, ...(warn && { warn }), isRepeated: takeSegment === undefined },
    async (inputPath, isWhole) => {
      const outputs = rungs.map((rung) => newOutput(segmentCutsOf(plan, rung)))
      await runEncode(
        access,
        {
          arguments: encodeArguments({
            ...{ inputPath, probe, plan, rungs, chunk, encodersHere, threadCount },
            includeAudio: false,
            firstPipe: 3,
          }),
          workFolder,
          ...(progressSeconds !== undefined && { progressSeconds }),
          niceness: niceness ?? nicenessOf(rungs, { isAwaited: false }),
          signal,
          onProgress: access.report,
          ...(takeSegment && { onSegment: takeSegment }),
          isStrict: !isWhole,
          preceding: {
            count: chunk.startSegment,
            seconds: { numerator: chunk.startFrame * rate.denominator, denominator: rate.numerator },
          },
        },
        outputs,
      )
      if (!isWhole && takeSegment === undefined) checkLength(outputs, plan, chunk)
      return outputs
    },
  )
}

/** Half a frame at 60 frames/s. */
const toleratedSeconds = 1 / 120

/** Throws when frames are missing. How many the last chunk has is not known. */
const checkLength = (outputs: readonly EncodeOutput[], plan: MediaPlan, chunk: EncodeChunk): void => {
  if (chunk.endFrame === null) return
  for (const { track, segments } of outputs) {
    const ticks = segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0)
    const seconds = track === null ? 0 : ticks / track.timescale
    if (Math.abs(seconds - secondsOfChunk(plan, chunk, seconds)) > toleratedSeconds)
      throw new MediaError('corrupt', mediaMessage('file_video_unreadable'), `${seconds} s`)
  }
}
