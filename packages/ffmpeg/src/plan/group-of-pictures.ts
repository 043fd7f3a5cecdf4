import { framesPerSecond, type FrameRate } from '../probe/frame-rate.ts'

/** All rungs have key frames at the same times, so players can switch at each of them. */
const groupSeconds = 2

export const framesPerGroup = (frameRate: FrameRate): number =>
  Math.max(1, Math.round(groupSeconds * framesPerSecond(frameRate)))
