import {
  encodeArguments,
  type EncodeChunk,
  type MediaPlan,
  type Probe,
  type VideoRung,
} from '@zoetrope/ffmpeg'
import { nicenessOf } from '../encode/encode-niceness.ts'
import {
  newOutput,
  runEncode,
  segmentCutsOf,
  type EncodeOutput,
  type SegmentStore,
} from '../encode/run-encode.ts'
import { placeWatermark } from '../../renditions/encode-settings.ts'

/** What to encode. It is plain JSON, so that a worker on another machine can receive it. */
export interface ChunkTask {
  readonly chunk: EncodeChunk
  readonly probe: Probe
  readonly plan: MediaPlan
  /** One output each, in this order. */
  readonly rungs: readonly VideoRung[]
}

/** The only way of a chunk to the installation: a local worker uses the database and the blob store, a remote one HTTPS. */
export interface ChunkDoor extends SegmentStore {
  /** The path is valid until `use` settles. */
  readonly withInput: <T>(use: (inputPath: string) => Promise<T>) => Promise<T>
  readonly report: (doneSeconds: number) => void
}

export interface ChunkRun {
  readonly workFolder: string
  readonly signal: AbortSignal
  /** Number of encodes that share this machine, including this one. */
  readonly encodersHere: number | undefined
}

/** Encodes one chunk. An output without a track has no frames. */
export const runChunk = async (
  { chunk, probe, plan, rungs }: ChunkTask,
  door: ChunkDoor,
  { workFolder, signal, encodersHere }: ChunkRun,
): Promise<EncodeOutput[]> => {
  const rate = plan.frameRate ?? { numerator: 1, denominator: 1 }
  const outputs = rungs.map((rung) => newOutput(segmentCutsOf(plan, rung)))
  await placeWatermark(plan, workFolder)
  await door.withInput((inputPath) =>
    runEncode(
      door,
      {
        arguments: encodeArguments({
          ...{ inputPath, probe, plan, rungs, chunk, encodersHere },
          includeAudio: false,
          firstPipe: 3,
        }),
        workFolder,
        niceness: nicenessOf(rungs, { isAwaited: false }),
        signal,
        onProgress: door.report,
        preceding: {
          count: chunk.startSegment,
          seconds: { numerator: chunk.startFrame * rate.denominator, denominator: rate.numerator },
        },
      },
      outputs,
    ),
  )
  return outputs
}

export const secondsOfChunk = (
  { frameRate }: Pick<MediaPlan, 'frameRate'>,
  { startFrame, endFrame }: EncodeChunk,
  durationSeconds: number,
): number => {
  const { numerator, denominator } = frameRate ?? { numerator: 1, denominator: 1 }
  const seconds = (frame: number): number => (frame * denominator) / numerator
  return (endFrame === null ? durationSeconds : seconds(endFrame)) - seconds(startFrame)
}
