import { framesPerSecond, type FrameRate } from '../probe/frame-rate.ts'

/** Segments of all rungs begin at the same groups of pictures, so players can switch at each of them. */
const groupSeconds = 2
/** Duration of packaged segments. The first two together are as long as each later one. */
export const segmentSeconds = 4

export const framesPerGroup = (frameRate: FrameRate): number =>
  Math.max(1, Math.round(groupSeconds * framesPerSecond(frameRate)))

/** The first segment is half a group, so that playback starts early. */
export const framesOfFirstSegment = (frameRate: FrameRate): number => Math.ceil(framesPerGroup(frameRate) / 2)

/**
 * Returns the number of groups of pictures in a segment. Like the packager, it adds groups while each brings
 * the segment closer to its target. It uses integers, because 60 frames at 30000/1001 do not last exactly two
 * seconds.
 */
export const groupsPerSegment = ({ numerator, denominator }: FrameRate, targetSeconds: number): number => {
  const groupTicks = framesPerGroup({ numerator, denominator }) * denominator
  return Math.max(1, Math.ceil((2 * targetSeconds * numerator - groupTicks) / (2 * groupTicks)))
}
