import { canBeCut, framesPerSecond, type MediaPlan, type Probe, type VideoRung } from '@zoetrope/ffmpeg'
import { measureBitRates, timelineStartSeconds } from '@zoetrope/packager'

/** What every worker encodes a rung by. It is plain JSON. */
export interface OnDemandPlan {
  readonly probe: Probe
  readonly plan: MediaPlan
  readonly rung: VideoRung
  readonly sourceBlob: string
  /** Fixed, because x264 writes other bytes with another number. */
  readonly threadCount: number
  /** First frame of each segment. */
  readonly startFrames: readonly number[]
  /** In frames; the source may have a few frames more or less. */
  readonly endFrame: number
  readonly timescale: number
  readonly initSegmentHash: string
  readonly initSegmentBytes: number
}

/**
 * Pixels of the source that an encoder decodes for one segment. Two cores decode and scale as many in about a second, and
 * viewers wait for no longer than two.
 */
const mostPixelsPerSegment = 600_000_000

export interface SegmentGrid {
  readonly startFrames: readonly number[]
  readonly endFrame: number
}

/**
 * Returns the segments of rungs that are encoded on demand: those of the source, which begin at its key frames. Null when the
 * ladder is better encoded at once. Pure.
 */
export const planSegmentGrid = (
  probe: Probe,
  plan: Pick<MediaPlan, 'frameRate' | 'cutFrames' | 'ladder' | 'moreCodecs'>,
  { segmentCount, endSeconds }: { readonly segmentCount: number; readonly endSeconds: number },
): SegmentGrid | null => {
  const { frameRate, cutFrames = [], ladder, moreCodecs } = plan
  const { video } = probe
  if (video === null || frameRate === null || ladder.length === 0 || moreCodecs.length > 0) return null
  // The plan has no cuts when there are too many to force.
  if (video.isSparse || !canBeCut(probe) || (segmentCount > 1 && cutFrames.length === 0)) return null
  const endFrame = Math.round(endSeconds * framesPerSecond(frameRate))
  const startFrames = [0, ...cutFrames].filter((frame) => frame < endFrame)
  if (startFrames.length === 0) return null
  const longestFrames = Math.max(
    ...startFrames.map((frame, index) => (startFrames[index + 1] ?? endFrame) - frame),
  )
  const sourceRatio = framesPerSecond(video.frameRate) / framesPerSecond(frameRate)
  const pixels = longestFrames * sourceRatio * video.widthPixels * video.heightPixels
  return pixels > mostPixelsPerSegment ? null : { startFrames, endFrame }
}

/** Rate control begins anew with each segment, so the buffer is half as large as that of an encode in one run. */
export const bufferSeconds = 1

/** Share of the buffer that a new encoder may use beyond the ceiling (x264, `vbv-init`). */
const initialBuffer = 0.9
/** The bytes around the samples: the head of the segment, and an entry for each frame. */
const headBytes = 200
const frameBytes = 16
/** Rate control misses its ceiling by a little. */
const tolerance = 1.05

export interface PlannedSegment {
  readonly startTicks: number
  readonly durationTicks: number
  /** Bound of what an encoder makes. */
  readonly sizeBytes: number
}

/** Returns the segments of a rung with the largest size that they can have. Pure. */
export const planSegments = (
  { startFrames, endFrame }: SegmentGrid,
  { frameRate, rung, timescale }: Pick<OnDemandPlan, 'rung' | 'timescale'> & Pick<MediaPlan, 'frameRate'>,
): PlannedSegment[] => {
  const rate = frameRate ?? { numerator: 1, denominator: 1 }
  const ticks = (frame: number): number =>
    Math.round((timelineStartSeconds + (frame * rate.denominator) / rate.numerator) * timescale)
  return startFrames.map((frame, index) => {
    const end = startFrames[index + 1] ?? endFrame
    const seconds = (end - frame) / framesPerSecond(rate)
    const mediaBits = rung.maxBitsPerSecond * (seconds + initialBuffer * bufferSeconds)
    return {
      startTicks: ticks(frame),
      durationTicks: ticks(end) - ticks(frame),
      sizeBytes: Math.ceil((mediaBits * tolerance) / 8) + headBytes + frameBytes * (end - frame),
    }
  })
}

/** Returns the BANDWIDTH to declare, which no segment that is made exceeds. Pure. */
export const declaredBitRates = (
  segments: readonly PlannedSegment[],
  { rung, timescale }: Pick<OnDemandPlan, 'rung' | 'timescale'>,
) => {
  const { peakBitsPerSecond } = measureBitRates(segments, timescale)
  return { peakBitsPerSecond, averageBitsPerSecond: Math.min(peakBitsPerSecond, rung.maxBitsPerSecond) }
}
