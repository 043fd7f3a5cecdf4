import { framesPerSecond, type FrameRate } from './frame-rate.ts'
import type { EncodeChunk } from './plan-chunks.ts'
import type { MediaPlan, VideoRung } from './plan-renditions.ts'

/** SVT-AV1 keeps its groups of pictures closed only while key frames come by its own clock. */
export const cutsOfRung = ({ cutFrames }: MediaPlan, { codec }: VideoRung): readonly number[] | undefined =>
  codec === 'av1' ? undefined : cutFrames

/** Key frames at the cuts inside a chunk, whose frames count from 0; beside those that the encoder's interval asks for. */
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
  // x265 would make an intra picture that later ones refer across.
  return ['-force_key_frames', times.join(','), ...(codec === 'hevc' ? ['-forced-idr', '1'] : [])]
}
