import { framesPerSecond, type FrameRate } from '../probe/frame-rate.ts'

/**
 * Each cut takes up to twelve characters, and the kernel limits one argument to 128 KiB. This number covers
 * nine hours of four-second segments.
 */
const maxCuts = 9_000

/**
 * Returns the frames at which encoded rungs begin a segment, so that their segments align with those of the
 * source. The times are on the encode timeline; frame 0 always begins a segment. Returns undefined when there
 * are too many to force.
 */
export const cutFramesOf = (
  segmentStartSeconds: readonly number[],
  frameRate: FrameRate,
): number[] | undefined => {
  const frames = segmentStartSeconds
    .slice(1)
    .map((seconds) => Math.round(seconds * framesPerSecond(frameRate)))
  const cuts = [...new Set(frames)].filter((frame) => frame > 0)
  return cuts.length > maxCuts ? undefined : cuts
}
