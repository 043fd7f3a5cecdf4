import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { framesPerSecond, MediaError, mediaMessage, type EncodeChunk } from '@zoetrope/ffmpeg'
import type { PackagedSegment } from '@zoetrope/packager'
import { folderOfClaim } from '../chunks/chunk-folders.ts'
import { runChunk, type ChunkAccess } from '../chunks/run-chunk.ts'
import { isFaultOfMedia } from '../encode/faults.ts'
import { awaitedNiceness } from '../encode/encode-niceness.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import type { SegmentStore } from '../encode/run-encode.ts'
import { storeInBlobs } from '../encode/store-in-blobs.ts'
import type { ChunkUrgency, ClaimedChunk, MadeSegment } from './claims/claimed-chunk.ts'
import type { OnDemandRendition } from './on-demand-store.ts'
import type { OnDemandPlan } from './plan/plan-on-demand.ts'
import { DecoderSettingsError } from './relist-rung.ts'

/** Encoders write their first frames late, so little is left to decode then. */
const tailRatio = 0.1
const progressSeconds = 0.03
/** Ladders have a nice value of 10, and their later codecs 15. */
const nicenessOfChunk: Readonly<Record<ChunkUrgency, number>> = {
  awaited: awaitedNiceness,
  ahead: 5,
  idle: 19,
}

const chunkOf = (
  { startFrames, hasClosedGroups = true, withinGroup = [] }: OnDemandPlan,
  number: number,
): EncodeChunk => ({
  startFrame: startFrames[number] ?? 0,
  endFrame: startFrames[number + 1] ?? null,
  startSegment: number,
  ...(hasClosedGroups && (withinGroup.includes(number) ? { hasClosedGroups } : { isAtKeyFrame: true })),
})

/** Returns when a run writes the first frames of its last segment, in seconds of what it encodes. */
const tailSeconds = ({ startFrames, endFrame, plan }: OnDemandPlan, run: EncodeChunk): number => {
  const end = run.endFrame ?? endFrame
  const lastStart = startFrames.findLast((frame) => frame < end) ?? 0
  return (lastStart + tailRatio * (end - lastStart) - run.startFrame) / rateOf(plan)
}

const rateOf = ({ frameRate }: OnDemandPlan['plan']): number =>
  frameRate === null ? 1 : framesPerSecond(frameRate)

/**
 * Returns the frames of a run that continues with all chunks that it may take; undefined when it may not continue. If the source is
 * damaged at the start of a single chunk, the chunk is too short and is encoded again; a range keeps its times instead.
 */
const runRangeOf = (plan: OnDemandPlan, { number, followers }: ClaimedChunk): EncodeChunk | undefined =>
  followers === 0
    ? undefined
    : {
        ...chunkOf(plan, number),
        endFrame: plan.startFrames[number + followers + 1] ?? null,
        beginsOnTime: true,
      }

/** A claimed chunk with the rung that it belongs to. */
export interface ClaimedPart {
  /** The chunk that is being encoded. A run that continues puts the next one here. */
  claimed: ClaimedChunk
  readonly found: OnDemandRendition
}

/** Rungs are drawn alike, whether one run encodes one of them or several. */
const areDrawnApart = ({ probe, plan }: OnDemandPlan): boolean =>
  probe.video?.isHdr !== true && plan.watermark === null

/** Whether one run can encode these chunks as runs of their own would. */
export const canShareRun = (
  { claimed: first, found: { plan } }: ClaimedPart,
  { claimed, found: { plan: other } }: ClaimedPart,
): boolean =>
  claimed.number === first.number &&
  areDrawnApart(plan) &&
  other.sourceBlob === plan.sourceBlob &&
  other.threadCount === plan.threadCount &&
  isDeepStrictEqual(chunkOf(other, claimed.number), chunkOf(plan, first.number)) &&
  isDeepStrictEqual(other.plan, plan.plan)

interface EncodeRun {
  readonly signal: AbortSignal
  readonly workFolder: string
  /** Called when the encoder leaves much of the processor to others until its end. */
  readonly onTail: () => void
  /** Takes a segment of a run that may continue, and makes the next chunk the current one. Throws when there is none. */
  readonly finishAndContinue: (segment: MadeSegment) => Promise<void>
}

/**
 * Encodes the current chunk of each part, and stores its segments. Returns those that are not finished yet. Where the source
 * cannot be decoded, it tries again from an earlier key frame, then repeats the last picture.
 */
export const encodeParts = async (
  { blobs, log }: FileJobDependencies,
  parts: readonly [ClaimedPart, ...ClaimedPart[]],
  { onTail, finishAndContinue, ...run }: EncodeRun,
): Promise<MadeSegment[]> => {
  const [first] = parts
  const { plan, file } = first.found
  const { urgency } = first.claimed
  const store = (): SegmentStore =>
    storeInBlobs(
      blobs,
      parts.map((one) => folderOfClaim(one.found.rendition.media_blob, one.claimed)),
    )
  const access: Omit<ChunkAccess, 'report'> = {
    putSegment: (output, index, data) => store().putSegment(output, index, data),
    // Stored when the rung was listed. A complete rung has it in the folder of its first segment.
    putInit: async (output, data) => {
      if ((parts[output]?.claimed.attempt ?? 1) > 1) await store().putInit(output, data)
    },
    withInput: (use, ranges) => blobs.withLocalFile(plan.sourceBlob, use, ranges),
    checkTrack: (output, { initSegment }) => {
      const hash = createHash('sha256').update(initSegment).digest('base64')
      if (hash !== parts[output]?.found.plan.initSegmentHash) throw new DecoderSettingsError()
    },
  }
  /** Encodes a chunk of its own, or the chunks of a run one after the other. */
  const encodeOnce = async (chunk: EncodeChunk, kind: 'chunk' | 'run' = 'chunk'): Promise<MadeSegment[]> => {
    let hasContinued = false
    const takeSegment = async (segment: PackagedSegment): Promise<void> => {
      await finishAndContinue(segmentOf([segment], plan, first.claimed.number))
      hasContinued = true
    }
    const outputs = await runChunk(
      {
        ...{ chunk, probe: plan.probe },
        plan: { ...plan.plan, cutFrames: plan.startFrames.slice(1) },
        rungs: parts.map((one) => one.found.plan.rung),
      },
      {
        ...access,
        report: (doneSeconds) => {
          if (doneSeconds > tailSeconds(plan, chunk)) onTail()
        },
        ...(kind === 'run' && { takeSegment }),
      },
      {
        ...run,
        encodersHere: undefined,
        threadCount: plan.threadCount,
        niceness: nicenessOfChunk[urgency],
        progressSeconds,
      },
    )
    if (hasContinued) throw notAsPlanned('no further segment')
    return outputs.map(({ segments }, index) =>
      segmentOf(segments, parts[index]?.found.plan ?? plan, first.claimed.number),
    )
  }
  const attempt = async (
    nextStep: string,
    chunk: EncodeChunk,
    kind: 'chunk' | 'run' = 'chunk',
  ): Promise<MadeSegment[] | null> => {
    try {
      return await encodeOnce(chunk, kind)
    } catch (error) {
      const isRetried = kind === 'run' ? isFaultOfMedia(error) : isCorrupt(error)
      if (run.signal.aborted || !isRetried) throw error
      log.warn({ fileId: file.id, chunk: first.claimed.number, err: error }, nextStep)
      return null
    }
  }
  const runRange = runRangeOf(plan, first.claimed)
  if (runRange !== undefined) {
    const made = await attempt('encoding a chunk again in a run of its own', runRange, 'run')
    if (made !== null) return made
  }
  // The run may have continued with another chunk.
  const chunk = chunkOf(plan, first.claimed.number)
  const { startFrame, endFrame, startSegment } = chunk
  const fromEarlier: EncodeChunk = { startFrame, endFrame, startSegment }
  return (
    (await attempt('encoding a chunk again from an earlier key frame', chunk)) ??
    (await attempt('repeating the last picture in a chunk that cannot be decoded', fromEarlier)) ??
    encodeOnce({ ...fromEarlier, endFrame: endFrame ?? plan.endFrame, repeatsPictures: true })
  )
}

const isCorrupt = (error: unknown): boolean => error instanceof MediaError && error.code === 'corrupt'

const notAsPlanned = (detail: string): MediaError =>
  new MediaError('corrupt', mediaMessage('file_video_unreadable'), detail)

/** Sources end a few frames earlier or later than their index says. */
const toleratedEndSeconds = 0.5

/** Throws when the run has not made exactly the segment that playlists name. */
const segmentOf = (
  segments: readonly PackagedSegment[],
  { startFrames, endFrame, timescale, plan }: OnDemandPlan,
  number: number,
): MadeSegment => {
  const [segment, ...others] = segments
  if (segment === undefined || others.length > 0) throw notAsPlanned(`${others.length + 1} segments`)
  const frames = (startFrames[number + 1] ?? endFrame) - (startFrames[number] ?? 0)
  const rate = rateOf(plan)
  const isLast = number === startFrames.length - 1
  const differenceSeconds = Math.abs(segment.durationTicks / timescale - frames / rate)
  if (differenceSeconds > (isLast ? toleratedEndSeconds : 0.5 / rate))
    throw notAsPlanned(`${segment.durationTicks} ticks instead of ${frames} frames`)
  const { startTicks, durationTicks, sizeBytes, keyFrameEndBytes = 0 } = segment
  return { startTicks, durationTicks, sizeBytes, keyFrameEndBytes }
}
