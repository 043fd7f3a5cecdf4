import { framesPerSecond, type FrameRate } from '../probe/frame-rate.ts'

/** All rungs have key frames at the same times, so players can switch at each of them. */
const groupSeconds = 2

export const framesPerGroup = (frameRate: FrameRate): number =>
  Math.max(1, Math.round(groupSeconds * framesPerSecond(frameRate)))

/** The first segment is half a group, so that playback starts early. */
export const framesOfFirstSegment = (frameRate: FrameRate): number => Math.ceil(framesPerGroup(frameRate) / 2)
