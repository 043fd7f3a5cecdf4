import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { framesPerSecond, MediaError, mediaMessage, type EncodeChunk } from '@zoetrope/ffmpeg'
import type { PackagedSegment } from '@zoetrope/packager'
import { initBlob } from '../../../library/files/media/media-blobs.ts'
import { earlierBlobsOf, folderOfClaim } from '../chunks/chunk-folders.ts'
import { runChunk, type ChunkAccess } from '../chunks/run-chunk.ts'
import { awaitedNiceness } from '../encode/encode-niceness.ts'
import { withWorkFolder } from '../encode/with-work-folder.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import type { SegmentStore } from '../encode/run-encode.ts'
import { storeInBlobs } from '../encode/store-in-blobs.ts'
import { cleanUpAfterPurge } from '../processing/run-file-job.ts'
import {
  finishOnDemandChunk,
  renewChunk,
  type ChunkUrgency,
  type ClaimedChunk,
  type MadeSegment,
  type OnDemandRendition,
} from './on-demand-store.ts'
import type { OnDemandPlan } from './plan/plan-on-demand.ts'
import { DecoderSettingsError } from './relist-rung.ts'

export interface ChunkEncode {
  readonly signal: AbortSignal
  /** Called when the encoder leaves much of the processor to others until its end. */
  readonly onTail: () => void
  /** Claims the chunk that the run goes on with after this one, which is ready; null = the run ends. Absent = it always ends. */
  readonly goOn?: (made: ClaimedChunk) => Promise<ClaimedChunk | null>
}

const renewIntervalMs = 4_000
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

/** Returns the chunk that a run encodes if it goes on as far as it may; undefined when it may not. */
const longerChunkOf = (plan: OnDemandPlan, { number, followers }: ClaimedChunk): EncodeChunk | undefined =>
  followers === 0
    ? undefined
    : { ...chunkOf(plan, number), endFrame: plan.startFrames[number + followers + 1] ?? null }

/** All claims of a rung share the init segment. */
const earlierSegmentsOf = (mediaBlob: string, { number, attempt }: ClaimedChunk): string[] =>
  earlierBlobsOf(mediaBlob, [{ number, attempt, startSegment: number, segmentCount: 1 }]).filter(
    (blob) => blob !== initBlob(mediaBlob),
  )

/** A claimed chunk with the rung that it belongs to. */
export interface ClaimedPart {
  /** The chunk that is being encoded: a run that goes on puts the next one here. */
  claimed: ClaimedChunk
  readonly found: OnDemandRendition
}

/** Rungs are drawn alike, whether one run encodes one of them or several. */
const areDrawnApart = ({ probe, plan }: OnDemandPlan): boolean =>
  probe.video?.isHdr !== true && plan.watermark === null

/** Whether one run can encode these chunks, with the bytes that runs of their own would give. */
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

/** Another encoder has the chunk, or its rung is gone. */
export class ClaimLostError extends Error {
  constructor() {
    super('the claim of a chunk is lost')
    this.name = 'ClaimLostError'
  }
}

/** The run has ended before the end of its chunk, because it does not go on with the next one. */
class RunEndedError extends Error {
  constructor() {
    super('the run ends with this chunk')
    this.name = 'RunEndedError'
  }
}

/**
 * Encodes a chunk of one rung or of several in one run (`canShareRun`), and stores its segments. A run of one rung goes on with
 * the next chunks while `goOn` claims them. Returns the chunks that are ready.
 */
export const makeChunk = async (
  dependencies: FileJobDependencies,
  parts: readonly [ClaimedPart, ...ClaimedPart[]],
  { signal, onTail, goOn }: ChunkEncode,
): Promise<ClaimedChunk[]> => {
  const { database, log } = dependencies
  const { file } = parts[0].found
  const held = new Set(parts.map(({ claimed }) => claimed))
  const finished: ClaimedChunk[] = []
  const lost = new AbortController()
  const renewal = setInterval(() => {
    const claims = [...held]
    Promise.all(claims.map((claimed) => renewChunk(database, claimed)))
      .then((areRenewed) => {
        // Those that are ready meanwhile have no lease.
        if (claims.some((claimed, index) => areRenewed[index] === false && held.has(claimed))) lost.abort()
      })
      .catch((error: unknown) => log.warn({ err: error }, 'cannot renew the lease of a chunk'))
  }, renewIntervalMs)
  const finish = async ({ claimed, found }: ClaimedPart, segment: MadeSegment): Promise<boolean> => {
    held.delete(claimed)
    const isFinished = await finishOnDemandChunk(database, claimed, {
      segment,
      seconds: segment.durationTicks / found.plan.timescale,
      file,
      earlierBlobs: earlierSegmentsOf(found.rendition.media_blob, claimed),
    })
    if (isFinished) finished.push(claimed)
    return isFinished
  }
  const finishAndGoOn = async (segment: MadeSegment): Promise<void> => {
    const [part] = parts
    if (!(await finish(part, segment))) throw new ClaimLostError()
    const next = (await goOn?.(part.claimed)) ?? null
    if (next === null) throw new RunEndedError()
    part.claimed = next
    held.add(next)
  }
  try {
    const segments = await withWorkFolder(dependencies.workFolder, `chunk-${file.id}-`, (workFolder) =>
      encode(dependencies, parts, {
        ...{ workFolder, signal: AbortSignal.any([signal, lost.signal]), onTail },
        finishAndGoOn,
      }),
    )
    for (const [index, part] of parts.entries()) {
      const segment = segments[index]
      if (segment !== undefined) await finish(part, segment)
    }
    return finished
  } catch (error) {
    if (error instanceof RunEndedError) return finished
    throw lost.signal.aborted && !signal.aborted ? new ClaimLostError() : error
  } finally {
    clearInterval(renewal)
    await cleanUpAfterPurge(dependencies, {
      accountId: file.account_id,
      projectId: file.project_id,
      fileId: file.id,
    })
  }
}

/** Returns the segments of the first chunk of each part. Throws RunEndedError when the run has gone on from there. */
const encode = async (
  { blobs, log }: FileJobDependencies,
  parts: readonly [ClaimedPart, ...ClaimedPart[]],
  {
    onTail,
    finishAndGoOn,
    ...run
  }: Pick<ChunkEncode, 'signal' | 'onTail'> & {
    readonly workFolder: string
    /** Throws RunEndedError when the run does not go on. */
    readonly finishAndGoOn: (segment: MadeSegment) => Promise<void>
  },
): Promise<MadeSegment[]> => {
  const [first] = parts
  const { plan, file } = first.found
  const { urgency } = first.claimed
  const store = (): SegmentStore =>
    storeInBlobs(
      blobs,
      parts.map((one) => folderOfClaim(one.found.rendition.media_blob, one.claimed)),
    )
  const access: ChunkAccess = {
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
    report: (doneSeconds, encoded) => {
      if (doneSeconds > tailSeconds(plan, encoded)) onTail()
    },
  }
  const encodeOnce = async (chunk: EncodeChunk, longerChunk?: EncodeChunk): Promise<MadeSegment[]> => {
    let hasGoneOn = false
    const outputs = await runChunk(
      {
        ...{ chunk, longerChunk, probe: plan.probe },
        plan: { ...plan.plan, cutFrames: plan.startFrames.slice(1) },
        rungs: parts.map((one) => one.found.plan.rung),
      },
      {
        ...access,
        onSegment: async (segment) => {
          await finishAndGoOn(segmentOf([segment], plan, first.claimed.number))
          hasGoneOn = true
        },
      },
      {
        ...run,
        encodersHere: undefined,
        threadCount: plan.threadCount,
        niceness: nicenessOfChunk[urgency],
        progressSeconds,
      },
    )
    if (hasGoneOn) throw notAsPlanned('no further segment')
    return outputs.map(({ segments }, index) =>
      segmentOf(segments, parts[index]?.found.plan ?? plan, first.claimed.number),
    )
  }
  const attempt = async (
    nextStep: string,
    ...chunks: Parameters<typeof encodeOnce>
  ): Promise<MadeSegment[] | null> => {
    try {
      return await encodeOnce(...chunks)
    } catch (error) {
      if (run.signal.aborted || !(error instanceof MediaError) || error.code !== 'corrupt') throw error
      log.warn({ fileId: file.id, chunk: first.claimed.number, err: error }, nextStep)
      return null
    }
  }
  const longerChunk = longerChunkOf(plan, first.claimed)
  if (longerChunk !== undefined) {
    const made = await attempt(
      'encoding a chunk again in a run of its own',
      chunkOf(plan, first.claimed.number),
      longerChunk,
    )
    if (made !== null) return made
  }
  // The run may have gone on to another chunk.
  const chunk = chunkOf(plan, first.claimed.number)
  const { startFrame, endFrame, startSegment } = chunk
  const fromEarlier: EncodeChunk = { startFrame, endFrame, startSegment }
  return (
    (await attempt('encoding a chunk again from an earlier key frame', chunk)) ??
    (await attempt('repeating the last picture in a chunk that cannot be decoded', fromEarlier)) ??
    encodeOnce({ ...fromEarlier, endFrame: endFrame ?? plan.endFrame, repeatsPictures: true })
  )
}

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
