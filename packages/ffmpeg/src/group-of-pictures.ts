import { framesPerSecond, type FrameRate } from './frame-rate.ts'

/** Every rung has a key frame at the same instants, so players switch at each of them. */
const groupSeconds = 2

export const framesPerGroup = (frameRate: FrameRate): number =>
  Math.max(1, Math.round(groupSeconds * framesPerSecond(frameRate)))
