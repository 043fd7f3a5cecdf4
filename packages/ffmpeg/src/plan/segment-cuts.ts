import { framesPerSecond, type FrameRate } from '../probe/frame-rate.ts'
import { framesOfFirstSegment, framesPerGroup } from './group-of-pictures.ts'
import type { EncodeChunk } from './plan-chunks.ts'
import type { MediaPlan, VideoRung } from './plan-renditions.ts'

/** SVT-AV1 only closes its groups of pictures at its own fixed interval. */
const canForceKeyFrames = (codec: VideoRung['codec']): boolean => codec !== 'av1'

export const cutsOfRung = ({ cutFrames }: MediaPlan, { codec }: VideoRung): readonly number[] | undefined =>
  canForceKeyFrames(codec) ? cutFrames : undefined

/** Number of frames of the first segment of a rung without explicit cuts. */
export const firstSegmentFrames = (codec: VideoRung['codec'], frameRate: FrameRate): number =>
  canForceKeyFrames(codec) ? framesOfFirstSegment(frameRate) : framesPerGroup(frameRate)

/**
 * Returns arguments that force key frames at the cuts within a chunk, whose frames count from 0. Without cuts, the first
 * group is divided. They add to the regular interval of the encoder, which counts from the last one.
 */
export const keyFrameArguments = (
  cuts: readonly number[] | undefined,
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
  const times = (
    cuts ?? (canForceKeyFrames(codec) ? [framesOfFirstSegment(frameRate), framesPerGroup(frameRate)] : [])
  )
    .filter((frame) => frame > startFrame && frame < (endFrame ?? Infinity))
    .map((frame) => ((frame - startFrame) / framesPerSecond(frameRate)).toFixed(6))
  if (times.length === 0) return []
  // Without `-forced-idr`, x265 writes an intra frame that later frames may reference across.
  return ['-force_key_frames', times.join(','), ...(codec === 'hevc' ? ['-forced-idr', '1'] : [])]
}
