import {
  bufferSecondsOf,
  framesPerSecond,
  type FrameRate,
  type MediaPlan,
  type Probe,
  type VideoRung,
} from '@zoetrope/ffmpeg'
import { measureBitRates, timelineStartSeconds } from '@zoetrope/packager'
import { mostDecodedFrames, type SegmentFrames, type SegmentGrid } from './plan-segments.ts'

/** What every worker encodes a rung by. It is plain JSON. */
export interface OnDemandPlan extends SegmentFrames {
  readonly probe: Probe
  readonly plan: MediaPlan
  readonly rung: VideoRung
  readonly sourceBlob: string
  /** The same for all workers, so that segments of a rung look alike. */
  readonly threadCount: number
  /** Absent in plans of an earlier release: true. */
  readonly hasClosedGroups?: boolean
  /** Absent = none. */
  readonly withinGroup?: SegmentGrid['withinGroup']
  readonly timescale: number
  readonly initSegmentHash: string
  readonly initSegmentBytes: number
}

/** Time of an encoder relative to that of decoding one pixel of H.264, as measured for 1080p. */
const decodeCost = { h264: 1, other: 1.5 } as const
const encodeCost = { h264: 4.5, hevc: 10, av1: 6 } as const

/** Two cores spend about two seconds on twice as many pixels. Viewers wait for no longer than that. */
const mostPixelsPerCore = 750_000_000
const mostCores = 8

/**
 * Returns whether an encoder makes each segment while a viewer waits for it. `coreCount` is that of this machine. Pure.
 */
export const isQuickEnough = (
  { video }: Pick<Probe, 'video'>,
  grid: SegmentGrid,
  {
    rungs,
    frameRate,
    coreCount,
  }: {
    readonly rungs: readonly VideoRung[]
    readonly frameRate: FrameRate
    readonly coreCount: number
  },
): boolean => {
  if (video === null) return false
  const sourceRatio = framesPerSecond(video.frameRate) / framesPerSecond(frameRate)
  const decoded = mostDecodedFrames(grid, frameRate) * sourceRatio * video.widthPixels * video.heightPixels
  const frames = longestFrames(grid)
  const cost = decodeCost[video.codec === 'h264' ? 'h264' : 'other'] * decoded
  return rungs.every(
    ({ codec, widthPixels, heightPixels }) =>
      cost + encodeCost[codec] * frames * widthPixels * heightPixels <=
      mostPixelsPerCore * Math.min(coreCount, mostCores),
  )
}

const longestFrames = ({ startFrames, endFrame }: SegmentFrames): number =>
  startFrames.reduce((most, start, index) => Math.max(most, (startFrames[index + 1] ?? endFrame) - start), 0)

/**
 * Rate control may begin each segment with a full buffer, so the buffer is smaller than that of an encode in one run. It
 * decides how far segments exceed the ceiling, and how large their key frames can be.
 */
export const bufferSeconds = 0.75

/** The bytes around the samples: the head of the segment, and an entry for each frame. */
const headBytes = 200
const frameBytes = 16

export interface PlannedSegment {
  readonly startTicks: number
  readonly durationTicks: number
  /** Bound of what an encoder makes. */
  readonly sizeBytes: number
}

/** Returns the segments of a rung with the largest size that they can have. Pure. */
export const planSegments = ({
  startFrames,
  endFrame,
  plan,
  rung,
  timescale,
}: OnDemandPlan): PlannedSegment[] => {
  const rate = plan.frameRate ?? { numerator: 1, denominator: 1 }
  const ticks = (frame: number): number =>
    Math.round((timelineStartSeconds + (frame * rate.denominator) / rate.numerator) * timescale)
  return startFrames.map((frame, index) => {
    const end = startFrames[index + 1] ?? endFrame
    const seconds = (end - frame) / framesPerSecond(rate)
    const mediaBits = rung.maxBitsPerSecond * (seconds + bufferSecondsOf(rung))
    return {
      startTicks: ticks(frame),
      durationTicks: ticks(end) - ticks(frame),
      sizeBytes: Math.ceil(mediaBits / 8) + headBytes + frameBytes * (end - frame),
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
