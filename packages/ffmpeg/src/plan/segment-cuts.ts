import { framesPerSecond, type FrameRate } from '../probe/frame-rate.ts'
import type { EncodeChunk } from './plan-chunks.ts'
import type { MediaPlan, VideoRung } from './plan-renditions.ts'

/** SVT-AV1 only closes its groups of pictures at its own fixed interval. */
export const cutsOfRung = ({ cutFrames }: MediaPlan, { codec }: VideoRung): readonly number[] | undefined =>
  codec === 'av1' ? undefined : cutFrames

/**
 * Returns arguments that force key frames at the cuts within a chunk, whose frames count from 0. They add to
 * the regular interval of the encoder.
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
  const times = (cuts ?? [])
    .filter((frame) => frame > startFrame && frame < (endFrame ?? Infinity))
    .map((frame) => ((frame - startFrame) / framesPerSecond(frameRate)).toFixed(6))
  if (times.length === 0) return []
  // Without `-forced-idr`, x265 writes an intra frame that later frames may reference across.
  return ['-force_key_frames', times.join(','), ...(codec === 'hevc' ? ['-forced-idr', '1'] : [])]
}
