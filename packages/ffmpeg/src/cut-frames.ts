import { framesPerSecond, type FrameRate } from './frame-rate.ts'

/** Each cut is an argument of up to twelve characters, and the kernel takes 128 KiB in one; more than this are nine hours of four seconds each. */
const maxCuts = 9_000

/**
 * The frames at which encoded rungs begin a segment so that they are cut where the source beside them is, from the segment starts of that, on the
 * timeline of the encode. Frame 0 always begins one. Undefined where there are too many to force.
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
