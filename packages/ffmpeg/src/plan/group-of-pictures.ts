import { framesPerSecond, type FrameRate } from '../probe/frame-rate.ts'
import type { VideoCodec } from './ladder.ts'

/** Segments of all rungs begin at the same groups of pictures, so players can switch at each of them. */
const groupSeconds = 2
/** Duration of packaged segments. The first two together are as long as each later one. */
export const segmentSeconds = 4

export const framesPerGroup = (frameRate: FrameRate): number =>
  Math.max(1, Math.round(groupSeconds * framesPerSecond(frameRate)))

/** SVT-AV1 only closes its groups of pictures at its own fixed interval. */
export const canForceKeyFrames = (codec: VideoCodec): boolean => codec !== 'av1'

/** The first segment of a rung without explicit cuts is half a group, so that playback starts early. */
export const framesOfFirstSegment = (codec: VideoCodec, frameRate: FrameRate): number => {
  const groupFrames = framesPerGroup(frameRate)
  return canForceKeyFrames(codec) ? Math.ceil(groupFrames / 2) : groupFrames
}

/**
 * Returns the number of groups of pictures in a segment. Like the packager, it adds groups while each brings
 * the segment closer to its target. It uses integers, because 60 frames at 30000/1001 do not last exactly two
 * seconds.
 */
export const groupsPerSegment = ({ numerator, denominator }: FrameRate, targetSeconds: number): number => {
  const groupTicks = framesPerGroup({ numerator, denominator }) * denominator
  return Math.max(1, Math.ceil((2 * targetSeconds * numerator - groupTicks) / (2 * groupTicks)))
}
