import { createHash } from 'node:crypto'
import {
  cutsOfRung,
  segmentStartFrame,
  type EncodeChunk,
  type FrameRate,
  type MediaPlan,
  type VideoRung,
} from '@zoetrope/ffmpeg'
import {
  findMoofEnd,
  IsobmffError,
  readMediaSegmentHead,
  writeMediaSegment,
  type SampleTable,
} from '@zoetrope/isobmff'
import { timelineStartSeconds } from '@zoetrope/packager'
import { packagedSegmentSeconds } from '../encode/packaged-segments.ts'
import type { DeliveredSegment } from './chunk-leases.ts'
import { checkPictures } from './check-pictures.ts'
import { RefusedResult } from './refused-result.ts'

export interface SegmentPlan {
  readonly plan: MediaPlan
  readonly rung: VideoRung
  readonly chunk: EncodeChunk
  readonly timescale: number
  /** Last frame that the source may have, with a tolerance. */
  readonly mostFrames: number
}

const rateOf = ({ frameRate }: MediaPlan): FrameRate => frameRate ?? { numerator: 1, denominator: 1 }

/** Returns the frames of a segment; `endFrame` is exclusive. */
export const framesOfSegment = (
  { plan, rung, chunk, mostFrames }: Omit<SegmentPlan, 'timescale'>,
  index: number,
): { readonly startFrame: number; readonly endFrame: number } => {
  const grid = { codec: rung.codec, frameRate: rateOf(plan), cutFrames: cutsOfRung(plan, rung) }
  const startFrame = segmentStartFrame(grid, packagedSegmentSeconds, index)
  const endFrame = Math.min(
    segmentStartFrame(grid, packagedSegmentSeconds, index + 1),
    chunk.endFrame ?? mostFrames,
  )
  if (index < chunk.startSegment || startFrame >= endFrame)
    throw new RefusedResult(`Segment ${index} is not part of the chunk.`)
  return { startFrame, endFrame }
}

/** Encoders exceed their ceiling for a moment: their buffer holds two seconds. */
const bufferSeconds = 2
const sizeTolerance = 2
const leastLimitBytes = 256 * 1024

export const mostSegmentBytes = (of: Omit<SegmentPlan, 'timescale'>, index: number): number => {
  const { startFrame, endFrame } = framesOfSegment(of, index)
  const { numerator, denominator } = rateOf(of.plan)
  const seconds = ((endFrame - startFrame) * denominator) / numerator
  return Math.ceil(
    leastLimitBytes + (sizeTolerance * of.rung.maxBitsPerSecond * (seconds + bufferSeconds)) / 8,
  )
}

/** The decode time may precede the presentation by as many frames as encoders reorder. */
const mostReorderedFrames = 32

/**
 * Checks that a segment is exactly what our packager writes for these frames of the plan. Throws RefusedResult.
 */
export const checkSegment = (of: SegmentPlan, index: number, bytes: Buffer): DeliveredSegment => {
  const { startFrame, endFrame } = framesOfSegment(of, index)
  const { table, headBytes } = readHead(bytes, index, endFrame - startFrame)
  const { numerator, denominator } = rateOf(of.plan)
  const frameTicks = (of.timescale * denominator) / numerator
  const startTicks = timelineStartSeconds * of.timescale + startFrame * frameTicks
  const isLastOfSource = of.chunk.endFrame === null
  if (table.count > endFrame - startFrame || (!isLastOfSource && table.count < endFrame - startFrame))
    throw new RefusedResult(`Segment ${index} has ${table.count} frames instead of ${endFrame - startFrame}.`)
  if (table.durations.some((ticks) => ticks !== frameTicks))
    throw new RefusedResult(`A frame of segment ${index} does not last ${frameTicks} ticks.`)
  const shown = Array.from(table.decodeTimes, (ticks, sample) => ticks + table.compositionOffsets[sample]!)
  if (shown[0] !== startTicks || table.isSync[0] !== 1)
    throw new RefusedResult(`Segment ${index} does not begin with a key frame at tick ${startTicks}.`)
  const isOnGrid = shown
    .toSorted((a, b) => a - b)
    .every((ticks, frame) => ticks === startTicks + frame * frameTicks)
  if (!isOnGrid || table.decodeTimes[0]! < startTicks - mostReorderedFrames * frameTicks)
    throw new RefusedResult(`The frames of segment ${index} are not at their times.`)
  checkPictures(of.rung.codec, table, bytes)
  return {
    sha256: createHash('sha256').update(bytes).digest('base64'),
    startTicks,
    durationTicks: table.count * frameTicks,
    sizeBytes: bytes.length,
    keyFrameEndBytes: headBytes + table.sizes[0]!,
    frameCount: table.count,
  }
}

/** Reads the boxes, and checks that they are those that our packager writes for these samples. */
const readHead = (
  bytes: Buffer,
  index: number,
  mostFrames: number,
): { readonly table: SampleTable; readonly headBytes: number } => {
  try {
    const moofEnd = findMoofEnd(bytes)
    if (moofEnd === undefined) throw new IsobmffError('truncated', 'It has no moof box.')
    const table = readMediaSegmentHead(bytes.subarray(0, moofEnd), bytes.length, mostFrames)
    const headBytes = moofEnd + 8
    const [head] = writeMediaSegment({
      sequenceNumber: index + 1,
      baseDecodeTime: table.decodeTimes[0]!,
      table,
      firstSample: 0,
      sampleCount: table.count,
      data: [bytes.subarray(headBytes)],
    })
    if (head === undefined || !head.equals(bytes.subarray(0, headBytes)))
      throw new IsobmffError('malformed', 'It has other boxes than the packager writes.')
    return { table, headBytes }
  } catch (error) {
    if (error instanceof IsobmffError || error instanceof RangeError)
      throw new RefusedResult(`Segment ${index} cannot be read: ${error.message}`)
    throw error
  }
}
