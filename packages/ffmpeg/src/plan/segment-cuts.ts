import { framesPerSecond, type FrameRate } from '../probe/frame-rate.ts'
import type { EncodeChunk } from './plan-chunks.ts'
import {
  canForceKeyFrames,
  framesOfFirstSegment,
  framesPerGroup,
  groupsPerSegment,
} from './group-of-pictures.ts'
import type { MediaPlan, VideoRung } from './plan-renditions.ts'

export const cutsOfRung = ({ cutFrames }: MediaPlan, { codec }: VideoRung): readonly number[] | undefined =>
  canForceKeyFrames(codec) ? cutFrames : undefined

/** Returns the distance of key frames. */
export const keyFrameInterval = (
  { keyFrameSeconds }: Pick<VideoRung, 'keyFrameSeconds'>,
  frameRate: FrameRate,
): number =>
  framesPerGroup(frameRate) *
  (keyFrameSeconds === undefined ? 1 : groupsPerSegment(frameRate, keyFrameSeconds))

/**
 * Returns the frames at which a rung has a key frame in any case. Without cuts, the first two segments together
 * are as long as each later one.
 */
export const forcedKeyFrames = (plan: MediaPlan, rung: VideoRung): readonly number[] => {
  const { frameRate } = plan
  if (frameRate === null) return []
  const cuts = cutsOfRung(plan, rung)
  if (cuts !== undefined) return cuts
  const first = framesOfFirstSegment(rung.codec, frameRate)
  const interval = keyFrameInterval(rung, frameRate)
  // The encoder counts from the last key frame.
  return first < interval ? [first, interval] : []
}

/**
 * Returns arguments that force key frames within a chunk, whose frames count from 0. They add to
 * the regular interval of the encoder.
 */
export const keyFrameArguments = (
  frames: readonly number[],
  {
    codec,
    chunk,
    frameRate,
  }: {
    readonly codec: VideoRung['codec']
    readonly chunk: EncodeChunk | null
    readonly frameRate: FrameRate
  },
): string[] => {
  const { startFrame, endFrame } = chunk ?? { startFrame: 0, endFrame: null }
  const times = frames
    .filter((frame) => frame > startFrame && frame < (endFrame ?? Infinity))
    .map((frame) => ((frame - startFrame) / framesPerSecond(frameRate)).toFixed(6))
  if (times.length === 0) return []
  // Without `-forced-idr`, x265 writes an intra frame that later frames may reference across.
  return ['-force_key_frames', times.join(','), ...(codec === 'hevc' ? ['-forced-idr', '1'] : [])]
}
