import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { framesPerSecond, MediaError, mediaMessage, type EncodeChunk } from '@zoetrope/ffmpeg'
import { initBlob } from '../../../library/files/media/media-blobs.ts'
import { earlierBlobsOf, folderOfClaim } from '../chunks/chunk-folders.ts'
import { secondsOfChunk } from '../chunks/seconds-of-chunk.ts'
import { runChunk, type ChunkAccess } from '../chunks/run-chunk.ts'
import { awaitedNiceness } from '../encode/encode-niceness.ts'
import { withWorkFolder } from '../encode/with-work-folder.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import type { EncodeOutput } from '../encode/run-encode.ts'
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

/** A chunk is one segment, whatever its length. */
const cutsOf = ({ startFrame, endFrame }: EncodeChunk): number[] =>
  [startFrame, endFrame ?? 0].filter((frame) => frame > 0)

/** All claims of a rung share the init segment. */
const earlierSegmentsOf = (mediaBlob: string, { number, attempt }: ClaimedChunk): string[] =>
  earlierBlobsOf(mediaBlob, [{ number, attempt, startSegment: number, segmentCount: 1 }]).filter(
    (blob) => blob !== initBlob(mediaBlob),
  )

/** A claimed chunk with the rung that it belongs to. */
export interface ClaimedPart {
  readonly claimed: ClaimedChunk
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

/**
 * Encodes a chunk of one rung or of several in one run (`canShareRun`), and stores its segments. The same plan gives the
 * same bytes on each worker. Returns the chunks that no other encoder has claimed meanwhile.
 */
export const makeChunk = async (
  dependencies: FileJobDependencies,
  parts: readonly [ClaimedPart, ...ClaimedPart[]],
  { signal, onTail }: ChunkEncode,
): Promise<ClaimedChunk[]> => {
  const { database, log } = dependencies
  const { file } = parts[0].found
  const lost = new AbortController()
  const renewal = setInterval(() => {
    Promise.all(parts.map(({ claimed }) => renewChunk(database, claimed)))
      .then((areHeld) => {
        if (areHeld.includes(false)) lost.abort()
      })
      .catch((error: unknown) => log.warn({ err: error }, 'cannot renew the lease of a chunk'))
  }, renewIntervalMs)
  try {
    const segments = await withWorkFolder(dependencies.workFolder, `chunk-${file.id}-`, (workFolder) =>
      encode(dependencies, parts, { workFolder, signal: AbortSignal.any([signal, lost.signal]), onTail }),
    )
    const finished: ClaimedChunk[] = []
    for (const [index, { claimed, found }] of parts.entries()) {
      const segment = segments[index]
      if (segment === undefined) continue
      const isFinished = await finishOnDemandChunk(database, claimed, {
        segment,
        seconds: segment.durationTicks / found.plan.timescale,
        file,
        earlierBlobs: earlierSegmentsOf(found.rendition.media_blob, claimed),
      })
      if (isFinished) finished.push(claimed)
    }
    return finished
  } catch (error) {
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

const encode = async (
  { blobs, log }: FileJobDependencies,
  parts: readonly [ClaimedPart, ...ClaimedPart[]],
  { onTail, ...run }: ChunkEncode & { readonly workFolder: string },
): Promise<MadeSegment[]> => {
  const { claimed, found } = parts[0]
  const { plan, file } = found
  const chunk = chunkOf(plan, claimed.number)
  const store = storeInBlobs(
    blobs,
    parts.map((one) => folderOfClaim(one.found.rendition.media_blob, one.claimed)),
  )
  const access: ChunkAccess = {
    putSegment: store.putSegment,
    // Stored when the rung was listed. A complete rung has it in the folder of its first segment.
    putInit: async (output, data) => {
      if ((parts[output]?.claimed.attempt ?? 1) > 1) await store.putInit(output, data)
    },
    withInput: (use, ranges) => blobs.withLocalFile(plan.sourceBlob, use, ranges),
    checkTrack: (output, { initSegment }) => {
      const hash = createHash('sha256').update(initSegment).digest('base64')
      if (hash !== parts[output]?.found.plan.initSegmentHash) throw new DecoderSettingsError()
    },
    report: (doneSeconds) => {
      if (doneSeconds > tailRatio * secondsOfChunk(plan.plan, chunk, 0)) onTail()
    },
  }
  const encodeOnce = async (part: EncodeChunk): Promise<MadeSegment[]> => {
    const outputs = await runChunk(
      {
        chunk: part,
        probe: plan.probe,
        plan: { ...plan.plan, cutFrames: cutsOf(part) },
        rungs: parts.map((one) => one.found.plan.rung),
      },
      access,
      {
        ...run,
        encodersHere: undefined,
        threadCount: plan.threadCount,
        niceness: nicenessOfChunk[claimed.urgency],
        progressSeconds,
      },
    )
    return outputs.map((output, index) => segmentOf(output, parts[index]?.found.plan ?? plan, claimed.number))
  }
  const { startFrame, endFrame, startSegment } = chunk
  const fromEarlier: EncodeChunk = { startFrame, endFrame, startSegment }
  for (const [part, nextStep] of [
    [chunk, 'encoding a chunk again from an earlier key frame'],
    [fromEarlier, 'repeating the last picture in a chunk that cannot be decoded'],
  ] as const)
    try {
      return await encodeOnce(part)
    } catch (error) {
      if (run.signal.aborted || !(error instanceof MediaError) || error.code !== 'corrupt') throw error
      log.warn({ fileId: file.id, chunk: claimed.number, err: error }, nextStep)
    }
  return encodeOnce({ ...fromEarlier, endFrame: endFrame ?? plan.endFrame, repeatsPictures: true })
}

const notAsPlanned = (detail: string): MediaError =>
  new MediaError('corrupt', mediaMessage('file_video_unreadable'), detail)

/** Sources end a few frames earlier or later than their index says. */
const toleratedEndSeconds = 0.5

/** Throws when the run has not made exactly the segment that playlists name. */
const segmentOf = (
  { segments }: EncodeOutput,
  { startFrames, endFrame, timescale, plan }: OnDemandPlan,
  number: number,
): MadeSegment => {
  const [segment, ...others] = segments
  if (segment === undefined || others.length > 0) throw notAsPlanned(`${others.length + 1} segments`)
  const frames = (startFrames[number + 1] ?? endFrame) - (startFrames[number] ?? 0)
  const rate = plan.frameRate === null ? 1 : framesPerSecond(plan.frameRate)
  const isLast = number === startFrames.length - 1
  const differenceSeconds = Math.abs(segment.durationTicks / timescale - frames / rate)
  if (differenceSeconds > (isLast ? toleratedEndSeconds : 0.5 / rate))
    throw notAsPlanned(`${segment.durationTicks} ticks instead of ${frames} frames`)
  const { startTicks, durationTicks, sizeBytes, keyFrameEndBytes = 0 } = segment
  return { startTicks, durationTicks, sizeBytes, keyFrameEndBytes }
}
